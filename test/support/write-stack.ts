import { type GeneratedStack } from '../../src/generate/generate-stack';
import { synthesise } from '../generate/support/read-back';
import { type Lab } from './lab';

/** The generated files of a stack. */
export const filesOf = ({ resourceFile, providersFile }: Omit<GeneratedStack, 'findings'>) =>
  providersFile === undefined ? [resourceFile] : [resourceFile, providersFile];

/**
 * Writes a file of a stack beside those of other stacks. A CDKTF stack is synthesised, without its backend; the last
 * one has the declarations that all of them share.
 */
export function writeBeside(lab: Lab, path: string, text: string, name: string): void {
  if (!path.endsWith('.ts')) {
    lab.write(path, text);
    return;
  }
  const { resource, terraform, provider } = JSON.parse(synthesise(text));
  lab.write(`${name}.tf.json`, { resource });
  const { required_providers } = terraform;
  lab.write('providers.tf.json', { terraform: { required_providers }, provider });
}
