import { rmSync } from 'node:fs';
import { verifyPlan } from '../../src/apply/verify-plan';
import { type Plan } from '../../src/plan/plan-schema';
import { appliedFolder, OLD, resource, RULESET, stateText } from '../support/applied-folder';
import { errorOf } from '../support/cli-lab';
import { endOf, planFolder } from '../support/plan-folder';
import { address, removalPlan } from '../support/removal-plan';

const removal = removalPlan('b'.repeat(64));

describe('another ruleset at the address of the plan', () => {
  const planned = 'a'.repeat(32);
  const other = { attributes: { id: 'c'.repeat(32) } };
  const ruleset = { id: planned, address: `${RULESET}.a`, importId: '', state: 'main' };
  const plan: Plan = { ...removal, zones: [{ zoneId: 'z', ruleset }] };
  const stateOf = (...instances: object[]): string =>
    stateText(1, [{ ...resource(RULESET), instances }]);

  it.each([
    ['is found by verify', [other], ['is not the ruleset of the plan']],
    ['is not the planned one', [{ attributes: { id: planned } }], []],
    ['is not one without an id', [{ attributes: {} }], []],
    ['is not deposed', [{ attributes: { id: planned } }, { ...other, deposed: '00000000' }], []],
  ])('%s', async (_, instances, problems) => {
    const { folder, request } = planFolder(plan, { 'state.json': stateOf(...instances) });
    const { differences } = await verifyPlan(plan, folder, request.terraform);
    expect(differences.map(({ problem }) => problem)).toEqual(problems);
  });

  it('stops apply before it does anything', async () => {
    const { apply, calls } = planFolder(plan, { 'state.json': stateOf(other) });
    await expect(apply()).rejects.toMatchObject({
      code: 'STATE_CHANGED',
      message: expect.stringContaining(`another ruleset at ${RULESET}.a`),
    });
    expect(calls()).toEqual(['pull']);
  });
});

describe('the ruleset of the plan at a second address', () => {
  const id = 'a'.repeat(32);
  const second = `${RULESET}.b["shop"]`;
  const planOf = (findings: Plan['findings']): Plan => {
    const ruleset = { id, address: `${RULESET}.a`, importId: '', state: 'main' };
    return { ...removal, findings, zones: [{ zoneId: 'z', ruleset }] };
  };
  const state = stateText(1, [
    resource(RULESET, { id }),
    { ...resource(RULESET), name: 'b', instances: [{ index_key: 'shop', attributes: { id } }] },
  ]);

  it('is found by verify, and stops apply before it does anything', async () => {
    const plan = planOf([]);
    const { folder, request, apply, calls } = planFolder(plan, { 'state.json': state });
    const { verdict, differences } = await verifyPlan(plan, folder, request.terraform);
    expect([verdict, differences]).toMatchObject([
      'dirty',
      [{ address: second, problem: `is the ruleset that the plan has at ${RULESET}.a` }],
    ]);
    await expect(apply()).rejects.toMatchObject({
      code: 'STATE_CHANGED',
      message: expect.stringContaining(second),
      // the block of the other one may declare more
      hint: expect.stringMatching(/^both .*`terraform state rm <address>`.*plan again$/),
    });
    expect(calls().filter((word) => word !== 'pull' && word !== 'plan')).toEqual([]);
  });

  it('is as planned where the plan has said so', async () => {
    const finding = { code: 'ENTRY_POINT_DECLARED_TWICE', severity: 'decision', subject: 'z' };
    const plan = planOf([{ ...finding, message: '', remedy: '' } as Plan['findings'][number]]);
    const { folder, request } = planFolder(plan, { 'state.json': state });
    expect((await verifyPlan(plan, folder, request.terraform)).differences).toEqual([]);
  });
});

it('a state that is not there, as where a plan was moved elsewhere, stops apply', async () => {
  const { apply } = planFolder(removal, { 'state.json': '' });
  await expect(apply()).rejects.toMatchObject({
    code: 'STATE_CHANGED',
    message: expect.stringContaining('is missing or empty'),
  });
});

