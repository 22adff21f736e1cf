import { rmSync, utimesSync } from 'node:fs';
import { requireAccepted } from '../../src/apply/accept-changes';
import { type ApplyRequest } from '../../src/apply/apply-context';
import { hintLines } from '../../src/core/finding';
import { MigrationError } from '../../src/core/migration-error';
import { openJournal } from '../../src/apply/journal/journal';
import { type Plan, type Step } from '../../src/plan/plan-schema';
import { resource, RULESET, stateText } from '../support/applied-folder';
import { endOf, planFolder, statusesOf } from '../support/plan-folder';
import { address, removalPlan } from '../support/removal-plan';
import { temporaryFolder } from '../support/temporary-folder';

const removal = removalPlan('e'.repeat(64));
const ruleset = `${RULESET}.a`;

/** A plan of one step. */
const planOf = (step: object, state: object = {}): Plan => ({
  ...removal,
  states: removal.states.map((one) => ({ ...one, ...state })),
  steps: [{ ...{ id: '1', state: 'main', title: '', why: '' }, ...step } as Step],
});

interface Change {
  readonly address: string;
  readonly change: { readonly actions: readonly string[]; readonly importing?: object };
}
const forget = (one: string): Change => ({ address: one, change: { actions: ['forget'] } });
const take = (one: string): Change => ({
  address: one,
  change: { actions: ['no-op'], importing: { id: 'zone/z/i' } },
});
const update = (one: string): Change => ({ address: one, change: { actions: ['update'] } });

/** Runs a step that forgets one resource and imports one, where Terraform plans these changes. */
function blocks(changes: readonly Change[], flags: readonly string[] = [], more: object = {}) {
  const shown = JSON.stringify({
    ...{ format_version: '1.2', terraform_version: '1.11.4' },
    ...{ planned_values: {}, configuration: {}, resource_changes: changes },
    ...more,
  });
  const plan = planOf({
    kind: 'apply-blocks',
    runs: [{ argv: ['terraform', 'plan', '-input=false', ...flags, '-out=x'] }],
    expects: { gone: [address], present: [ruleset], plan: 'import-and-forget' },
  });
  const own = { id: 'i', address: ruleset, importId: 'zone/z/i', state: 'main' };
  const { commands, ...folder } = planFolder(
    { ...plan, zones: [{ zoneId: 'z', ruleset: own }] },
    {
      'state.json': stateText(1, [resource('cloudflare_waf_rule')]),
      'after.json': stateText(2, [resource(RULESET, { id: own.id })]),
    },
    `plan*) exit 2 ;; show*) echo '${shown}' ;; apply*) cp after.json state.json ;;`,
  );
  return { ...folder, applied: () => commands().filter(([word]) => word === 'apply') };
}

it.each([
  ['a folder', {}, `--force --address ${ruleset} --out .`],
  [
    'a file of the user',
    { 'main.tf': `resource "${RULESET}" "${ruleset.split('.')[1]!}" {\n  name = "x"\n}\n` },
    `--format hcl --address ${ruleset} --out example`,
  ],
  [
    'a CDKTF stack',
    { 'cdk.tf.json': '{}' },
    `--force --format construct --address ${ruleset} --out ../../../constructs`,
  ],
])(
  'names the command that declares the live rules where a ruleset of %s differs',
  async (_, files, flags) => {
    const folder = temporaryFolder(files);
    const owned = { id: 'r', address: ruleset, importId: 'zone/z/r', state: 'main' };
    const states = removal.states.map((one) => ({
      ...one,
      provider: { from: '3.35.0', to: '3.35.0' },
    }));
    const plan = { ...removal, states, zones: [{ zoneId: 'z', ruleset: owned }] };
    const hintOf = async (changed: string): Promise<unknown> => {
      const actions = [changed.endsWith(']') ? ('create' as const) : ('update' as const)];
      const differences = [{ address: changed, actions, attributes: [] }];
      try {
        await requireAccepted(differences, { accept: [], accepted: [], plan, folder });
      } catch (error) {
        return error instanceof MigrationError && error.hint;
      }
      return undefined;
    };
    expect(await hintOf(ruleset)).toContain(
      `cf-waf-migrate generate --zone z --source live --provider 3 ${flags}`,
    );
    expect(await hintOf('a.b')).not.toMatch('generate');
    // it is of another zone
    expect(await hintOf(`${ruleset}["b"]`)).not.toMatch('terraform import');
  },
);

