import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nextCommands } from '../support/next-commands';
import { type CliRun } from '../support/run-cli';
import { writeInto } from '../support/temporary-folder';
import { inWorld, ofZone, stateOf, type World } from '../support/world';

/** A world whose zones are in the states of several Terraform folders. */
interface FleetOfStates {
  world: World;
  /** The folders, relative to that of the lab. */
  dirs: string[];
  /** Runs a command line in the folder of the lab. */
  cli: (line: string) => Promise<CliRun>;
}

/**
 * Makes a folder with a state for each entry. `zones.csv` lists all zones.
 * @param sizes zones of each state
 */
function inFleetOfStates(
  sizes: number[],
  use: (fleet: FleetOfStates) => Promise<void>,
): Promise<void> {
  const zones = sizes.reduce((sum, one) => sum + one, 0);
  return inWorld({ zones, rules: { '100000': 'disable' } }, async (world) => {
    const { lab, zoneIds } = world;
    const lines = ['# our zones', 'zone_id,dir,owner'];
    const dirs = sizes.map((size, at) => {
      const first = sizes.slice(0, at).reduce((sum, one) => sum + one, 0);
      const own = zoneIds.slice(first, first + size);
      const resources = own.flatMap((zoneId) => ofZone(world, zoneId));
      const dir = `infra/${at}`;
      writeInto(join(lab.dir, dir), {
        'provider.tf': lab.read('provider.tf'),
        'main.tf': resources.map(({ block }) => block).join('\n'),
        'terraform.tfstate': stateOf(resources, at),
      });
      for (const id of own) lines.push(`${id},${dir},team ${at}`);
      return dir;
    });
    lab.write('zones.csv', `${lines.join('\n')}\n`);
    await use({ world, dirs, cli: (line) => lab.cli(line) });
  });
}

const PLAN = 'plan --zones zones.csv --from 3 --out plans';
const MANY = 'plans --zones zones.csv --json';

it('zones of many states are planned, rehearsed, applied in waves and verified, each by its plan', () =>
  inFleetOfStates([2, 1, 1, 1], async ({ world: { lab, zoneIds }, dirs, cli }) => {
    const planned = await cli(`${PLAN} --json`);
    expect([planned.stderr, planned.code]).toEqual(['', 0]);
    expect(JSON.parse(planned.stdout).summary).toMatchObject({ zones: 5, done: 5 });
    const files = [0, 1, 2, 3].map((at) => `infra-${at}.plan.json`);
    expect(readdirSync(join(lab.dir, 'plans'))).toEqual(files);

    const rehearsed = await cli(`rehearse ${MANY}`);
    expect([rehearsed.code, JSON.parse(rehearsed.stdout).summary.done]).toEqual([0, 5]);

    const status = await cli('status --zones zones.csv');
    expect(nextCommands(status.stdout)).toEqual(['cf-waf-migrate apply plans --zones zones.csv']);

    const before = await cli(`verify ${MANY}`);
    expect(before.code).toBe(2);
    expect(JSON.parse(before.stdout).zones[0]).toMatchObject({
      outcome: 'attention',
      result: { verdict: 'dirty', differences: expect.arrayContaining([]) },
    });

    expect((await cli(`apply ${MANY}`)).code).toBe(3);
    expect(lab.read(`${dirs[0]!}/terraform.tfstate`)).toContain('waf_rule');
    const waves = `--wave 1 --pause 0 --concurrency 1 --canary ${zoneIds[4]!} --yes`;

    // another process writes the third state: its plan fails, and no later plan is started
    const third = join(lab.dir, dirs[2]!, 'terraform.tfstate');
    const text = readFileSync(third, 'utf8');
    writeFileSync(third, JSON.stringify({ ...JSON.parse(text), serial: 9 }));
    const first = await cli(`apply ${MANY} ${waves}`);
    expect(first.code).toBe(1);
    const outcomes = (stdout: string): string[] =>
      JSON.parse(stdout).zones.map(({ outcome, error }: any) => error?.code ?? outcome);
    // the canary is the last of the list; the one with two zones comes next
    expect(outcomes(first.stdout)).toEqual(['done', 'done', 'done', 'STATE_CHANGED', 'done']);
    expect(JSON.parse(lab.read(`${dirs[2]!}/terraform.tfstate`)).serial).toBe(9);

    writeFileSync(third, text);
    const second = await cli(`apply ${MANY} ${waves}`);
    expect([second.code, JSON.parse(second.stdout).summary]).toMatchObject([
      0,
      { zones: 5, done: 5, failed: 0, waiting: 0, earlier: 4 },
    ]);
    const told = JSON.parse(second.stdout).zones[3];
    expect(told.line).toBe(
      `8 steps of plans/infra-2.plan.json: journal plans/${told.result.journal}`,
    );
    const after = await cli(`verify ${MANY}`);
    const verified: unknown[] = JSON.parse(after.stdout).zones;
    expect([after.code, verified]).toEqual([
      0,
      verified.map((zone) => ({ ...(zone as object), outcome: 'done' })),
    ]);
    for (const dir of dirs) expect(lab.read(`${dir}/terraform.tfstate`)).not.toContain('waf_rule');
    const journals = readdirSync(join(lab.dir, 'plans/cf-waf-migrate-backup'));
    expect(journals.filter((name) => name.endsWith('.journal.jsonl'))).toHaveLength(4);
  }));

