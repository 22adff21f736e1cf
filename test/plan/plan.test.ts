import {
  digestOf,
  renderPlanJsonSchema,
  type Expects,
  type Step,
  promisedBy,
} from '../../src/plan/plan';
import { everyStep, noStep } from './support/every-step';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { backupFile, isBackupFile } from '../../src/files/backup-names';

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
  const flagsOf = (...steps: readonly Step[]) => promisedBy(steps, 'main').flags;

  it('is the sum of what they expect, of which the last word counts', () => {
    const steps = [
      step({ gone: ['a', 'b'], present: ['c'] }),
      step(),
      step({ gone: ['c'], present: ['b', 'd'] }),
    ];
    expect(promisedBy(steps, 'main')).toEqual({
      ...{ gone: ['a', 'c'], present: ['b', 'd'], flags: undefined },
    });
  });

  it('has the inputs of the last full plan, and not how it ends', () => {
    const words = ['-input=false', '-detailed-exitcode', '-out=p', '-var=a', '-var-file=f'];
    const first = check('empty', ['plan', '-var=first']);
    expect(flagsOf(first, check('empty', ['-chdir=x', 'plan', ...words]))).toEqual([
      '-var=a',
      '-var-file=f',
    ]);
    expect(flagsOf(check('empty', ['plan', '-outer=a', 'x-out=b']))).toEqual([
      ...['-outer=a', 'x-out=b'],
    ]);
  });

  it('has each target once, where a full plan does not work', () => {
    const target = (address: string) =>
      check('target-empty', ['plan', '-input=false', '-var=v', `-target=${address}`]);
    expect(flagsOf(check('empty', ['plan', '-var=w']), step(), target('a'), target('b'))).toEqual([
      ...['-var=v', '-target=a', '-target=b'],
    ]);
  });

  it('has no flags where no step checks, or the last check expects nothing', () => {
    const saved = step({ plan: 'empty' }, { kind: 'apply-blocks' });
    expect(flagsOf(saved)).toBeUndefined();
    expect(flagsOf(check('empty', ['plan', '-var=a']), saved)).toEqual(['-var=a']);
    expect(flagsOf(check('empty', ['plan']), step({}, { kind: 'check' }))).toBeUndefined();
    expect(flagsOf(check('empty', ['plan']), step(undefined, { kind: 'check' }))).toBeUndefined();
    expect(flagsOf(step({ plan: 'empty' }, { kind: 'check' }))).toEqual([]);
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