it('shows a command for each ruleset that differs, each on its own line', async () => {
  const zones = ['y', 'z'].map((zoneId) => ({
    zoneId,
    ruleset: { id: zoneId, address: `${RULESET}.${zoneId}`, importId: '', state: 'main' },
  }));
  const differences = zones.map(({ ruleset: { address: changed } }) => ({
    ...{ address: changed, actions: ['update' as const], attributes: [] },
  }));
  const request = { accept: [], accepted: [], plan: { ...removal, zones } };
  const refused = requireAccepted(differences, { ...request, folder: temporaryFolder() });
  const error: unknown = await refused.catch((thrown: unknown) => thrown);
  const lines = hintLines(error instanceof MigrationError ? error.hint : '');
  expect(lines.filter((line) => line.startsWith('cf-waf-migrate generate'))).toEqual([
    expect.stringMatching(/--zone y .* --address \S+\.y /),
    expect.stringMatching(/--zone z .* --address \S+\.z /),
  ]);
});

it('a check names the apply of what another block imports', async () => {
  const shown = JSON.stringify({
    ...{ format_version: '1.2', terraform_version: '1.11.4' },
    ...{ planned_values: {}, configuration: {}, resource_changes: [take('a.b["x"]')] },
  });
  const plan = planOf({ kind: 'check', runs: [{ argv: ['terraform', 'plan'] }] });
  const state = stateText(1, [resource(RULESET)]);
  const body = `plan*) exit 2 ;; show*) echo '${shown}' ;;`;
  await expect(planFolder(plan, { 'state.json': state }, body).apply()).rejects.toMatchObject({
    code: 'PLAN_NOT_EMPTY',
    hint: expect.stringContaining(`\`terraform apply '-target=a.b["x"]'\``),
  });
});