it.each([
  ['all zones', ''],
  ['the other zones where the state of one cannot be read', '{'],
])('the next commands lead %s from status to the end', (_, state) =>
  inFleetOfStates([1, 1, 1], async ({ world: { lab }, dirs, cli }) => {
    if (state !== '') lab.write(`${dirs[0]!}/terraform.tfstate`, state);
    const lines: string[] = [];
    let line: string | undefined = 'status --zones zones.csv';
    while (line !== undefined) {
      lines.push(line);
      const { stdout, stderr } = await cli(`${line} --yes`);
      const next = nextCommands(stdout);
      expect([next.length < 3, stdout, stderr]).toEqual([true, stdout, stderr]);
      line = next.at(-1)?.replace('cf-waf-migrate ', '');
    }
    expect(lines).toEqual([
      'status --zones zones.csv',
      'plan --zones zones.csv --out plans',
      'rehearse plans --zones zones.csv',
      'apply plans --zones zones.csv',
      'verify plans --zones zones.csv',
      'status --zones zones.csv',
    ]);
    for (const dir of dirs.slice(1))
      expect(lab.read(`${dir}/terraform.tfstate`)).not.toContain('waf_rule');
    // nothing is left to plan
    const { stdout } = await cli('plan --zones zones.csv --out plans');
    expect(nextCommands(stdout).at(-1)).toBe('cf-waf-migrate status --zones zones.csv');
  }),
);

/** Switches off all rules of the entry point of a zone, as the dashboard does. */
async function switchOff({ environment }: World['lab'], zoneId: string): Promise<void> {
  const { CLOUDFLARE_BASE_URL: base, CLOUDFLARE_API_TOKEN: token } = environment;
  const path = `${base}/zones/${zoneId}/rulesets/phases/http_request_firewall_managed/entrypoint`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { result }: any = await (await fetch(path, { headers })).json();
  const rules = result.rules.map((rule: object) => ({ ...rule, enabled: false }));
  await fetch(path, { method: 'PUT', headers, body: JSON.stringify({ rules }) });
}

it('a rehearsal leads to a new plan if a live ruleset changed before its file is written', () =>
  inFleetOfStates([1], async ({ world: { lab, zoneIds }, cli }) => {
    await cli(PLAN);
    await switchOff(lab, zoneIds[0]!);
    const listed = await cli('rehearse plans --zones zones.csv');
    expect([listed.code, nextCommands(listed.stdout)]).toEqual([2, [`cf-waf-migrate ${PLAN}`]]);
    const { stdout } = await cli('rehearse plans/infra-0.plan.json');
    expect(stdout).toContain('(update: ');
    expect(stdout).not.toContain('generate');
    const next = 'cf-waf-migrate plan --dir infra/0 --out plans/infra-0.plan.json';
    expect(nextCommands(stdout)).toEqual([next]);
    await cli(PLAN);
    expect((await cli(`rehearse ${MANY}`)).code).toBe(0);
  }));

