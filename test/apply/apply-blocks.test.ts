import { type AcceptedChange, parseAcceptance } from '../../src/apply/accept-changes';
import { type ApplyContext } from '../../src/apply/apply-context';
import { type JournalEntry } from '../../src/apply/journal/journal';
import { stepKinds } from '../../src/apply/steps/step-kinds';
import { type Step } from '../../src/plan/plan';
import { fakeTerraform } from '../support/fake-terraform';
import { temporaryFolder } from '../support/temporary-folder';

const OLD = 'cloudflare_waf_rule.a';
const RULESET = 'cloudflare_ruleset.managed_rules';

interface Change {
  readonly address: string;
  readonly change: { readonly actions: readonly string[]; readonly importing?: object };
}
const forget = (address: string): Change => ({ address, change: { actions: ['forget'] } });
const take = (address: string): Change => ({
  address,
  change: { actions: ['no-op'], importing: { id: 'x' } },
});

/** Runs a step that forgets one resource and imports one, where Terraform plans these changes. */
function world(
  changes: readonly Change[],
  flags: readonly string[] = [],
  drifted: readonly Change[] = [],
  { outputs = {}, accept = [] }: { outputs?: object; accept?: readonly string[] } = {},
) {
  const shown = JSON.stringify({
    ...{
      format_version: '1.2',
      terraform_version: '1.11.4',
      planned_values: {},
      configuration: {},
    },
    resource_changes: changes,
    resource_drift: drifted,
    output_changes: outputs,
  });
  const body = `case $1 in plan) exit 2 ;; show) echo '${shown}' ;; esac`;
  const fake = fakeTerraform(temporaryFolder(), body);
  const noted: JournalEntry[] = [];
  const accepted: AcceptedChange[] = [];
  const context = {
    plan: { states: [{ name: 'main', dir: '.' }], steps: [] },
    live: new Map([['main', { addresses: new Set([OLD]) }]]),
    folder: temporaryFolder(),
    terraform: { binary: fake.path, environment: { PATH: process.env['PATH'] } },
    journal: { append: (line: JournalEntry) => noted.push(line) },
    fault: () => undefined,
    accept: accept.map(parseAcceptance),
    accepted,
  } as unknown as ApplyContext;
  const step = {
    ...{ id: '1', kind: 'apply-blocks', state: 'main' },
    runs: [{ argv: ['terraform', 'plan', '-input=false', ...flags, '-out=x'] }],
    expects: { gone: [OLD], present: [RULESET], plan: 'import-and-forget' },
  } as unknown as Step;
  return {
    noted,
    accepted,
    run: () => stepKinds['apply-blocks'].run!(step, context),
    applied: () => fake.calls().filter(([word]) => word === 'apply'),
  };
}

describe('what is applied of blocks', () => {
  it('is a saved plan that imports and forgets what the step expects', async () => {
    const { run, applied } = world([forget(OLD), take(RULESET)]);
    await run();
    expect(applied()).toHaveLength(1);
  });

  it('is noted with the entries that Terraform writes as the service has them by now', async () => {
    const web = { address: 'aws_instance.web', change: { actions: ['update'] } };
    const { run, noted } = world([forget(OLD)], [], [web]);
    await run();
    expect(noted).toEqual([{ event: 'drifted', state: 'main', addresses: [web.address] }]);
  });

  it('may change an output that was named, and no resource that was', async () => {
    const outputs = { o: { actions: ['delete'], before: 'x', after: null } };
    const named = { outputs, accept: ['output.o'] };
    const { run, applied, accepted } = world([forget(OLD)], [], [], named);
    await run();
    expect(applied()).toHaveLength(1);
    expect(accepted).toMatchObject([{ address: 'output.o', by: ['output.o'] }]);

    const silent = world([forget(OLD)], [], [], { outputs });
    await expect(silent.run()).rejects.toMatchObject({
      code: 'PLAN_NOT_EMPTY',
      message: 'Terraform would change something: output.o (delete)',
      hint: expect.stringContaining('pass --accept output.o'),
    });
    const web = { address: 'aws_instance.web', change: { actions: ['update'] } };
    const resource = world([web], [], [], { accept: ['aws_instance.web'] });
    await expect(resource.run()).rejects.toMatchObject({ code: 'PLAN_NOT_EMPTY' });
    expect([silent.applied(), resource.applied()]).toEqual([[], []]);
  });

  it.each([
    ['forgets', 'aws_instance.web (forget)', forget('aws_instance.web')],
    ['imports', 'aws_instance.web (import)', take('aws_instance.web')],
    ['forgets what is to be imported', `${RULESET} (forget)`, forget(RULESET)],
  ])(
    'is nothing where Terraform %s also what somebody else has asked for',
    async (_, said, one) => {
      const { run, applied } = world([forget(OLD), one]);
      await expect(run()).rejects.toMatchObject({
        code: 'PLAN_NOT_EMPTY',
        message: expect.stringContaining(said),
        hint: expect.stringContaining('a block of somebody else is pending'),
      });
      expect(applied()).toEqual([]);
    },
  );

  it.each([
    ['a minute', [], '-lock-timeout=60s'],
    ['as long as the user says', ['-lock-timeout=5s', '-var=a=b'], '-lock-timeout=5s'],
  ])('waits for a lock of somebody else: %s', async (_, flags, waiting) => {
    const { run, applied } = world([forget(OLD)], flags);
    await run();
    expect(applied()).toEqual([['apply', '-input=false', waiting, expect.stringMatching(/plan$/)]]);
  });
});