describe('the apply of blocks', () => {
  it('notes what it refreshes in the state', async () => {
    const drift = { resource_drift: [update('aws_instance.web')] };
    const { apply, journal } = blocks([forget(address)], [], drift);
    await apply();
    expect(openJournal(journal).entries).toContainEqual({
      ...{ event: 'drifted', state: 'main', addresses: ['aws_instance.web'] },
    });
  });

  it.each([
    ['imported', { importing: { id: 'zone/z/other' } }, {}, 'from another id than zone/z/i'],
    ['there', { before: { id: 'other' } }, {}, 'is ruleset other'],
    ['moved', { before: { id: 'other' } }, { previous_address: 'a.b' }, 'is ruleset other'],
  ])(
    'refuses another ruleset at the planned address, if it is %s',
    async (_, change, more, problem) => {
      const found = {
        address: ruleset,
        change: { actions: ['no-op' as const], ...change },
        ...more,
      };
      const { apply, applied } = blocks([forget(address), found]);
      await expect(apply()).rejects.toMatchObject({
        ...{ code: 'RULESET_NOT_LIVE', message: expect.stringContaining(problem) },
      });
      expect(applied()).toEqual([]);
    },
  );

  const outputs = { output_changes: { o: { actions: ['update'], before: 'x', after: 'y' } } };

  it('may change an output that is accepted', async () => {
    const { apply, applied } = blocks([forget(address)], [], outputs);
    const { accepted } = await apply({ accept: ['output.o'] });
    expect(accepted).toMatchObject([{ address: 'output.o', by: ['output.o'] }]);
    expect(applied()).toHaveLength(1);
  });

  it('may remove an output', async () => {
    const removed = { output_changes: { o: { actions: ['delete'], before: 'x', after: null } } };
    const { apply, applied } = blocks([forget(address)], [], removed);
    expect((await apply()).accepted).toMatchObject([{ address: 'output.o', by: [] }]);
    expect(applied()).toHaveLength(1);
  });

  it.each<[string, Change, string, string, object?]>([
    ['changes an output', forget(address), 'output.o (update)', 'pass --accept output.o', outputs],
    ['updates a resource', update('a.b'), 'a.b (update)', 'fix the differences'],
    ['forgets another resource', forget('a.b'), 'a.b (forget)', 'another block is pending'],
    ['imports another resource', take('a.b'), 'a.b (import)', 'another block is pending'],
    [
      'imports a ruleset',
      take(`${ruleset}2`),
      `${ruleset}2 (import)`,
      'roll back, import it there',
    ],
    ['forgets the import', forget(ruleset), `${ruleset} (forget)`, 'another block is pending'],
  ])('does not run where Terraform %s', async (_, change, named, hint, more = {}) => {
    const { apply, applied } = blocks([forget(address), change], [], more);
    await expect(apply({ accept: ['a.b'] })).rejects.toMatchObject({
      code: 'PLAN_NOT_EMPTY',
      message: expect.stringContaining(named),
      hint: expect.stringContaining(hint),
    });
    expect(applied()).toEqual([]);
  });

  it('offers no --accept of an update, which only a check accepts', async () => {
    const { apply } = blocks([forget(address), update('a.b')], []);
    await expect(apply({})).rejects.toMatchObject({
      hint: expect.not.stringContaining('--accept'),
    });
  });

  it.each([
    ['a minute', [], '-lock-timeout=60s'],
    ['as long as the user says', ['-lock-timeout=5s', '-var=a=b'], '-lock-timeout=5s'],
  ])('waits for the lock of another process: %s', async (_, flags, waiting) => {
    const { apply, applied } = blocks([forget(address)], flags);
    await apply();
    expect(applied()).toEqual([['apply', '-input=false', waiting, expect.stringMatching(/plan$/)]]);
  });
});

/** The status of a manual step in a folder `infra` with these files. */
async function manual(
  step: object,
  files: Readonly<Record<string, string>>,
  dataDir = '',
  terraformPlans = 'exit 1',
): Promise<string[]> {
  const state = { dir: 'infra', ...(dataDir !== '' && { dataDir }) };
  const plan = planOf({ kind: 'manual', ...step }, state);
  const { apply, request } = planFolder(
    plan,
    { 'infra/state.json': stateText(1, []), ...files },
    `plan*) ${terraformPlans} ;;`,
  );
  const environment = { ...request.terraform.environment, TF_DATA_DIR: dataDir };
  const terraform: ApplyRequest['terraform'] = { ...request.terraform, environment };
  return statusesOf(apply({ terraform }));
}

describe('a step that removes a block from a module of git', () => {
  const step = { addresses: ['module.old.cloudflare_waf_rule.r'] };
  const call = 'module "old" {\n  source = "git::https://example.com/waf.git?ref=v1"\n}\n';
  /** What `terraform init` leaves. */
  const installed = (text: string | undefined, data = '.terraform') => ({
    'infra/main.tf': call,
    [`infra/${data}/modules/modules.json`]: JSON.stringify({
      Modules: [
        { Key: '', Source: '', Dir: '.' },
        { Key: 'old', Source: 'git::…', Dir: `${data}/modules/old` },
      ],
    }),
    ...(text !== undefined && { [`infra/${data}/modules/old/main.tf`]: text }),
  });

  it.each<[string, string, Readonly<Record<string, string>>, string?]>([
    ['waits while the blocks of the module are unknown', 'waiting', { 'infra/main.tf': call }],
    [
      'waits while the installed module declares it',
      'waiting',
      installed('resource "cloudflare_waf_rule" "r" {}\n'),
    ],
    ['waits if the installed module is missing', 'waiting', installed(undefined)],
    ['is done when the installed module does not declare it', 'found', installed('locals {}\n')],
    ['reads the module in TF_DATA_DIR', 'found', installed('locals {}\n', 'data'), 'data'],
    ['is done when the call is gone', 'found', { 'infra/main.tf': 'locals {}\n' }],
  ])('%s', async (_, status, files, data = '') => {
    expect(await manual(step, files, data)).toEqual([status]);
  });

  it('is done when Terraform plans nothing for it', async () => {
    const files = installed('resource "cloudflare_waf_rule" "r" {\n  count = var.n\n}\n');
    expect(await manual(step, files, '', 'echo "No changes."')).toEqual(['found']);
  });
});

