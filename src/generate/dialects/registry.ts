import { type ProviderMajor } from '../../core/provider-majors';
import { type Dialect } from './dialect';
import { v3 } from './v3';
import { v4 } from './v4';
import { v5 } from './v5';

/** How each major of model/provider-majors.ts takes a ruleset. */
export const dialects: Readonly<Record<ProviderMajor, Dialect>> = { 3: v3, 4: v4, 5: v5 };
