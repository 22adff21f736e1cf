import { applySettings, expectMigrated, stateNow } from '../support/apply-world';
import { inWorld } from '../support/world';

it('rehearse, apply, verify and rollback need no flag in a Terraform folder', () =>
  inWorld({ ...applySettings, backend: 'http' }, async (world) => {
    const { lab } = world;
    const before = { text: lab.read('main.tf'), resources: stateNow(world).resources };
    const rehearsed = await lab.cli('rehearse');
    expect(rehearsed.stderr).toMatch(
      /^Migration plan: 7 steps for 1 zone\. To see it:\n {2}cf-waf-migrate plan\n\n/,
    );
    expect(rehearsed.stdout).toMatch(/^Clean: .*\n\nNext:\n {2}cf-waf-migrate apply\n$/);

    const declined = await lab.cli('apply', { answers: ['n'] });
    expect([declined.code, declined.stdout]).toEqual([3, '']);
    expect(declined.stderr).toMatch(/^Migration plan/);
    expect(declined.stderr).toMatch(/\? \[y\/N\] Nothing was changed\.\n$/);
    expect(lab.read('main.tf')).toBe(before.text);

    const interrupted = new AbortController();
    const stopped = lab.cli('apply --yes', {
      fault: (point) => {
        if (point === 'step-done') throw new Error('stopped here');
      },
      interrupted: interrupted.signal,
    });
    expect((await stopped).code).toBe(1);
    const status = await lab.cli('status');
    expect(status.stdout).toMatch(
      /1 with an interrupted run\n[^]*\nNext:\n {2}cf-waf-migrate apply\n$/,
    );
    const refused = await lab.cli('plan');
    expect([refused.code, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(
      /^error: the run of cf-waf-migrate-backup\/\w+\.journal\.jsonl is not finished \(RUN_INTERRUPTED\)\n {2}hint: .*\n {4}cf-waf-migrate apply\n {4}cf-waf-migrate rollback\n$/,
    );
    const USING = /^Using the plan of the interrupted run of cf-waf-migrate-backup\//;
    const again = await lab.cli('rehearse');
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('Clean: ')]);
    expect(again.stderr).toMatch(USING);
    const applied = await lab.cli('apply --yes');
    expect(applied.stderr).toMatch(USING);
    expect(applied.stdout).toMatch(/^Done: \d+ steps\.[^]*\n\nNext:\n {2}cf-waf-migrate verify\n$/);
    await expectMigrated(world);
    const [, journal = ''] = /Journal: (\S+)/.exec(applied.stdout) ?? [];
    expect(lab.read(journal)).toMatch(/\n{"event":"end"}\n$/);
    const finished = await lab.cli('apply');
    expect([finished.code, finished.stdout]).toEqual([
      0,
      'Nothing was changed: there is nothing to migrate in this folder.\n\nNext:\n  cf-waf-migrate status\n',
    ]);
    expect(finished.stderr).toContain(
      'info: Nothing to remove from this state (NO_LEGACY_RESOURCES)',
    );
    expect((await lab.cli('verify')).stdout).toContain('State and configuration match the plan.');

    const back = await lab.cli('rollback --yes');
    expect([back.code, back.stdout.includes('Next:\n  cf-waf-migrate status\n')]).toEqual([
      0,
      true,
    ]);
    expect(lab.read('main.tf')).toBe(before.text);
    expect(stateNow(world).resources).toEqual(before.resources);
  }));
