import { unknownWord } from '../../src/plan/known-commands';
import { type Plan, type PlanState, type Step, type StepKind } from '../../src/plan/plan';

const RULESET = 'cloudflare_ruleset.waf';
const ID = 'zone/1/2';
const OLD = 'cloudflare_waf_rule.r';
const state: PlanState = {
  ...{ name: 'main', dir: 'live', workspace: 'default', lineage: 'l', serial: 1 },
  ...{ terraformVersion: '1.11.4', provider: { from: '3.35.0', to: '3.35.0' } },
  ...{ method: 'commands', because: 'it was asked for' },
};
const planOf = (...addresses: readonly string[]): Plan => ({
  ...{ format: 'cf-waf-migrate/plan', formatVersion: 1, digest: '' },
  zones: addresses.map((address) => ({
    zoneId: '1',
    ruleset: { id: '2', address, importId: ID, state: 'main' },
  })),
  ...{ states: [state], steps: [], findings: [] },
});
const live = (...words: readonly string[]): string[] => ['terraform', '-chdir=live', ...words];
const saved = (...flags: readonly string[]): string[][] => [
  live('plan', ...flags, '-input=false', '-out=cf-waf-migrate.tfplan'),
  live('show', '-json', 'cf-waf-migrate.tfplan'),
  live('apply', '-input=false', 'cf-waf-migrate.tfplan'),
];
/** The commands of each kind of step, without what they are about. */
const fixed: readonly (readonly [StepKind, readonly (readonly string[])[]])[] = [
  ['backup', [live('state', 'pull')]],
  ['import', [live('import', '-input=false')]],
  ['remove-dry-run', [live('state', 'rm', '-dry-run')]],
  ['remove', [live('state', 'rm')]],
  ['apply-blocks', saved()],
  ['apply-refresh', saved('-refresh-only')],
  ['upgrade-provider', [live('init', '-upgrade', '-input=false')]],
  ['check', [live('plan', '-input=false', '-detailed-exitcode')]],
];
const judge = (
  kind: StepKind,
  argvs: readonly (readonly string[])[],
  more: Partial<Step> = {},
  plan = planOf(RULESET),
): string | undefined => {
  const runs = argvs.map((argv) => ({ argv }));
  const step: Step = { id: '1', kind, state: 'main', title: '', why: '', runs, ...more };
  return unknownWord(step, state, plan);
};

describe.each(fixed)('the commands of %s', (kind, argvs) => {
  it('are known as they are', () => {
    expect(judge(kind, argvs)).toBeUndefined();
  });

  const places = argvs.flatMap((argv, run) => argv.map((word, at) => ({ run, at, word })));
  it.each(places)('are not known without $word (command $run)', ({ run, at }) => {
    const changed = argvs.map((argv, index) => (index === run ? argv.toSpliced(at, 1) : argv));
    expect(judge(kind, changed)).toEqual(expect.any(String));
  });

  it.each(argvs.map((_, run) => run))('are not known with one word more (command %i)', (run) => {
    for (const word of ['-x', 'x', '-target=cloudflare_ruleset.waf', OLD]) {
      const changed = argvs.map((argv, index) => (index === run ? [...argv, word] : argv));
      expect(judge(kind, changed)).toBe(word);
    }
  });
});

it.each<StepKind>(['edit', 'backup', 'check'])(
  'a step %s has no more commands than its own',
  (kind) => {
    const own = fixed.find(([one]) => one === kind)?.[1] ?? [];
    expect(judge(kind, own)).toBeUndefined();
    expect(judge(kind, [...own, live('state', 'pull')])).toBe(`${own.length + 1} commands`);
  },
);

it('no commands are those of an edit, and none of a removal', () => {
  expect(judge('edit', [], { runs: [] })).toBeUndefined();
  expect(judge('remove', [])).toBe('no command');
  expect(judge('remove-dry-run', [])).toBe('no command');
  expect(judge('import', [])).toBe('0 commands');
});

it('what a command lacks is named', () => {
  expect(judge('remove', [['terraform']])).toBe('no -chdir=live');
  expect(judge('upgrade-provider', [live('init', '-input=false')])).toBe('no -upgrade');
});