it('apply names a decision only for the zone that it is about', () =>
  inFleetOfStates([2], async ({ world: { lab, zoneIds }, cli }) => {
    await switchOff(lab, zoneIds[1]!);
    await cli(PLAN);
    const { code, stdout } = await cli(`apply ${MANY} --accept ZONE_UNPROTECTED --yes`);
    expect([code, JSON.parse(stdout).zones]).toMatchObject([
      0,
      [
        { outcome: 'done', line: expect.not.stringContaining('ZONE_UNPROTECTED') },
        { outcome: 'done', line: expect.stringContaining(': ZONE_UNPROTECTED: journal ') },
      ],
    ]);
  }));

it('a plan that waits for a manual step stops the waves, and its commands name their folder', () =>
  inFleetOfStates([1, 1], async ({ world: { lab, zoneIds }, dirs, cli }) => {
    lab.write(`${dirs[1]!}/managed_rules.tf`, '# ours\n');
    await cli(PLAN);
    const rehearsed = await cli('rehearse plans --zones zones.csv');
    // each start is shown, because a plan takes long
    expect(rehearsed.stderr).toMatch(/^\[0\/\d+\] started plans\/infra-0\.plan\.json: \d+ steps$/m);
    expect(rehearsed.stdout).toContain(
      'step 2 is manual. To see it: cf-waf-migrate rehearse plans/infra-1.plan.json\n',
    );
    expect(nextCommands(rehearsed.stdout)).toEqual([
      'cf-waf-migrate apply plans --zones zones.csv',
    ]);
    const { code, stdout } = await cli(
      `apply ${MANY} --wave 1 --pause 0 --canary ${zoneIds[1]!} --yes`,
    );
    const outcomes = JSON.parse(stdout).zones.map(({ outcome }: any) => outcome);
    expect([code, outcomes]).toEqual([1, ['waiting', 'attention']]);
    // a new plan would not have the steps that are done
    const replanned = await cli(PLAN);
    expect(replanned.stdout).toMatch(/infra\/1 is not planned: its apply waits at step 2 /);
    const only = await cli('apply plans/infra-1.plan.json --yes');
    expect(only.stdout).toContain('\nIts paths and commands are relative to plans.\n');
    const [generate, again] = nextCommands(only.stdout);
    expect([generate, again]).toEqual([
      expect.stringMatching(/^cf-waf-migrate generate .* --out infra\/1$/),
      'cf-waf-migrate apply plans/infra-1.plan.json --yes',
    ]);
    const generated = await cli(generate!.replace('cf-waf-migrate ', ''));
    expect(generated.stdout).toContain('If a plan led here, continue it');
    expect(generated.stdout).not.toContain('terraform import');
    rmSync(join(lab.dir, 'infra/1/zone-2_example_com.tf'));
    // the rollback makes its plan out of date
    const { result } = JSON.parse(stdout).zones[1];
    await cli(`rollback plans/${result.journal} --yes`);
    const status = await cli('status --zones zones.csv');
    expect(nextCommands(status.stdout)).toEqual([`cf-waf-migrate ${PLAN.replace(' --json', '')}`]);
  }));

it('a run of a list that a single apply has ended is no interrupted one', () =>
  inFleetOfStates([1], async ({ world: { lab }, dirs, cli }) => {
    lab.write(`${dirs[0]!}/managed_rules.tf`, '# ours\n');
    await cli(PLAN);
    expect((await cli(`apply ${MANY} --yes`)).code).toBe(2);
    const [generate = ''] = nextCommands((await cli('apply plans/infra-0.plan.json --yes')).stdout);
    const left = async () =>
      JSON.parse((await cli('status --zones zones.csv --json')).stdout).zones;
    expect(await left()).toMatchObject([{ work: 'apply', waitsAt: { id: '2' } }]);
    await cli(generate.replace('cf-waf-migrate ', ''));
    expect((await cli('apply plans/infra-0.plan.json --yes')).code).toBe(0);
    expect(await left()).toMatchObject([{ work: 'done', next: null }]);
    const shown = await cli('fleet status');
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('1 of 1 applied.')]);
  }));