it.each([
  ['3.35.0', undefined],
  ['4.52.8', undefined],
  ['5.22.0', 'PLAN_INVALID'],
])('a lock file that selects provider %s, and a plan from 3 to 4: %s', async (version, code) => {
  const [state] = removal.states;
  const states = [{ ...state!, provider: { from: '3.35.0', to: '4.52.8' } }];
  const text = `provider "registry.terraform.io/cloudflare/cloudflare" {\n  version = "${version}"\n}\n`;
  const { apply, calls } = planFolder(
    { ...removal, states },
    {
      '.terraform.lock.hcl': text,
      'state.json': stateText(1, [resource(OLD)]),
      'removed.json': stateText(2, []),
    },
  );
  const ended = await apply().catch((error: unknown) => error);
  expect(ended).toEqual(code ? expect.objectContaining({ code }) : expect.anything());
  expect(calls().includes('rm')).toBe(code === undefined);
});

it.each([
  ['5.14.0', true],
  ['~> 5.14.0', true],
  ['5.14.0, >= 4.0', true],
  ['5.22.8', false],
  ['~> 5.14', false],
  ['~> 5.22.0', false],
  ['~> 3.35.0', false],
])('a constraint %s, with an upgrade to 5.22.8, stops apply: %s', async (version, stops) => {
  const [backup, remove] = removal.steps;
  const runs = [{ argv: ['terraform', 'init', '-upgrade'] }];
  const upgrade = { kind: 'upgrade-provider', state: 'main', provider: '5.22.8', runs } as const;
  const step = { ...upgrade, id: '3', title: '', why: '' };
  const terraform = { required_providers: { cloudflare: { version } } };
  const { apply, calls } = planFolder(
    { ...removal, steps: [backup!, remove!, step] },
    {
      'cdk.tf.json': JSON.stringify({ terraform }),
      'state.json': stateText(1, [resource(OLD)]),
      'removed.json': stateText(2, []),
    },
  );
  const ended = await apply().catch((error: unknown) => error);
  const refusal = {
    code: 'PLAN_INVALID',
    message: `. requires provider ${version}, and the plan upgrades it to 5.22.8`,
    hint: expect.stringContaining("cloudflare.version', '5.22.8'), then synthesise"),
  };
  expect(ended).toEqual(stops ? expect.objectContaining(refusal) : expect.anything());
  expect(calls().includes('rm')).toBe(!stops);
});

it.each([
  ['has another lineage', stateText(1, [], { lineage: 'x' }), 'its lineage differs'],
  ['changed after the plan', stateText(2, []), 'its serial is 2, the plan expects 1'],
])('a state that %s stops apply', async (_, state, message) => {
  const { apply } = planFolder(removal, { 'state.json': state });
  expect(await endOf(apply())).toMatch(new RegExp(`^STATE_CHANGED state main .*${message}$`));
});

it('a state of another lineage can be planned beside the interrupted run', async () => {
  const { cli, write } = appliedFolder();
  write('state.json', stateText(3, [], { lineage: 'x' }));
  const { hint } = errorOf(await cli('apply', '--yes', '--json'));
  expect(hint).toMatch(/plan the present state:\ncf-waf-migrate plan --out <file>$/);
});

it('a plan that another process has applied is done, without a backup of the state after it', async () => {
  const { cli, journal, write, at, plan } = appliedFolder();
  rmSync(at(journal));
  write('plan.json', JSON.stringify(plan));
  const { code, stdout } = await cli('apply', 'plan.json', '--yes');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Done: /)]);
  expect(stdout).not.toContain('Backup:');
});

it('an upgrade that another process has applied is done: provider 5 wrote its ruleset', async () => {
  const [ruleset, legacy] = [`${RULESET}.a`, `${OLD}.a`];
  const [backup, remove] = removal.steps;
  const addresses = [legacy, ruleset];
  const [instance] = resource(RULESET).instances;
  const written = { ...resource(RULESET), instances: [{ ...instance, schema_version: 500 }] };
  const { apply, calls } = planFolder(
    {
      ...removal,
      states: removal.states.map((one) => ({
        ...{ ...one, provider: { from: '3.35.0', to: '5.22.0' } },
      })),
      steps: [
        backup!,
        { ...remove!, addresses, expects: { gone: addresses } },
        { ...remove!, id: '3', kind: 'import', expects: { present: [ruleset] } },
      ],
    },
    { 'state.json': stateText(9, [written]) },
  );
  expect((await apply()).steps.map(({ status }) => status)).toEqual(['found', 'found', 'found']);
  expect(calls()).toEqual(['pull']);
});