describe('a step that changes a CDKTF stack at once', () => {
  const [owasp, waf] = ['cloudflare_waf_package.owasp', 'cloudflare_ruleset.waf["a b"]'];
  const construct = { owasp: { '//': { metadata: { path: 'edge/owasp' } } } };
  const old = { cloudflare_waf_package: construct };
  const declared = { cloudflare_ruleset: { waf: {} } };
  const overrides = { import: [{ to: waf, id: 'x' }], removed: [{ from: owasp }] };
  const addresses = ['edge/owasp', `import ${waf}`, `removed ${owasp}`];

  it.each([
    ['waits while a legacy construct is left', { resource: { ...old, ...declared }, ...overrides }],
    ['waits until the ruleset is declared', overrides],
    ['waits until the overrides are there', { resource: declared }],
    ['is done when Terraform accepts the overrides', { resource: declared, ...overrides }],
  ])('%s', async (name, stack) => {
    const files = { 'infra/cdk.tf.json': JSON.stringify(stack) };
    const status = name.startsWith('is done') ? 'found' : 'waiting';
    expect(await manual({ addresses, code: 'stack', runs: [] }, files)).toEqual([status]);
  });
});

it('a change of a CDKTF stack names the ruleset if only its import is there', async () => {
  const step = { kind: 'manual', addresses: ['edge/b', `import ${ruleset}`], code: '' };
  const overrides = { import: [{ to: ruleset, id: 'x' }] };
  const { apply } = planFolder(planOf(step), {
    'state.json': stateText(1, []),
    'cdk.tf.json': JSON.stringify(overrides),
  });
  expect((await apply()).steps).toEqual([{ id: '1', status: 'waiting', left: [ruleset] }]);
});

