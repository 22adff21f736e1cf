import { parsePlan } from '../../src/plan/parse-plan';
import { type Plan, type Step, withDigest } from '../../src/plan/plan';
import { planMigration } from '../../src/plan/plan-migration';
import { parseTerraformFlags, passFlags } from '../../src/plan/terraform-flags';
import { planCases } from './support/plan-cases';
import { configuration, declaredZone, OLD_BLOCKS, stateFacts, zone } from './support/state-facts';

const every = ['-var=a=-b', '-var-file=../x', '-lock-timeout=9s', '-parallelism=2'];
const more = ['-backend-config=x', '-lockfile=readonly', '-no-color'];
const passed = parseTerraformFlags([
  ...every,
  ...more,
  '-ignore-remote-version',
  '-compact-warnings',
]);

const sealed = ({ digest, ...plan }: Plan): Plan => {
  expect(digest).not.toBe('');
  return withDigest(plan);
};
const read = (plan: Plan): Plan => parsePlan(JSON.parse(JSON.stringify(plan)));

describe('a plan as this tool makes it', () => {
  it.each(Object.keys(planCases))(
    'is read, with all flags that can be passed: %s',
    async (name) => {
      const { zones = [zone], states, method = 'auto' } = await planCases[name]!();
      const plan = name.endsWith('without-a-zone')
        ? planMigration([], states)
        : planMigration(zones, states, method);
      expect(read(plan)).toEqual(plan);
      const flagged = sealed({ ...plan, steps: passFlags(plan.steps, passed) });
      expect(read(flagged)).toEqual(flagged);
    },
  );
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
  try {
    read(sealed(plan));
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
    ['no command', 'check', (step) => delete step.runs],
    ['two commands', 'check', (step) => step.runs.push(step.runs[0])],
    ['an empty list of commands', 'remove', (step) => (step.runs = [])],
    ['no proof', 'check', (_, { steps }) => delete steps.at(-1).expects],
    [
      'a backup outside of its folder',
      'backup',
      (step) => (step.runs[0].saveTo = 'cf-waf-migrate-backup/../x.tfstate'),
    ],
    ['a backup without a file', 'backup', (step) => delete step.runs[0].saveTo],
    [
      'a backup that another step takes',
      'import',
      (step) => (step.runs[0].saveTo = 'cf-waf-migrate-backup/main-7.tfstate'),
    ],
    ['an edit of ../bashrc', 'edit', (step) => (step.edits[0].file = '../bashrc')],
    ['an edit of live/.bashrc.tf', 'edit', (step) => (step.edits[0].file = 'live/.bashrc.tf')],
    ['an edit of ../x.tf', 'edit', ({ edits: [edit] }) => Object.assign(edit, created('../x.tf'))],
    ['an edit of x.tf', 'edit', ({ edits: [edit] }) => Object.assign(edit, created('x.tf'))],
    ['an edit of /x.tf', 'edit', ({ edits: [edit] }) => Object.assign(edit, created('/x.tf'))],
    [
      'an edit of live/a\\..\\..\\x.tf',
      'edit',
      ({ edits: [edit] }) => Object.assign(edit, created('live/a\\..\\..\\x.tf')),
    ],
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

  it('may edit a file whose folder has a backslash in its name', async () => {
    const other = { file: 'mod\\ules/main.tf', sha256: 'of what is there' };
    expect(await edited('edit', ({ edits: [edit] }) => Object.assign(edit, other))).toBe('read');
  });
});

const created = (file: string) => ({ file, sha256: null });
const editsOf = (steps: Step[]) => steps.find(({ edits }) => edits)!.edits;
const byHand = (step: any, binary: string) =>
  Object.assign(step, { kind: 'manual', runs: [{ argv: [binary, 'rollback'] }] });
