import { readFileSync } from 'node:fs';
import { appliedFolder, plannedZone, RULESET } from '../support/applied-folder';
import { runCli } from '../support/run-cli';

describe('verify --state', () => {
  it('reads standard input, as plan does', async () => {
    const { folder, at, write, plan } = appliedFolder();
    write('plan.json', JSON.stringify(plan));
    const args = ['verify', 'plan.json', '--json', '--state'];
    const stdin = readFileSync(at('state.json'));
    const file = await runCli([...args, 'state.json'], { cwd: folder });
    expect(JSON.parse(file.stdout)).toHaveProperty('verdict');
    expect(await runCli([...args, '-'], { cwd: folder, stdin })).toEqual(file);
  });

  it('asks for a ruleset, too, that the state has had before: no step brings it', async () => {
    const address = `${RULESET}.b`;
    const { cli, write, plan } = appliedFolder({ zones: [plannedZone('b')] });
    write('plan.json', JSON.stringify(plan));
    const ran = await cli('verify', 'plan.json', '--state', 'state.json');
    expect(ran.code).toBe(2);
    expect(ran.stdout).toContain(`main: ${address}: is not in the state`);
  });

  it('refuses a device before it is read: it might never end', async () => {
    const { write, plan, cli } = appliedFolder();
    write('plan.json', JSON.stringify(plan));
    const ran = await cli('verify', 'plan.json', '--state', '/dev/zero');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('it is a device, not a file');
  });
});
