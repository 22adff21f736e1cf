import { cdktf } from './cdktf';
import { type Format } from './format';
import { hcl } from './hcl';
import { tfjson } from './tfjson';

/** The one list of output formats: adding one is a file and a line here. */
export const formats = { cdktf, hcl, tfjson } satisfies Record<string, Format>;

/** Name of an output format, as `--format` takes it. */
export type FormatName = keyof typeof formats;
