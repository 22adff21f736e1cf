import { apply, applySettings, expectMigrated, makePlan, stateNow } from '../support/apply-world';
import { nextCommands } from '../support/next-commands';
import { inWorld, LOCK_FILE, type World } from '../support/world';

/** `status` in the Terraform folder, without a flag. */
async function status({ lab }: World, environment: Record<string, string> = {}) {
  const text = await lab.cli('status', { environment });
  const json = await lab.cli('status --json', { environment });
  expect([text.code, json.code]).toEqual([0, 0]);
  return { text: text.stdout, document: JSON.parse(json.stdout) };
}

it('status leads from legacy resources to an applied plan, and then has nothing left to say', () =>
  inWorld(applySettings, async (world) => {
    const { zoneIds, addresses } = world;
    const before = await status(world);
    expect(before.document).toMatchObject({
      folders: [{ dir: '.' }],
      zones: [
        {
          zone: zoneIds[0],
          oldWaf: 'off',
          newWaf: 'on',
          legacy: { state: addresses.length },
          ruleset: { declared: false, inState: false },
          next: 'cf-waf-migrate plan',
        },
      ],
    });
    expect(before.text).toMatch(/\nNext:\n {2}cf-waf-migrate plan\n$/);

    await makePlan(world, 'removing');
    expect((await apply(world)).code).toBe(0);
    const after = await status(world);
    expect(after.document.zones).toMatchObject([
      {
        legacy: { state: 0, configuration: 0 },
        ruleset: { declared: true, inState: true },
        next: null,
      },
    ]);
    expect(after.text).toContain('1 zone: nothing is left to do');

    await switchOff(world);
    const { code, stdout } = await world.lab.cli('status');
    expect([code, stdout]).toEqual([
      ...[2, expect.stringContaining('decision: No WAF is on (ZONE_UNPROTECTED)\n')],
    ]);
  }));

/** Switches off all rules of the entry point of the first zone, as the dashboard does. */
async function switchOff({ lab, zoneIds }: World): Promise<void> {
  const path = `zones/${zoneIds[0]!}/rulesets/phases/http_request_firewall_managed/entrypoint`;
  const send = async (more: object): Promise<any> => {
    const { baseUrl, credentials } = lab.emulator;
    const headers = { authorization: `Bearer ${credentials.token}` };
    return (await fetch(`${baseUrl}/${path}`, { headers, ...more })).json();
  };
  const { result } = await send({});
  const rules = result.rules.map((rule: object) => ({ ...rule, enabled: false }));
  const { success } = await send({ method: 'PUT', body: JSON.stringify({ rules }) });
  expect(success).toBe(true);
}

it('status tells what the folder alone says without credentials, and what was not seen', () =>
  inWorld(applySettings, async (world) => {
    const { document, text } = await status(world, { CLOUDFLARE_API_TOKEN: '' });
    expect(document.zones).toMatchObject([{ oldWaf: 'unknown', next: 'cf-waf-migrate plan' }]);
    expect(document.findings).toMatchObject([{ code: 'API_NOT_ASKED', severity: 'info' }]);
    expect(text).toContain('  unknown  ');
  }));

it('status leads from a state with a zone that has not migrated to one plan of the others', () =>
  inWorld({ ...applySettings, zones: 3, migrated: (at) => at < 2 }, async (world) => {
    const { lab } = world;
    lab.write('.terraform.lock.hcl', LOCK_FILE);
    const next = async (line: string) => nextCommands((await lab.cli(line)).stdout);
    const others = ['cf-waf-migrate check --zone zone-3.example.com'];
    const plan = 'plan --zone zone-1.example.com zone-2.example.com';
    const all = world.zoneIds.map((id) => `--zone ${id}`).join(' ');
    expect(await next('check')).toEqual([`cf-waf-migrate report ${all}`]);
    const only = `--zone ${world.zoneIds[2]}`;
    const validate = `cf-waf-migrate start-validation ${only} --log-only`;
    expect(await next(`report ${all}`)).toEqual([validate]);
    expect(await next('report')).toEqual([`cf-waf-migrate report ${only}`]);
    expect(await next('status')).toEqual([`cf-waf-migrate ${plan}`, ...others]);
    const { stderr } = await lab.cli('plan');
    expect(stderr).toContain('(ENTRY_POINT_MISSING)\n');
    expect(stderr).toMatch(
      /plan only the other zones:\n {4}cf-waf-migrate plan --zone zone-1\.example\.com --zone zone-2\.example\.com\n$/,
    );
    const flags = '--from 3.35.0 --address cloudflare_ruleset.waf';
    const flagged = await lab.cli(`plan ${flags} -- -lock-timeout=9s -var token=secret`);
    const [, kept] = /plan (--zone zone-1.*)\n$/.exec(flagged.stderr) ?? [];
    expect(kept?.replace(/--zone \S+ /g, '')).toBe(`${flags} -- -lock-timeout=9s '-var=token=…'`);
    expect(await next(`${plan} --out plan.json`)).toEqual(['cf-waf-migrate rehearse plan.json']);
    const [apply = ''] = await next('rehearse plan.json');
    expect(apply).toBe('cf-waf-migrate apply plan.json --accept OTHER_ZONES');
    const applied = `${apply.replace('cf-waf-migrate ', '')} --yes`;
    expect(await next(applied)).toEqual(['cf-waf-migrate verify plan.json']);
    expect(await next('verify plan.json')).toEqual(['cf-waf-migrate status']);
    expect(await next('status')).toEqual(others);
    // a run that was finished stays so if its last check fails later
    lab.write('later.tf', 'resource "terraform_data" "later" {}\n');
    const repeated = await lab.cli(applied);
    expect([repeated.code, repeated.stderr]).toEqual([1, expect.stringMatching(/PLAN_NOT_EMPTY/)]);
    expect(repeated.stderr).not.toContain('rollback');
    expect(await next('status')).toEqual(others);
    lab.write('later.tf', '');
    await lab.cli('rollback --yes');
    expect(await next('verify plan.json')).toEqual([
      'cf-waf-migrate plan --zone zone-1.example.com --zone zone-2.example.com --out plan.json',
    ]);
  }));

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
    expect(status.stdout).toMatch(/1 to continue\n[^]*\nNext:\n {2}cf-waf-migrate apply\n$/);
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