it('a plan that was rolled back is refused', () =>
  inFleetOfStates([1, 1], async ({ world: { lab }, dirs, cli }) => {
    const state = (at: number) => lab.read(`${dirs[at]!}/terraform.tfstate`);
    const apply = `apply ${MANY} --yes`;
    await cli(`${PLAN} --json`);
    const applied = JSON.parse((await cli(apply)).stdout);
    expect(applied.summary).toMatchObject({ done: 2 });
    const { journal } = applied.zones[0].result;
    expect((await cli(`rollback plans/${journal} --yes`)).code).toBe(0);
    expect(state(0)).toContain('waf_rule');
    expect(JSON.parse((await cli(apply)).stdout)).toMatchObject({
      summary: { failed: 1 },
      zones: [{ error: { code: 'STATE_CHANGED' } }, {}],
    });
    await cli(`${PLAN} --force`);
    expect((await cli(apply)).code).toBe(0);
    for (const at of [0, 1]) expect(state(at)).not.toContain('waf_rule');
  }));

it('shows the decisions of all plans once, and apply requires them', () =>
  inFleetOfStates([2, 1], async ({ world: { lab, zoneIds }, dirs, cli }) => {
    const lines = [`${zoneIds[0]!},${dirs[0]!}`, `${zoneIds[2]!},${dirs[1]!}`];
    lab.write('zones.csv', ['zone_id,dir', ...lines, ''].join('\n'));
    const planned = await cli(PLAN);
    expect(planned.code).toBe(2);
    expect(planned.stdout.match(/^decision: .* \(OTHER_ZONES\)$/gm)).toHaveLength(1);
    const rehearsed = await cli('rehearse plans --zones zones.csv');
    expect([rehearsed.code, nextCommands(rehearsed.stdout)]).toEqual([
      0,
      ['cf-waf-migrate apply plans --zones zones.csv --accept OTHER_ZONES'],
    ]);
    const status = await cli('status --zones zones.csv');
    expect(nextCommands(status.stdout)).toEqual(nextCommands(rehearsed.stdout));
    const refused = await cli('apply plans --zones zones.csv --yes');
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining(
        'cf-waf-migrate apply plans --zones zones.csv --yes --accept OTHER_ZONES\n',
      ),
    ]);
    const line = 'apply plans --zones zones.csv --accept output.ids --yes';
    expect((await cli(`${line} --accept OTHER_ZONES`)).code).toBe(0);
    // what an applied plan decided is not asked again
    expect((await cli(line)).code).toBe(0);
    const ofResource = await cli('apply plans --zones zones.csv --accept a.b --yes');
    expect([ofResource.code, ofResource.stderr]).toEqual([
      64,
      expect.stringContaining('the address of a resource works with one plan'),
    ]);
  }));

const ZONES = Number(process.env['FLEET_ZONES'] ?? 60);

