import { type ConfigProject } from './config-project';
import { type ConfigValue } from './config-value';
import { readBody } from './read-body';

/** The outputs of the root by name, with what they are declared to be: undefined where it says no value. */
export function declaredOutputs({
  rootModule,
}: ConfigProject): ReadonlyMap<string, ConfigValue | undefined> {
  // an override goes over what it overrides
  const inOrder = [...rootModule.files].sort(
    (one, other) => Number(one.override) - Number(other.override),
  );
  const outputs = new Map<string, ConfigValue | undefined>();
  for (const file of inOrder) {
    for (const block of file.blocks) {
      const [name] = block.labels;
      if (block.type !== 'output' || name === undefined) continue;
      const value = readBody(file, block).get('value');
      outputs.set(name, value === undefined ? outputs.get(name) : value);
    }
  }
  return outputs;
}
