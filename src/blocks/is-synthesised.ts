import { type ConfigProject } from './config-project';

/**
 * Whether CDKTF made the configuration: the next synthesis writes the folder anew, so nothing in it is
 * edited. Told by the one file that every stack has (cdktf 0.21).
 */
export function isSynthesised({ modules, root }: ConfigProject): boolean {
  const files = modules.get(root)?.files ?? [];
  return files.some(({ path }) => path.split('/').at(-1) === 'cdk.tf.json');
}