it(
  `${ZONES} zones in one state are one plan, one backup, and at most six starts of Terraform`,
  () =>
    inWorld(
      // Terraform takes ten milliseconds for each rule of each plan
      { zones: ZONES, rules: { '100000': 'disable' }, rulesOfEntryPoint: 1, backend: 'http' },
      async ({ lab, zoneIds, rulesetIds, http }) => {
        lab.write('zones.txt', `${zoneIds.join('\n')}\n`);
        const planned = await lab.cli(
          'plan --zones zones.txt --dir . --from 3 --method blocks --out plan.json',
        );
        expect([planned.stderr, planned.code]).toEqual(['', 0]);

        const bin = join(lab.dir, 'bin');
        mkdirSync(bin);
        const script = `#!/bin/sh\necho "$1 $2" >> '${bin}/starts'\nexec terraform "$@"\n`;
        writeFileSync(join(bin, 'terraform'), script, { mode: 0o755 });
        const starts = (): string[] => readFileSync(join(bin, 'starts'), 'utf8').trim().split('\n');

        lab.asked();
        const applied = await lab.cli(
          `apply plan.json --zones zones.txt --json --terraform ${join(bin, 'terraform')} --yes`,
        );
        expect(applied.code).toBe(0);
        expect(JSON.parse(applied.stdout).summary).toMatchObject({ zones: ZONES, done: ZONES });
        expect(starts().length).toBeLessThanOrEqual(6);
        expect(
          lab.asked().filter((line) => !line.startsWith('GET ') || line.includes('/firewall/')),
        ).toEqual([]);
        const kept = readdirSync(join(lab.dir, 'cf-waf-migrate-backup'));
        expect(kept.filter((name) => name.endsWith('.tfstate'))).toHaveLength(1);
        expect(kept.filter((name) => name.endsWith('.journal.jsonl'))).toHaveLength(1);

        const pulled = await lab.terraform('state', 'pull');
        const { resources } = JSON.parse(pulled.stdout);
        const ids = resources.flatMap(({ instances }: any) =>
          instances.map((one: any) => one.attributes.id),
        );
        expect(ids.toSorted()).toEqual(rulesetIds.toSorted());
        expect(http?.writes()).toBe(1);
      },
    ),
  300_000,
);

it('a second batch keeps the applied plans, and with them the journals', () =>
  inFleetOfStates([1, 1], async ({ world: { lab, zoneIds }, dirs, cli }) => {
    const of = (at: number): string => `${zoneIds[at]!},${dirs[at]!}\n`;
    lab.write('zones.csv', `zone_id,dir\n${of(0)}`);
    await cli(PLAN);
    const first = JSON.parse((await cli(`apply ${MANY} --yes`)).stdout);
    const file = 'plans/infra-0.plan.json';
    const before = lab.read(file);
    lab.write('zones.csv', `zone_id,dir\n${of(0)}${of(1)}`);
    const planned = await cli(PLAN);
    expect([planned.code, lab.read(file)]).toEqual([0, before]);
    expect(planned.stdout).toContain(`: kept ${file}: it is applied, and nothing is left to do\n`);
    expect((await cli(`rehearse ${MANY}`)).code).toBe(0);
    const applied = await cli('apply plans --zones zones.csv --yes');
    expect(applied.stderr).toContain(`${file}: 1 zone; applied already\n`);
    expect(applied.stderr).toContain(`edits ${dirs[1]!}/managed_rules.tf, ${dirs[1]!}/main.tf\n`);
    const { zones } = JSON.parse((await cli('fleet status --json')).stdout);
    const { journal } = first.zones[0].result;
    expect(zones.find(({ zone }: any) => zone === zoneIds[0]).stages.apply.result).toMatchObject({
      ...{ journal, plan: file },
    });
  }));

it('the applied plan of two zones is kept if the list has them in another order', () =>
  inFleetOfStates([2], async ({ world: { lab, zoneIds }, dirs: [dir = ''], cli }) => {
    const of = (at: number): string => `${zoneIds[at]!},${dir}\n`;
    await cli(PLAN);
    expect((await cli(`apply ${MANY} --yes`)).code).toBe(0);
    const file = 'plans/infra-0.plan.json';
    const applied = lab.read(file);
    lab.write('zones.csv', `zone_id,dir\n${of(1)}${of(0)}`);
    expect((await cli(PLAN)).stdout).toContain(`: kept ${file}: it is applied, `);
    expect(lab.read(file)).toBe(applied);
    expect((await cli(`rollback ${file} --yes`)).code).toBe(0);
  }));

