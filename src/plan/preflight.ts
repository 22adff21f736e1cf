import { resolve } from 'node:path';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { cdktfFolder, synthCommand } from '../project/cdktf-project';
import { readDeclarations } from '../project/declarations';
import { isOfZone } from '../project/declared-rulesets';
import { isSynthesised } from '../tfconfig/find-blocks';
import { type StateFacts } from './facts/facts';
import { declaredAlone, isEntryPointOf } from './facts/owners';

/** @throws MigrationError `STATE_INVALID`, unless the first import into a new stack will create the state */
export function refuseWithoutState(states: readonly StateFacts[]): void {
  if (states.some((state) => state.exists || declaredAlone(state).length > 0)) return;
  const folders = states.map(({ dir }) => printable(dir)).join(', ');
  throw new MigrationError('STATE_INVALID', `there is no state in ${folders}`, {
    hint: 'run `terraform init` there, and check TF_WORKSPACE and TF_DATA_DIR; for a CDKTF project, synthesise it and pass --dir cdktf.out/stacks/<stack>',
  });
}

/**
 * A zone has one entry point. A program of the CDKTF project that declares it has to be synthesised before its import is
 * planned: a plan of the other stacks would declare it twice.
 * @param folder of the plan
 * @throws MigrationError `ENTRY_POINT_DECLARED`
 */
export async function requireSynthesised(
  zones: readonly string[],
  states: readonly StateFacts[],
  folder: string,
): Promise<void> {
  const stack = states.find(
    ({ configuration }) => configuration && isSynthesised(configuration.project),
  );
  const project = stack && cdktfFolder(resolve(folder, stack.dir));
  const absent = zones.filter(
    (zone) =>
      !states.some(
        ({ rulesets, declared }) =>
          rulesets.some(isEntryPointOf(zone)) || declared.some(({ zoneId }) => zoneId === zone),
      ),
  );
  if (project === undefined || absent.length === 0) return;
  for (const { file, text, entryPoints } of await readDeclarations(project, 'cdktf')) {
    const zone = absent.find((id) => entryPoints.some((one) => isOfZone(one, id)));
    if (zone === undefined) continue;
    const message = `${printable(file)} declares the entry point of zone ${zone}, and no planned stack has it`;
    const name = /^export class (\w+)/m.exec(text)?.[1];
    const add = name === undefined ? '' : `check that the program has new ${name}(…), `;
    const hint = `${add}synthesise the project, then plan again, with the stack that has the ruleset:\n${synthCommand(project)}`;
    throw new MigrationError('ENTRY_POINT_DECLARED', message, { hint });
  }
}
