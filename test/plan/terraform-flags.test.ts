import { parseTerraformFlags, passFlags } from '../../src/plan/steps/terraform-flags';
import { planMigration } from '../../src/plan/plan-migration';
import { legacyResource, stateFacts, zone } from './support/state-facts';

describe('what stands behind --', () => {
  it('may have its value in the next argument, and two dashes, and keeps its order', () => {
    const args = ['-var', 'a=b=c', '--var-file', 'x', '--no-color', '-var=a\nb'];
    expect(parseTerraformFlags(args).map(({ word }) => word)).toEqual([
      ...['-var=a=b=c', '-var-file=x', '-no-color', '-var=a\nb'],
    ]);
  });

  const refusal = (word: string): unknown => {
    try {
      return parseTerraformFlags([word]);
    } catch (error) {
      return error;
    }
  };

  it.each([
    ...[
      '-target=x',
      '-refresh=false',
      '-state=other.tfstate',
      '-destroy',
      'prod.tfvars',
      '-',
      '--',
    ],
    ...['', '-__proto__=x', '-constructor=x', '-chdir=..', '-lock=false', '-plugin-dir=x'],
    ...['---var=x', 'x-var=x', '-var x', '-VAR=x'],
  ])('trap 0.4: -refresh=false plans lie: what changes what is planned is refused: %j', (word) => {
    expect(refusal(word)).toMatchObject({ message: expect.stringContaining('cannot be passed') });
  });

  it('is refused without its value, which can be a secret, and with what can be passed', () => {
    expect(refusal('-x=secret\nsecret')).toMatchObject({
      code: 'USAGE',
      message: '"-x" cannot be passed to Terraform',
      hint: `pass one of these after --: ${[
        ...['-var', '-var-file', '-lock-timeout', '-parallelism', '-backend-config'],
        ...['-lockfile', '-ignore-remote-version', '-compact-warnings', '-no-color'],
      ].join(', ')}`,
    });
    expect(refusal('-var-file')).toMatchObject({
      ...{ code: 'USAGE', message: '-var-file needs a value' },
    });
    for (const flag of ['-var=token=…', '-var-file=…'])
      expect(refusal(flag)).toMatchObject({
        code: 'USAGE',
        message: expect.stringContaining(' has … in place of its value'),
      });
  });

  it.each([
    ['init', 'lock-timeout backend-config lockfile ignore-remote-version no-color'],
    [
      'import',
      'var var-file lock-timeout parallelism ignore-remote-version compact-warnings no-color',
    ],
    ['plan', 'var var-file lock-timeout parallelism compact-warnings no-color'],
    ['state rm', 'lock-timeout ignore-remote-version no-color'],
    ['state pull', ''],
    ['show', ''],
  ])('is taken by terraform %s where it is one of: %s', (subcommand, names) => {
    const valued = ['var', 'var-file', 'lock-timeout', 'parallelism', 'backend-config'];
    const flags = [...valued, 'lockfile'].flatMap((name) => [`-${name}`, 'x']);
    const passed = parseTerraformFlags([
      ...[...flags, '-ignore-remote-version', '-compact-warnings', '-no-color'],
    ]);
    const argv = ['terraform', '-chdir=a', ...subcommand.split(' '), 'behind'];
    const step = { id: '1', kind: 'manual' as const, state: 'a', title: '', why: '' };
    const [one, bare] = passFlags([{ ...step, runs: [{ argv, saveTo: 'x' }] }, step], passed);
    const found = one!.runs![0]!.argv.slice(argv.length - 1, -1);
    const known = found.map((word) => word.replace(/^-|=x$/g, ''));
    expect(known.sort()).toEqual(names.split(' ').filter(Boolean).sort());
    expect(one!.runs).toEqual([{ argv: expect.any(Array), saveTo: 'x' }]);
    expect(bare).toEqual(step);
  });

  it('goes to no other program, and to no command without a subcommand', () => {
    const step = { id: '1', kind: 'manual' as const, state: 'a', title: '', why: '' };
    const runs = [['cf-waf-migrate', 'plan', 'x'], ['terraform']].map((argv) => ({ argv }));
    const passed = parseTerraformFlags(['-no-color']);
    expect(passFlags([{ ...step, runs }], passed)).toEqual([{ ...step, runs }]);
  });
});

const addressOf = (length: number): string => 'cloudflare_waf_rule.x'.padEnd(length, 'x');

it.each([
  [[30], '1'],
  [[14_998, 14_999], '2'],
  [[30_001, 30, 29_967], '1 2'],
  [[30_001, 30, 29_968], '1 1 1'],
  [[14_999, 14_998, 9_997, 9_997, 9_970, 30], '2 3 1'],
])('a plan removes addresses of %j characters in commands of %s', (lengths, counts) => {
  const addresses = lengths.map((length, at) => `${addressOf(length - 1)}${at}`);
  const legacyResources = addresses.map((address) => legacyResource(address));
  const { steps } = planMigration([zone], [stateFacts({ legacyResources })]);
  const { runs = [] } = steps.find(({ kind }) => kind === 'remove')!;
  const removed = runs.map(({ argv }) => argv.slice(3));
  expect(removed.map((one) => one.length).join(' ')).toBe(counts);
  expect(removed.flat()).toEqual(addresses);
});
