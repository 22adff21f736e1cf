import { readFileSync, renameSync, utimesSync } from 'node:fs';
import { journalPath, planCopyPath } from '../../src/apply/journal/journal';
import { type Plan } from '../../src/plan/plan-schema';
import { appliedFolder, OLD, oldText, resource, stateText } from '../support/applied-folder';
import { nextCommands } from '../support/next-commands';

const manual = { kind: 'manual', title: 'Take the old blocks out' } as const;
const taken = { ...manual, addresses: [`${OLD}.b`] };

const archiveOf = (journal: string): string => journal.replace('.journal.', '.rolled-back.');

/** A legacy resource of a zone, as a state has it. */
const legacy = (name: string, zone: string) => ({
  ...resource(OLD, { zone_id: zone }),
  name,
});

/** A folder whose last rollback left a step to undo by hand, and an earlier one too. */
async function twoIncompleteRollbacks() {
  const world = appliedFolder({ steps: [taken] });
  const { write, at, cli, journal } = world;
  const last = archiveOf(journal);
  expect((await cli('rollback', '--yes')).code).toBe(2);
  const { plan } = appliedFolder({ steps: [{ ...manual, addresses: [`${OLD}.c`] }] });
  const first = archiveOf(journalPath(plan.digest));
  write(first, `${JSON.stringify({ event: 'begin', digest: plan.digest })}\n`);
  write(planCopyPath(first), JSON.stringify(plan));
  utimesSync(at(first), new Date(0), new Date(0));
  const statusNow = async () => {
    write('state.json', stateText(8, [legacy('a', 'f'.repeat(32))]));
    return (await cli('status')).stdout;
  };
  const next = async () => nextCommands(await statusNow());
  return { ...world, first, last, next, statusNow };
}

describe('two incomplete rollbacks', () => {
  it('are named by status one after the other', async () => {
    const { cli, write, first, last, next, statusNow } = await twoIncompleteRollbacks();
    expect(await next()).toEqual([`cf-waf-migrate rollback ${last}`]);
    write('b.tf', oldText.replace('"a"', '"b"'));
    expect((await cli('rollback', last, '--yes')).code).toBe(0);
    expect(await next()).toEqual([`cf-waf-migrate rollback ${first}`]);
    write('c.tf', oldText.replace('"a"', '"c"'));
    expect((await cli('rollback', first, '--yes')).code).toBe(0);
    expect(await statusNow()).not.toContain('ROLLBACK_INCOMPLETE');
  });
});

it('status names an incomplete rollback even if there is no zone to plan', async () => {
  const { cli, write } = appliedFolder({ steps: [taken] });
  expect((await cli('rollback', '--yes')).code).toBe(2);
  write('state.json', stateText(8, []));
  write('main.tf', '');
  const { code, stdout } = await cli('status');
  expect([code, stdout]).toEqual([2, expect.stringContaining('(ROLLBACK_INCOMPLETE)')]);
});

it('a later run of the same state replaces incomplete rollbacks, also after a run of another state', async () => {
  const { write, at, statusNow } = await twoIncompleteRollbacks();
  const addRun = (plan: Plan, minutes: number) => {
    const journal = journalPath(plan.digest);
    const events = [{ event: 'begin', digest: plan.digest }, { event: 'end' }];
    write(journal, events.map((one) => `${JSON.stringify(one)}\n`).join(''));
    write(planCopyPath(journal), JSON.stringify(plan));
    const time = new Date(Date.now() + minutes * 60_000);
    utimesSync(at(journal), time, time);
  };
  addRun(appliedFolder({ lineage: 'other' }).plan, 2);
  expect(await statusNow()).toContain('(ROLLBACK_INCOMPLETE)');
  addRun(appliedFolder({ rulesets: ['b'] }).plan, 1);
  expect(await statusNow()).not.toContain('ROLLBACK_INCOMPLETE');
});

it('an incomplete rollback comes before an earlier interrupted run, which is resumed afterwards', async () => {
  const { write, at, cli, last, first, statusNow } = await twoIncompleteRollbacks();
  const earlier = first.replace('.rolled-back.', '.journal.');
  renameSync(at(first), at(earlier));
  const stdout = await statusNow();
  expect(stdout).toContain('(ROLLBACK_INCOMPLETE)');
  expect(nextCommands(stdout)).toEqual([`cf-waf-migrate rollback ${last}`]);
  write('b.tf', oldText.replace('"a"', '"b"'));
  expect((await cli('rollback', last, '--yes')).code).toBe(0);
  expect(await statusNow()).toContain('1 zone: 1 to continue\n');
});

it('a complete rollback leaves what others changed since, and names the steps to undo', async () => {
  const { cli, journal, write, at } = appliedFolder({ steps: [taken] });
  expect((await cli('rollback', '--yes')).code).toBe(2);
  const later = stateText(9, [resource(OLD), { ...resource('cloudflare_zone'), name: 'z' }]);
  write('state.json', later);
  write('main.tf', `# theirs\n${oldText}`);
  const { code, stdout } = await cli('rollback', archiveOf(journal), '--yes');
  expect([code, stdout]).toEqual([
    2,
    expect.stringMatching(/^Nothing to restore\.\nUndo by hand, /),
  ]);
  const texts = ['state.json', 'main.tf'].map((file) => readFileSync(at(file), 'utf8'));
  expect(texts).toEqual([later, `# theirs\n${oldText}`]);
});
