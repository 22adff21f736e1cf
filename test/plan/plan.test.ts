import {
  digestOf,
  renderPlanJsonSchema,
  type Expects,
  type Step,
  promisedBy,
} from '../../src/plan/plan-schema';
import { everyStep, noStep } from './support/every-step';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { backupFile, isBackupFile } from '../../src/files/backups';

describe('the digest of a plan', () => {
  /** With the keys of each object in the other direction. */
  function turned(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(turned);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, one]) => [key, turned(one)] as const);
    return Object.fromEntries(entries.reverse());
  }

  it('is the same on every machine and in every version', () => {
    expect(digestOf(noStep)).toBe(
      '973195dc1dfe8349c9ccca0596f69dc48efbb1aedeb20a2065947c475ad084c5',
    );
  });

  it('stays, whatever the order of the keys and the digest that is there', () => {
    const other = turned({ ...everyStep, digest: 'x' }) as typeof everyStep;
    expect(digestOf(other)).toBe(digestOf(everyStep));
  });
});

describe('the schema', () => {
  /** The contract that is published. */
  const published = readFileSync(join(__dirname, '../../docs/plan.schema.json'), 'utf8');

  it('docs/plan.schema.json is what scripts/write-plan-schema.mjs writes', () => {
    const rendered = renderPlanJsonSchema();
    expect(JSON.parse(published)).toEqual(JSON.parse(rendered));
    expect(rendered).toMatch(/^\{\n {2}"title": "Migration plan[^]*\n\}\n$/);
  });
});

describe('what the steps of a state promise', () => {
  const step = (expects?: Expects, more: Partial<Step> = {}): Step => ({
    ...{ id: '1', kind: 'manual', state: 'main', title: '', why: '' },
    ...(expects !== undefined && { expects }),
    ...more,
  });
  const check = (plan: NonNullable<Expects['plan']>, ...argvs: readonly string[][]): Step =>
    step(
      { plan },
      { kind: 'check', runs: argvs.map((argv) => ({ argv: ['terraform', ...argv] })) },
    );

  it('is the sum of what they expect, of which the last word counts', () => {
    const steps = [
      step({ gone: ['a', 'b'], present: ['c'] }),
      step(),
      step({ gone: ['c'], present: ['b', 'd'] }),
    ];
    expect(promisedBy(steps, 'main')).toEqual({
      ...{ gone: ['a', 'c'], present: ['b', 'd'], removed: ['a', 'b', 'c'], checks: [] },
    });
  });

  const words = ['-input=false', '-detailed-exitcode', '-out=p', '-var=a', '-var-file=f'];
  const full = check('empty', ['plan', '-var=a']);
  const target = (address: string) =>
    check('target-empty', ['plan', '-input=false', '-var=v', `-target=${address}`]);
  const saved = step({ plan: 'empty' }, { kind: 'apply-blocks' });

  it.each<[string, Step[], string[][]]>([
    [
      'the inputs of the last full plan, and not how it ends',
      [check('empty', ['plan', '-var=first']), check('empty', ['-chdir=x', 'plan', ...words])],
      [['-var=a', '-var-file=f']],
    ],
    ['flags that begin alike', [check('empty', ['plan', '-outer=a'])], [['-outer=a']]],
    [
      'each target once, where a full plan does not work',
      [full, step(), target('a'), target('b')],
      [['-var=v', '-target=a', '-target=b']],
    ],
    [
      'each target, then the whole without refresh',
      [target('a'), check('empty', ['plan', '-refresh=false'])],
      [['-var=v', '-target=a'], ['-refresh=false']],
    ],
    ['none of a step that is no check', [full, saved], [['-var=a']]],
    ['none where no step checks', [saved], []],
    ['none where the last check expects no plan', [full, step({}, { kind: 'check' })], []],
    ['none where it expects nothing', [full, step(undefined, { kind: 'check' })], []],
    ['none where it has no command', [step({ plan: 'empty' }, { kind: 'check' })], [[]]],
  ])('has flags: %s', (_, steps, flags) => {
    expect(promisedBy(steps, 'main').checks).toEqual(flags);
  });
});

describe('the file for a copy of a state', () => {
  it.each([
    ['default', 'main-3.tfstate'],
    ['', 'main-3.tfstate'],
    ['staging', 'main.staging-3.tfstate'],
    ['eu-1.b~c', 'main.eu-1.b~c-3.tfstate'],
    ['$&+=:@', 'main.%24%26%2B%3D%3A%40-3.tfstate'],
    ['../../x*', 'main...%2F..%2Fx%2A-3.tfstate'],
    ['\ud800', 'main.%EF%BF%BD-3.tfstate'],
    ['x'.repeat(130), `main.${'x'.repeat(120)}-3.tfstate`],
  ])('of workspace %j', (workspace, file) => {
    expect(backupFile({ name: 'main', workspace }, 3)).toBe(`cf-waf-migrate-backup/${file}`);
  });

  it('is not that of a folder whose name says the same', () => {
    const inFolder = backupFile({ name: 'main-a', workspace: 'default' }, 3);
    expect(backupFile({ name: 'main', workspace: 'a' }, 3)).not.toBe(inFolder);
  });
});

describe('a given path', () => {
  it('is that of a copy as this tool names it', () => {
    expect(isBackupFile('cf-waf-migrate-backup/main.eu-1-3.tfstate')).toBe(true);
  });

  it.each([
    'cf-waf-migrate-backup',
    'elsewhere/main-3.tfstate',
    '/cf-waf-migrate-backup/main-3.tfstate',
    'cf-waf-migrate-backup/../main-3.tfstate',
    'cf-waf-migrate-backup/..\\main-3.tfstate',
    'cf-waf-migrate-backup/a\\main-3.tfstate',
    'cf-waf-migrate-backup/\\main-3.tfstate',
    'cf-waf-migrate-backup/a/main-3.tfstate',
    'cf-waf-migrate-backup//main-3.tfstate',
    'cf-waf-migrate-backup/.main-3.tfstate',
    'cf-waf-migrate-backup/main-3.tfstate.sh',
  ])('is not that of a copy: %s', (path) => {
    expect(isBackupFile(path)).toBe(false);
  });
});
