import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyPlan } from '../../../src/apply/apply-plan';
import { type Plan } from '../../../src/plan/plan';
import { OLD, resource, RULESET, stateText } from '../../support/applied-folder';
import { fakeTerraform } from '../../support/fake-terraform';
import { removalPlan } from '../../support/removal-plan';
import { temporaryFolder } from '../../support/temporary-folder';
import { withCommands } from '../../support/with-commands';

const MANAGED = `${RULESET}.managed_rules`;
const declaration = `resource "${RULESET}" "managed_rules" {
  kind  = "zone"
  phase = "http_request_firewall_managed"
}
`;

/** A plan that removes first, made while the ruleset was declared; a Terraform that removes, and imports. */
function world(address = MANAGED) {
  const folder = temporaryFolder();
  const write = (file: string, text: string): void => {
    writeFileSync(join(folder, file), text);
  };
  const base = removalPlan('e'.repeat(64));
  let plan: Plan = {
    ...base,
    zones: [{ zoneId: 'z', ruleset: { id: 'r', address, importId: 'zone/z/r', state: 'main' } }],
    steps: [
      ...base.steps,
      withCommands({
        ...{ id: '3', kind: 'import', state: 'main', title: 'import', why: 'so' },
        expects: { present: [address] },
      }),
    ],
  };
  write('ruleset.tf', declaration);
  write('state.json', stateText(1, [resource(OLD)]));
  write('removed.json', stateText(2, []));
  write(
    'imported.json',
    stateText(3, [{ ...resource(RULESET, { id: 'r' }), name: 'managed_rules' }]),
  );
  const body = `case "$1 $2" in
    'state pull') cat state.json ;;
    'state rm') cp removed.json state.json ;;
    import*) cp imported.json state.json ;;
  esac`;
  const fake = fakeTerraform(temporaryFolder(), body);
  const terraform = { binary: fake.path, environment: { PATH: process.env['PATH'] } };
  return {
    write,
    addStateBefore: () => {
      mkdirSync(join(folder, 'other'));
      write('other/state.json', stateText(1, []));
      const [zone] = plan.zones;
      const ruleset = { ...zone!.ruleset, id: 'o', importId: 'zone/o/o', state: 'other' };
      const step = { ...plan.steps.at(-1)!, id: '0', state: 'other' };
      plan = {
        ...plan,
        zones: [{ zoneId: 'o', ruleset }, ...plan.zones],
        states: [{ ...plan.states[0]!, name: 'other', dir: 'other' }, ...plan.states],
        steps: [step, ...plan.steps],
      };
    },
    undeclare: () => {
      rmSync(join(folder, 'ruleset.tf'));
      write('main.tf', '');
    },
    changed: () => fake.calls().some(([word = '', verb]) => word === 'import' || verb === 'rm'),
    apply: (fault: (point: string) => void = () => undefined) =>
      applyPlan({ plan, folder, terraform, report: () => undefined, fault }),
  };
}

const refusal = {
  code: 'CONFIG_CHANGED',
  message: expect.stringMatching(/^cloudflare_ruleset\.managed_rules is no longer declared/),
};

it('a ruleset that no step declares, and the files no longer, is told before anything is removed', async () => {
  const { apply, changed, undeclare } = world();
  undeclare();
  await expect(apply()).rejects.toMatchObject({
    ...refusal,
    hint: expect.stringMatching(/^plan again/),
  });
  expect(changed()).toBe(false);
});

it('it is told also where a state before has a ruleset at the same address', async () => {
  const { addStateBefore, apply, changed, undeclare } = world();
  addStateBefore();
  undeclare();
  await expect(apply()).rejects.toMatchObject(refusal);
  expect(changed()).toBe(false);
});

it('told behind the removal, it is to be declared again, and then the run goes on', async () => {
  const { apply, undeclare } = world();
  const stopped = apply((point) => {
    if (point === 'import-before') throw new Error('stopped');
  });
  await expect(stopped).rejects.toThrow('stopped');
  undeclare();
  await expect(apply()).rejects.toMatchObject({
    ...refusal,
    hint: expect.stringMatching(/^put the file back .* go back: cf-waf-migrate rollback /),
  });
});

// what provider 5 cannot read leaves the state at its address, and is imported there again
it.each([
  ['with a key', `${MANAGED}["a"]`, 'other.tf', declaration.replace('{', '{\n  for_each = {}')],
  [
    'of a module from afar',
    `module.a["b"].${MANAGED}`,
    'other.tf',
    'module "a" { source = "a/b/c" }',
  ],
])('one %s is imported at the address that the state had', async (_, address, file, text) => {
  const { apply, write, undeclare } = world(address);
  undeclare();
  write(file, text);
  const stopped = apply((point) => {
    if (point === 'import-before') throw new Error('stopped');
  });
  await expect(stopped).rejects.toThrow('stopped');
});

it('declared as it was, it is imported', async () => {
  const { apply, changed } = world();
  const { steps } = await apply();
  expect([steps.at(-1)?.status, changed()]).toEqual(['done', true]);
});
