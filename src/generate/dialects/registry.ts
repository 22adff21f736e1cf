import { type Dialect, type ProviderMajor } from './dialect';
import { v3 } from './v3';
import { v4 } from './v4';
import { v5 } from './v5';

/** The one list of provider majors: adding one is a file and a line here. */
export const dialects: Readonly<Record<ProviderMajor, Dialect>> = { 3: v3, 4: v4, 5: v5 };
