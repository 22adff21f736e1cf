import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyPlan } from '../../../src/apply/apply-plan';
import { type Plan } from '../../../src/plan/plan';
import { OLD, resource, RULESET, stateText } from '../../support/applied-folder';
import { fakeTerraform } from '../../support/fake-terraform';
import { address, removalPlan } from '../../support/removal-plan';
import { temporaryFolder } from '../../support/temporary-folder';

const ID = 'c'.repeat(32);
const planned = `${RULESET}.managed_rules`;
const kinds = ['import', 'apply-blocks'] as const;

/** A plan for two states, of which `main` is to own the ruleset. */
function planFor(kind: (typeof kinds)[number], old: readonly string[]): Plan {
  const plan = removalPlan('e'.repeat(64));
  const [backup, remove] = plan.steps;
  const [main] = plan.states;
  const runs = [{ argv: ['terraform', kind === 'import' ? 'import' : 'plan', planned] }];
  const taking = { id: '3', kind, state: 'main', title: '', runs, expects: { present: [planned] } };
  return {
    ...plan,
    zones: [{ zoneId: 'z', ruleset: { id: ID, address: planned, importId: '', state: 'main' } }],
    states: [
      { ...main, dir: 'main' },
      { ...main, name: 'other', dir: 'other' },
    ],
    steps: old.length > 0 ? [backup, remove, taking] : [backup, taking],
  } as unknown as Plan;
}

/** A folder for each state, and a Terraform that pulls what stands there. */
function world(kind: (typeof kinds)[number], old: readonly string[] = []) {
  const folder = temporaryFolder();
  const write = (state: string, text: string): void => {
    writeFileSync(join(folder, state, 'state.json'), text);
  };
  for (const state of ['main', 'other']) {
    mkdirSync(join(folder, state));
    write(
      state,
      stateText(
        1,
        old.map(() => resource(OLD)),
      ),
    );
  }
  const body = `case "$1 $2" in version*) echo 'Terraform v1.11.4' ;; 'state pull') cat state.json ;; esac`;
  const fake = fakeTerraform(temporaryFolder(), body);
  const terraform = { binary: fake.path, environment: { PATH: process.env['PATH'] } };
  return {
    /** A colleague imports the ruleset by hand, under a name of her own. */
    importElsewhere: (state: string) => {
      write(state, stateText(2, [resource(RULESET, { id: ID })]));
    },
    took: () => fake.calls().some(([word = '']) => ['import', 'plan', 'apply'].includes(word)),
    apply: (fault: (point: string) => void = () => undefined) =>
      applyPlan({ plan: planFor(kind, old), folder, terraform, report: () => undefined, fault }),
  };
}

const refusal = (state: string) => ({
  code: 'STATE_CHANGED',
  message: `state ${state} holds the ruleset as ${RULESET}.a by now, and ${planned} was planned`,
  hint: expect.stringMatching(
    /let Terraform apply nothing before .*take over how they declare it, plan again, and delete the old blocks that are still declared/,
  ),
});

describe.each(kinds)('a ruleset that a colleague has imported at another address (%s)', (kind) => {
  it.each(['main', 'other'])(
    'while a run was stopped: the next one begins nothing, whichever state holds it (%s)',
    async (state) => {
      const { apply, importElsewhere, took } = world(kind);
      const stopped = apply((point) => {
        if (point === 'backup-after') throw new Error('stopped');
      });
      await expect(stopped).rejects.toThrow('stopped');
      importElsewhere(state);
      const begun: string[] = [];
      await expect(apply((point) => begun.push(point))).rejects.toMatchObject(refusal(state));
      expect([begun, took()]).toEqual([[], false]);
    },
  );
});

it('is not imported again where a colleague did so while Terraform waited to remove the old resources', async () => {
  const { apply, importElsewhere, took } = world('import', [address]);
  const ran = apply((point) => {
    if (point === 'remove-before') importElsewhere('main');
  });
  await expect(ran).rejects.toMatchObject(refusal('main'));
  expect(took()).toBe(false);
});
