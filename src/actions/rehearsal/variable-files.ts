import { statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type Plan, type PlanState } from '../../plan/plan';
import { type Part, seenFrom } from './part';

/**
 * The files that `-var-file` names in the steps of a state, as seen from its folder.
 * @throws MigrationError `FILE_UNREADABLE`
 */
export function variableFiles({ steps }: Plan, { name }: PlanState, root: Part): Part[] {
  const given = steps
    .filter(({ state }) => state === name)
    .flatMap(({ runs = [] }) => runs)
    .flatMap(({ argv }) => argv.flatMap((flag, at) => variableFile(flag, argv[at + 1])))
    .filter((file) => !isAbsolute(file));
  return [...new Set(given)].map((file) => {
    const part = seenFrom(root, file);
    if (statSync(part.from, { throwIfNoEntry: false })?.isFile() === true) return part;
    throw new MigrationError(
      'FILE_UNREADABLE',
      `-var-file=${printable(file)} is not there, seen from ${printable(root.from)}`,
    );
  });
}

function variableFile(flag: string, next = ''): string[] {
  const [name = '', ...joined] = flag.split('=');
  if (!/^--?var-file$/.test(name)) return [];
  return [joined.length === 0 ? next : joined.join('=')].filter((file) => file !== '');
}
