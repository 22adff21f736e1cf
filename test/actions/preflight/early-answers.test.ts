import childProcess from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { askEarly } from '../../../src/actions/preflight/early-answers';
import { digestOf } from '../../../src/plan/plan-digest';
import { journalPath } from '../../../src/actions/journal/journal-path';
import { fakeTerraform } from '../../support/fake-terraform';
import { temporaryFolder } from '../../support/temporary-folder';

const states = [{ dir: '.' }, { dir: 'stack' }];
/** With the digest that a plan of these has. */
const sealed = <Document extends object>(document: Document) => ({
  digest: digestOf(document),
  ...document,
});

function world(body = 'if [ "$1" = version ]; then echo "Terraform v1.11.4"; else pwd; fi') {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'stack'));
  const fake = fakeTerraform(temporaryFolder(), body);
  const terraform = { binary: fake.path, environment: { PATH: process.env['PATH'] } };
  return { folder, terraform, calls: () => fake.calls() };
}

describe('what Terraform is asked while a plan is being checked', () => {
  it('is the state of each folder, and its version where blocks are to be applied', async () => {
    const { folder, terraform, calls } = world();
    const steps = [{ kind: 'backup' }, { kind: 'apply-blocks' }];
    const early = await askEarly(sealed({ states, steps }), folder, terraform);
    expect((await early.state('stack'))?.toString().trim()).toBe(join(folder, 'stack'));
    expect((await early.state('.'))?.toString().trim()).toBe(folder);
    expect(await early.version).toMatchObject({ text: '1.11.4' });
    expect(early.state('elsewhere')).toBeUndefined();
    expect(calls().sort()).toEqual([['state', 'pull'], ['state', 'pull'], ['version']]);
  });

  it('is asked of no more than four folders at a time', async () => {
    const many = Array.from({ length: 9 }, (_, at) => ({ dir: `stack-${at}` }));
    const { folder, terraform } = world();
    for (const { dir } of many) mkdirSync(join(folder, dir));
    let [running, most] = [0, 0];
    const start = childProcess.spawn;
    const spawn = jest.spyOn(childProcess, 'spawn').mockImplementation(((...of: never[]) => {
      const child = (start as (...of: never[]) => childProcess.ChildProcess)(...of);
      running += 1;
      most = Math.max(most, running);
      child.prependOnceListener('close', () => (running -= 1));
      return child;
    }) as never);
    const early = await askEarly(sealed({ states: many }), folder, terraform);
    const pulled = await Promise.all(many.map(async ({ dir }) => early.state(dir)));
    spawn.mockRestore();
    expect(pulled.map((bytes) => bytes?.toString().trim())).toEqual(
      many.map(({ dir }) => join(folder, dir)),
    );
    expect(most).toBe(4);
  });

  it('is not used when another run has written its journal meanwhile', async () => {
    const { folder, terraform } = world();
    const early = await askEarly(sealed({ states }), folder, terraform);
    await early.state('.');
    const journal = join(folder, journalPath(sealed({ states }).digest));
    mkdirSync(dirname(journal), { recursive: true });
    writeFileSync(journal, '{"event":"start","step":"1"}\n');
    expect([early.state('.'), early.version]).toEqual([undefined, undefined]);
  });

  it.each([
    null,
    'plan',
    [],
    {},
    { digest: '../../x', states },
    // a folder was changed by hand
    { ...sealed({ states: [] }), states },
    sealed({ states: 'all' }),
    sealed({ states: [{ dir: 7 }] }),
  ])('is nothing for %j', async (document) => {
    const { folder, terraform, calls } = world();
    const early = await askEarly(document, folder, terraform);
    expect([early.state('.'), early.version]).toEqual([undefined, undefined]);
    expect(calls()).toEqual([]);
  });

  const zones = [{ zoneId: 'b'.repeat(32), ruleset: { id: 'c'.repeat(32), address: 'a.b' } }];
  const asking = () => {
    const asked: unknown[] = [];
    const check = (of: unknown) => Promise.resolve(void asked.push(of));
    return { asked, check };
  };

  it('and the service: whether the rulesets are live', async () => {
    const { folder, terraform } = world();
    const { asked, check } = asking();
    const early = await askEarly(sealed({ states, zones }), folder, terraform, check);
    await early.rulesets;
    expect(asked).toEqual([[{ zoneId: 'b'.repeat(32), ruleset: { id: 'c'.repeat(32) } }]]);
  });

  it('which is the furthest, and so is asked before a process is started', async () => {
    const { folder, terraform } = world();
    const order: string[] = [];
    const start = childProcess.spawn;
    const spawn = jest.spyOn(childProcess, 'spawn').mockImplementation(((...of: never[]) => {
      order.push('process');
      return (start as (...of: never[]) => unknown)(...of);
    }) as never);
    const check = async (): Promise<void> => {
      // to connect takes a turn
      await new Promise(setImmediate);
      order.push('service');
    };
    const early = await askEarly(sealed({ states, zones }), folder, terraform, check);
    await Promise.all([early.state('.'), early.state('stack'), early.rulesets]);
    spawn.mockRestore();
    expect(order).toEqual(['service', 'process', 'process']);
  });

  it('but not of a plan that was begun', async () => {
    const { folder, terraform } = world();
    const { asked, check } = asking();
    const journal = join(folder, journalPath(sealed({ states, zones }).digest));
    mkdirSync(dirname(journal), { recursive: true });
    writeFileSync(journal, '{"event":"begin"}\n');
    const early = await askEarly(sealed({ states, zones }), folder, terraform, check);
    expect([early.rulesets, asked]).toEqual([undefined, []]);
  });

  it.each([
    ['../../user', zones[0]!.ruleset],
    ['b'.repeat(32), { id: 7 }],
    ['b'.repeat(32), null],
    [7, zones[0]!.ruleset],
  ])('but not where a zone is %j with %j', async (zoneId, ruleset) => {
    const { folder, terraform } = world();
    const { asked, check } = asking();
    const document = sealed({ states, zones: [...zones, { zoneId, ruleset }] });
    const early = await askEarly(document, folder, terraform, check);
    expect([early.rulesets, asked]).toEqual([undefined, []]);
  });

  it('and fails is told to who asks for it, and to nobody else', async () => {
    const { folder, terraform } = world('exit 1');
    const untold: unknown[] = [];
    const note = (reason: unknown): unknown => untold.push(reason);
    process.on('unhandledRejection', note);
    const early = await askEarly(sealed({ states }), folder, terraform);
    // by the time that others asked later have failed, these have
    const later = await askEarly(sealed({ states }), folder, terraform);
    await expect(later.state('stack')).rejects.toThrow();
    await expect(early.state('stack')).rejects.toThrow();
    await new Promise(setImmediate);
    process.off('unhandledRejection', note);
    expect(untold).toEqual([]);
    await expect(early.state('.')).rejects.toMatchObject({ code: 'TERRAFORM_FAILED' });
  });
});