it('a state whose serial differs does not show that its ruleset was removed and imported again', async () => {
  const ruleset = `${RULESET}.a`;
  const [backup, remove] = removal.steps;
  const removed = { ...remove!, addresses: [ruleset], expects: { gone: [ruleset] } };
  const imported = {
    ...removed,
    id: '3',
    kind: 'import',
    expects: { present: [ruleset] },
  } as const;
  const { apply, calls } = planFolder(
    { ...removal, steps: [backup!, removed, imported] },
    { 'state.json': stateText(2, [resource(RULESET)]) },
  );
  expect(await endOf(apply())).toMatch(/^STATE_CHANGED .* its serial is 2, the plan expects 1$/);
  expect(calls()).toEqual(['pull']);
});

it('a state that is older than the plan stops the next run', async () => {
  const { apply, applyUntil, write } = planFolder(removal, { 'state.json': stateText(1, []) });
  await applyUntil('backup-after');
  write('state.json', stateText(0, []));
  expect(await endOf(apply())).toBe('STATE_CHANGED state main is older than the plan: serial 0');
});

it('a folder of a plan that is gone, as that of a renamed stack, is named with what brings it back', async () => {
  const dir = 'cdktf.out/stacks/edge';
  const states = [{ name: 'edge', dir, workspace: 'default', lineage: 'l' }];
  const { apply } = planFolder({ ...removal, states } as unknown as Plan, {});
  await expect(apply()).rejects.toMatchObject({
    code: 'FILE_UNREADABLE',
    message: `the folder ${dir} of state edge does not exist`,
    hint: expect.stringContaining('a renamed CDKTF stack needs its earlier name'),
  });
});

describe('a ruleset that another process has imported at another address', () => {
  const ID = 'c'.repeat(32);
  const planned = `${RULESET}.managed_rules`;
  const theirs = stateText(2, [resource(RULESET, { id: ID })]);
  const kinds = ['import', 'apply-blocks'] as const;
  const refusal = (state: string) => ({
    code: 'STATE_CHANGED',
    message: `state ${state} has the ruleset at ${RULESET}.a, but the plan imports it to ${planned}`,
    hint: expect.stringMatching(
      /^another process imported the ruleset at that address: .*plan again, and delete the legacy blocks/,
    ),
  });

  /** A plan for two states, of which `main` is to own the ruleset. */
  function world(kind: (typeof kinds)[number], removes = false) {
    const [backup, remove] = removal.steps;
    const [main] = removal.states;
    const runs = [{ argv: ['terraform', kind === 'import' ? 'import' : 'plan', planned] }];
    const expects = { present: [planned] };
    const taking = { id: '3', kind, state: 'main', title: '', why: '', runs, expects };
    const plan = {
      ...removal,
      zones: [{ zoneId: 'z', ruleset: { id: ID, address: planned, importId: '', state: 'main' } }],
      states: ['main', 'other'].map((name) => ({ ...main, name, dir: name })),
      steps: removes ? [backup, remove, taking] : [backup, taking],
    } as unknown as Plan;
    const state = stateText(1, removes ? [resource(OLD)] : []);
    const folder = planFolder(
      plan,
      { 'main/state.json': state, 'other/state.json': state },
      `'state rm') ;;`,
    );
    const took = (): boolean =>
      folder.calls().some((word) => ['import', 'plan', 'apply'].includes(word));
    return { ...folder, took };
  }

  describe.each(kinds)('stops the next run, by %s', (kind) => {
    it.each(['main', 'other'])('in state %s', async (state) => {
      const { apply, applyUntil, write, took } = world(kind);
      await applyUntil('backup-after');
      write(`${state}/state.json`, theirs);
      const fault = jest.fn();
      await expect(apply({ fault })).rejects.toMatchObject(refusal(state));
      expect([fault.mock.calls, took()]).toEqual([[], false]);
    });
  });

  it('is not imported again where that was while Terraform waited to remove the legacy resources', async () => {
    const { apply, write, took } = world('import', true);
    const fault = (point: string): void => {
      if (point === 'remove-before') write('main/state.json', theirs);
    };
    await expect(apply({ fault })).rejects.toMatchObject(refusal('main'));
    expect([address, took()]).toEqual([`${OLD}.a`, false]);
  });
});
