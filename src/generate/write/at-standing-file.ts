import { extname } from 'node:path';
import { GENERATED, type GeneratedStack } from '../generate-stack';
import { isEntryPointOf } from '../../project/entry-points';
import { type PlacedStack } from './require-free-place';
import { type Declarations } from '../../project/read-declarations';

/**
 * Puts a stack into the file that declares it already and nothing else, and that this tool wrote: `apply` names it by
 * the resource, a zone may be called otherwise now. That file is written over, with `--force`, and not a second one.
 */
export function atStandingFile(
  stack: GeneratedStack,
  { resourceName, zoneId }: Pick<PlacedStack, 'resourceName' | 'zoneId'>,
  declared: readonly Declarations[],
): GeneratedStack {
  const { resourceFile } = stack;
  const standing = declared.find(
    ({ file, text, blocks, rulesets, entryPoints }) =>
      extname(file) === extname(resourceFile.path) &&
      blocks === 1 &&
      rulesets.includes(resourceName) &&
      entryPoints.some((one) => isEntryPointOf(one, zoneId)) &&
      text.includes(GENERATED) &&
      providerIn(text) === providerIn(resourceFile.text),
  );
  if (standing === undefined) return stack;
  return { ...stack, resourceFile: { ...resourceFile, path: standing.file } };
}

/** Which configuration of the provider a ruleset goes by, where a plan or a person has chosen one. */
function providerIn(text: string): string | undefined {
  return /^\s*"?provider"?\s*[=:]\s*(.*)$/m.exec(text)?.[1];
}
