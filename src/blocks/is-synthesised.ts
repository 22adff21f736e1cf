import { type ConfigFile } from './config-file';
import { type ConfigProject } from './config-project';

/** The one file that every stack of CDKTF has, unless it was synthesised as HCL. */
export function isStackFile({ path }: ConfigFile): boolean {
  return path.split('/').at(-1) === 'cdk.tf.json';
}

/**
 * Whether CDKTF made the configuration: the next synthesis writes the folder anew, so nothing in it is
 * edited. Told by the one file that every stack has, or by what lies beside it where that is HCL
 * (cdktf 0.21), and not by the folders above: a copy of the folder is generated as well.
 */
export function isSynthesised({ constructs, rootModule }: ConfigProject): boolean {
  return constructs !== undefined || rootModule.files.some(isStackFile);
}