it('another clone, which has no journal, plans what is applied as checks', () =>
  inFleetOfStates([1], async ({ world: { lab }, cli }) => {
    await cli(PLAN);
    expect((await cli(`apply ${MANY} --yes`)).code).toBe(0);
    const file = 'plans/infra-0.plan.json';
    for (const folder of ['plans/cf-waf-migrate-backup', 'cf-waf-migrate-fleet'])
      rmSync(join(lab.dir, folder), { recursive: true });
    lab.write('infra/0/main.tf', `${lab.read('infra/0/main.tf')}\n# later\n`);
    expect((await cli(PLAN)).stdout).toContain(`: wrote ${file}: 1 step\n`);
    for (const command of ['rehearse', 'apply', 'verify'])
      expect([command, (await cli(`${command} plans --zones zones.csv --yes`)).code]).toEqual([
        command,
        0,
      ]);
  }));

it('a list with method blocks and --write says what protects the pull requests', () =>
  inFleetOfStates([1, 1], async ({ cli }) => {
    const { stdout } = await cli(`${PLAN} --method blocks --write`);
    const saves = stdout.match(
      /^ {2}\(umask 077; .*terraform -chdir=infra\/\d state pull > .*\)$/gm,
    );
    expect(saves).toHaveLength(2);
    expect(stdout).toContain('do not revert the pull request: ');
  }));

it('a folder whose other zone has left the list gets a plan without it', () =>
  inFleetOfStates([2], async ({ world: { lab, zoneIds }, dirs, cli }) => {
    await cli(PLAN);
    expect((await cli(`apply ${MANY} --yes`)).code).toBe(0);
    lab.write('zones.csv', `zone_id,dir\n${zoneIds[0]!},${dirs[0]!}\n`);
    const refused = await cli('verify plans --zones zones.csv');
    expect([refused.code, refused.stdout]).toEqual([
      1,
      expect.stringContaining('(PLAN_OF_OTHER_ZONES)\n'),
    ]);
    expect(nextCommands(refused.stdout)).toContain(`cf-waf-migrate ${PLAN}`);
    expect((await cli(PLAN)).stdout).toContain(': wrote plans/infra-0.plan.json: 1 step\n');
    expect((await cli('verify plans --zones zones.csv')).code).toBe(0);
  }));

it('a plan with a blocker is not kept when another plan has migrated its folder', () =>
  inFleetOfStates([1], async ({ world: { lab }, dirs, cli }) => {
    const variable = `${dirs[0]!}/variables.tf`;
    lab.write(variable, 'variable "region" {}\n');
    expect((await cli(PLAN)).stdout).toContain('VARIABLES_UNSET');
    lab.write(`${dirs[0]!}/region.auto.tfvars`, 'region = "eu"\n');
    await cli(`plan --dir ${dirs[0]!} --from 3 --out own.json`);
    expect((await cli('apply own.json --yes')).code).toBe(0);
    expect((await cli(PLAN)).stdout).toContain(': wrote plans/infra-0.plan.json: 1 step\n');
    expect((await cli('verify plans --zones zones.csv')).code).toBe(0);
  }));

it('status resumes an apply that stopped at the last check, also where the state is migrated', () =>
  inFleetOfStates([1], async ({ world: { lab }, dirs, cli }) => {
    const main = `${dirs[0]!}/main.tf`;
    lab.write(main, `${lab.read(main)}\nresource "terraform_data" "new" {}\n`);
    await cli(PLAN);
    const { stdout } = await cli('apply plans --zones zones.csv --yes');
    expect(stdout).toContain('(PLAN_NOT_EMPTY)');
    // a new plan would not have the steps that are done, and would hide the failed check
    const planned = lab.read('plans/infra-0.plan.json');
    for (let run = 0; run < 2; run += 1)
      expect((await cli(PLAN)).stdout).toContain('its last apply failed');
    expect(lab.read('plans/infra-0.plan.json')).toBe(planned);
    const status = await cli('status --zones zones.csv');
    expect(status.stdout).toContain('1 zone: 1 to continue\n');
    expect(nextCommands(status.stdout)).toEqual(['cf-waf-migrate apply plans --zones zones.csv']);
    lab.write(main, lab.read(main).replace('resource "terraform_data" "new" {}', ''));
    expect((await cli('apply plans --zones zones.csv --yes')).code).toBe(0);
    expect((await cli('status --zones zones.csv')).stdout).not.toContain('interrupted');
  }));

