import { type ConfigFile } from './config-file';
import { type ConfigProject } from './config-project';

/** The one file that every stack of CDKTF has. */
export function isStackFile({ path }: ConfigFile): boolean {
  return path.split('/').at(-1) === 'cdk.tf.json';
}

/**
 * Whether CDKTF made the configuration: the next synthesis writes the folder anew, so nothing in it is
 * edited. Told by the one file that every stack has, and not by the folders above: a copy of the folder is
 * generated as well.
 */
export function isSynthesised({ rootModule }: ConfigProject): boolean {
  return rootModule.files.some(isStackFile);
}
