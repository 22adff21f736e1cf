import { type ConfigProject } from './config-project';

/**
 * Whether CDKTF made the configuration: the next synthesis writes the folder anew, so nothing in it is
 * edited. Told by the one file that every stack has, or by what lies beside it where that is HCL
 * (cdktf 0.21), and not by the folders above: a copy of the folder is generated as well.
 */
export function isSynthesised({ constructs, modules, root }: ConfigProject): boolean {
  if (constructs !== undefined) return true;
  const files = modules.get(root)?.files ?? [];
  return files.some(({ path }) => path.split('/').at(-1) === 'cdk.tf.json');
}