it('a change since an earlier apply stops no wave', () =>
  inFleetOfStates([1, 1], async ({ world: { lab, zoneIds }, dirs, cli }) => {
    await cli(PLAN);
    lab.write('first.csv', `zone_id,dir\n${zoneIds[0]!},${dirs[0]!}\n`);
    expect((await cli('apply plans --zones first.csv --yes')).code).toBe(0);
    const ruleset = `${dirs[0]!}/managed_rules.tf`;
    lab.write(ruleset, lab.read(ruleset).replace(/enabled += true/, 'enabled = false'));
    const applied = await cli('apply plans --zones zones.csv --wave 1 --pause 0 --yes');
    expect(applied.stderr).toContain(`(${zoneIds[0]!}): applied already\n`);
    expect(applied.stderr).toContain(`(${zoneIds[1]!}): wave 1\n`);
    expect(applied.stdout).toContain('2 zones: 1 done, 1 failed\n');
  }));

it('a list shows an output that the next apply removes', () =>
  inFleetOfStates([1], async ({ world: { lab }, dirs, cli }) => {
    const main = `${dirs[0]!}/main.tf`;
    const state = JSON.parse(lab.read(`${dirs[0]!}/terraform.tfstate`));
    const [, type, name] = /resource "(\w+)" "(\w+)"/.exec(lab.read(main))!;
    const block = `output "legacy" {\n  value = ${type}.${name}.id\n}\n`;
    lab.write(main, `${lab.read(main)}\n${block}`);
    const outputs = { legacy: { value: 'a', type: 'string' } };
    lab.write(`${dirs[0]!}/terraform.tfstate`, JSON.stringify({ ...state, outputs }));
    await cli(PLAN);
    const note = 'The next `terraform apply` records: output.legacy (removed)\n';
    for (const [command, flags] of [
      ['rehearse', ''],
      ['apply', ' --accept OUTPUTS_REMOVED --yes'],
      ['verify', ''],
    ]) {
      const ran = await cli(`${command!} plans --zones zones.csv${flags!}`);
      expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining(note)]);
    }
  }));

it('a list does not replace the plan of an unfinished run for other zones of the folder', () =>
  inFleetOfStates([2], async ({ world: { lab, zoneIds }, dirs, cli }) => {
    for (const [at, id] of zoneIds.entries())
      lab.write(`wave-${at}.csv`, `zone_id,dir\n${id},${dirs[0]!}\n`);
    lab.write(`${dirs[0]!}/later.tf`, 'resource "terraform_data" "later" {}\n');
    const planOf = (wave: string) => cli(`plan --zones ${wave}.csv --from 3 --out plans`);
    await planOf('wave-0');
    const accept = '--yes --accept OTHER_ZONES';
    const failed = await cli(`apply plans --zones wave-0.csv ${accept}`);
    expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('PLAN_NOT_EMPTY')]);

    const refused = await planOf('wave-1');
    expect([refused.code, refused.stdout]).toEqual([
      1,
      expect.stringMatching(
        /RUN_INTERRUPTED[^]*cf-waf-migrate apply plans\/infra-0\.plan\.json[^]*cf-waf-migrate rollback plans\/infra-0\.plan\.json/,
      ),
    ]);

    // a resource that waits for its first apply can be accepted
    const resumed = await cli(
      `apply plans/infra-0.plan.json ${accept} --accept terraform_data.later`,
    );
    expect([resumed.code, resumed.stdout]).toEqual([
      0,
      expect.stringContaining('Accepted: terraform_data.later (create)\n'),
    ]);
    expect((await planOf('wave-1')).stdout).toContain('wrote plans/infra-0.plan.json');
  }));
