import { type FormatName } from '../../core/format-names';
import { cdktf, construct } from './cdktf';
import { type Format } from './format';
import { hcl } from './hcl';
import { tfjson } from './tfjson';

/** The one list of output formats, by the names of model/format-names.ts. */
export const formats: Readonly<Record<FormatName, Format>> = { cdktf, construct, hcl, tfjson };
