import { basename, dirname } from 'node:path';
import { appliedFolder } from '../support/applied-folder';
import { errorOf } from './support/cli-with-emulator';

describe('the journal', () => {
  it('is named by apply as it is found from where the command was given', async () => {
    const { cliIn, write, plan, folder, journal } = appliedFolder();
    write('plan.json', JSON.stringify(plan));
    const place = basename(folder);
    const beside = await cliIn(folder, 'apply', 'plan.json', '--yes');
    expect(beside.stdout).toContain(`Journal: ${journal}\n`);
    const above = await cliIn(dirname(folder), 'apply', `${place}/plan.json`, '--yes');
    expect(above.stdout).toContain(`Journal: ${place}/${journal}\n`);
  });

  it.each([
    ['plan.json', 'is no journal'],
    ['cf-waf-migrate-backup', 'is no journal'],
    ['cf-waf-migrate-backup/0.journal.jsonl', 'does not exist'],
  ])('is asked for where rollback is given %s, which %s', async (operand, problem) => {
    const { cli, write, plan } = appliedFolder();
    write('plan.json', JSON.stringify(plan));
    const ran = await cli('rollback', operand, '--yes', '--json');
    expect([ran.code, errorOf(ran)]).toEqual([
      1,
      expect.objectContaining({
        code: 'JOURNAL_INVALID',
        message: `${operand} ${problem}`,
        hint: expect.stringContaining('cf-waf-migrate-backup/<id>.journal.jsonl'),
      }),
    ]);
  });
});