describe('a manual step of a CDKTF stack whose ruleset is not declared at its address', () => {
  const [zoneId, id] = ['f'.repeat(32), 'a'.repeat(32)];
  const planned = { id, address: ruleset, importId: `zone/${zoneId}/${id}`, state: 'main' };
  const entryPoint = { zone_id: zoneId, phase: 'http_request_firewall_managed' };
  const declaring = (name: string, body: object = entryPoint) =>
    JSON.stringify({ resource: { [RULESET]: { [name]: body } } });

  /** What a run reports that waits for a legacy construct in `stacks/prod`. */
  async function findings(
    held: readonly object[],
    files: Readonly<Record<string, string>>,
    prepare: (at: (file: string) => string) => void = () => undefined,
  ) {
    const step = { kind: 'manual', addresses: [ruleset], runs: [] };
    const plan = {
      ...planOf(step, { dir: 'stacks/prod' }),
      zones: [{ zoneId, ruleset: planned }],
    };
    const { apply, at } = planFolder(
      { ...plan, steps: [{ ...plan.steps[0]!, expects: { present: [ruleset] } }] },
      {
        ...{ 'cdktf.json': '{"output":"."}', 'stacks/prod/cdk.tf.json': '{}' },
        ...{ 'stacks/prod/state.json': stateText(1, held), ...files },
      },
    );
    prepare(at);
    return (await apply()).findings;
  }

  it.each([
    ['another stack', 'stacks/staging', 'a'],
    ['the same stack at another address', 'stacks/prod', 'b'],
  ])('names the place where it is instead: %s', async (_, dir, name) => {
    const files = { [`${dir}/cdk.tf.json`]: declaring(name) };
    expect(await findings([], files)).toEqual([
      expect.objectContaining({
        code: 'RULESET_MISPLACED',
        subject: ruleset,
        message: `the plan expects the ruleset of zone ${zoneId} at this address in stacks/prod; ${RULESET}.${name} in ${dir} declares it instead`,
      }),
    ]);
  });

  it.each([
    ['no stack has it', {}],
    ['another stack has that of another zone', { zone_id: 'e'.repeat(32) }],
  ])('names no place where %s', async (_, zone) => {
    const files = { 'stacks/staging/cdk.tf.json': declaring('a', { ...entryPoint, ...zone }) };
    expect(await findings([], 'zone_id' in zone ? files : {})).toBeUndefined();
  });

  it.each([
    ['program', '{}', ' program, synthesise, '],
    ['compiled program', '{"app":"node dist/main.js"}', ' program, compile it, synthesise, '],
  ])('says that the %s changed after the synthesis of the stack', async (_, project, remedy) => {
    const files = {
      ...{ 'cdktf.json': project, 'package.json': '{"scripts":{"synth":"x"}}', 'lib/main.ts': '' },
      ...{ 'node_modules/x/index.ts': '', 'inner/cdktf.json': '{}', 'inner/main.ts': '' },
      'tsconfig.json': '{}',
    };
    const stale = await findings([], { ...files, 'stacks/prod/cdk.tf.json': '{}' }, (at) => {
      for (const file of Object.keys(files)) utimesSync(at(file), 1, 1);
      for (const file of ['node_modules/x/index.ts', 'inner/main.ts'])
        utimesSync(at(file), 9e9, 9e9);
      utimesSync(at('lib/main.ts'), 8e9, 8e9);
    });
    expect(stale).toEqual([
      expect.objectContaining({
        ...{ code: 'STACK_OUT_OF_DATE', subject: 'stacks/prod' },
        message: expect.stringMatching(/^lib\/main\.ts changed after this stack was synthesised/),
        remedy: expect.stringMatching(new RegExp(`${remedy}.*:\\nnpm run synth$`)),
      }),
    ]);
    const fresh = await findings([], files, (at) => {
      for (const file of Object.keys(files)) utimesSync(at(file), 1, 1);
    });
    expect(fresh).toBeUndefined();
  });

  it('warns that an apply would destroy it, once it is in the state', async () => {
    expect(await findings([resource(RULESET)], {})).toMatchObject([
      { code: 'ENTRY_POINT_NOT_DECLARED', subject: ruleset },
    ]);
  });
});

describe('the step that installs another provider', () => {
  it.each([
    ['waits if none is installed after it', undefined, '4.52.8', 'waiting'],
    ['waits if the earlier version is installed after it', '3.35.0', '4.52.8', 'waiting'],
    ['is done by any version of the major version', '5.28.0', '5.22.0', 'found'],
  ])('%s', async (_, locked, provider, status) => {
    const lock = `provider "registry.terraform.io/cloudflare/cloudflare" {\n  version = "${locked}"\n}\n`;
    const plan = planOf(
      { kind: 'upgrade-provider', provider },
      { provider: { from: '3.35.0', to: provider } },
    );
    const { apply, at } = planFolder(plan, {
      'state.json': stateText(1, []),
      '.terraform.lock.hcl': lock,
    });
    if (locked === undefined) rmSync(at('.terraform.lock.hcl'));
    expect(await statusesOf(apply())).toEqual([status]);
  });

  it.each([
    ['the next major version', '>= 4, < 5', 'TERRAFORM_FAILED'],
    ['other versions', '~> 3.35', 'done'],
  ])('runs only if the constraint allows it: %s', async (_, version, end) => {
    const required = `terraform {\n  required_providers {\n    cloudflare = {\n      source  = "cloudflare/cloudflare"\n      version = "${version}"\n    }\n  }\n}\n`;
    const runs = [{ argv: ['terraform', 'init', '-upgrade'] }];
    const plan = planOf({ kind: 'upgrade-provider', provider: '4.52.8', runs });
    const files = { 'main.tf': required, 'state.json': stateText(1, []) };
    const { apply } = planFolder(plan, files, 'init*) exit 1 ;;');
    expect(await endOf(apply())).toContain(end);
  });
});