describe('a person is told of no command', () => {
  it.each([
    [['cf-waf-migrate', 'generate', '--out', '.'], undefined],
    [['cf-waf-migrate', 'rollback'], 'rollback'],
    [['cf-waf-migrate'], ''],
    [['terraform', 'generate'], 'terraform'],
    [[], ''],
  ])('but generate: %j', (argv, fault) => {
    const fine = ['cf-waf-migrate', 'generate'];
    expect(judge('manual', [argv])).toBe(fault);
    expect(judge('manual', [fine, argv])).toBe(fault);
  });
});

describe('a command is about resources of Cloudflare that its step names', () => {
  it.each([
    OLD,
    'data.cloudflare_waf_rules.all',
    'module.a-b.module.c["x y"].cloudflare_waf_rule.r-1["k"]',
    'module.m["a \\"b\\" c"].cloudflare_waf_rule.r',
    'cloudflare_waf_rule.r[0]',
    'module.m[0].data.cloudflare_waf_rules.all',
  ])('%s', (address) => {
    const addresses = [address];
    for (const kind of ['remove', 'remove-dry-run', 'import'] as const) {
      const [own = []] = fixed.find(([one]) => one === kind)![1];
      expect(judge(kind, [[...own, address]], { addresses })).toBeUndefined();
      expect(judge(kind, [[...own, address]])).toBe(address);
      expect(judge(kind, [own, [...own, address]])).toBe(
        kind === 'import' ? '2 commands' : address,
      );
    }
  });

  it.each([
    'aws_instance.a',
    'data.aws_instance.cloudflare_x',
    'module.cloudflare_x.aws_instance.a',
    'module.m["cloudflare_a.b"].aws_instance.a',
    'aws_instance.a["cloudflare_waf_rule.r"]',
    'not_cloudflare_x.a',
  ])('and not %s', (address) => {
    expect(judge('remove', [live('state', 'rm', address)], { addresses: [address] })).toBe(address);
  });

  it('an import also about its id, which is no flag', () => {
    const own = live('import', '-input=false', RULESET);
    const addresses = [RULESET];
    expect(judge('import', [[...own, ID]], { addresses, importId: ID })).toBeUndefined();
    expect(judge('import', [[...own, ID]], { addresses, importId: 'zone/1/3' })).toBe(ID);
    expect(judge('import', [[...own, '-x']], { addresses, importId: '-x' })).toBe('-x');
  });

  it('a check of rulesets about those of the plan', () => {
    const own = live('plan', '-input=false', '-detailed-exitcode');
    const alone = { expects: { plan: 'target-empty' } } as const;
    const at = (address: string) => [[...own, `-target=${address}`]];
    expect(judge('check', at(RULESET), alone)).toBeUndefined();
    expect(judge('check', at(RULESET), { expects: { plan: 'empty' } })).toBe(`-target=${RULESET}`);
    expect(judge('check', at(OLD), alone)).toBe(`-target=${OLD}`);
    const foreign = planOf(RULESET, 'aws_instance.a');
    expect(judge('check', at(RULESET), alone, foreign)).toBeUndefined();
    expect(judge('check', at('aws_instance.a'), alone, foreign)).toBe('-target=aws_instance.a');
    expect(judge('apply-blocks', saved(`-target=${RULESET}`), alone)).toBe(`-target=${RULESET}`);
  });
});

it('a flag that can be passed may stand in a command that takes it', () => {
  expect(judge('check', [live('plan', '-lock=false', '-input=false', '-detailed-exitcode')])).toBe(
    undefined,
  );
  expect(judge('backup', [live('state', 'pull', '-lock=false')])).toBe('-lock=false');
});

it('a state in the folder of the plan has commands without one', () => {
  const here = { ...state, dir: '.' };
  const step: Step = { id: '1', kind: 'backup', state: 'main', title: '', why: '' };
  const of = (...argv: string[]) => unknownWord({ ...step, runs: [{ argv }] }, here, planOf());
  expect(of('terraform', 'state', 'pull')).toBeUndefined();
  expect(of('terraform', '-chdir=live', 'state', 'pull')).toBe('-chdir=live');
  expect(unknownWord(step, here, planOf())).toBe('0 commands');
});
