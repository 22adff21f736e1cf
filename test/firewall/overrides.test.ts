import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliLab, errorOf, jsonOf, wrongCredentials } from '../support/cli-lab';
import { nextCommands } from '../support/next-commands';
import { ENTERPRISE, MIGRATED, NOT_ELIGIBLE } from '../support/zones';
import { seen } from '../support/over-emulator';

const Z = `--zone ${NOT_ELIGIBLE} --yes`;
/** Without consent. */
const ASKING = `--zone ${NOT_ELIGIBLE}`;
const ID = 'c0de0000000000000000000000000001';

let lab: CliLab;
const cli: CliLab['cli'] = (...args) => lab.cli(...args);
/** Continues with another scenario in the same folder. */
async function restart(scenario: string | object): Promise<void> {
  await lab.emulator.stop();
  lab = new CliLab((await CliLab.of(scenario)).emulator, lab.cwd);
}
const overrides = async () =>
  jsonOf(await cli(`firewall overrides list ${Z} --json`)).overrides as any[];

beforeEach(async () => {
  lab = await CliLab.of('not-eligible');
});
afterEach(() => lab.emulator.stop());

test('delete saves an override to a file that create accepts', async () => {
  const before = await overrides();
  const run = await cli(`firewall overrides delete ${Z} --id ${ID} --json`);
  expect(run.code).toBe(0);
  const [{ file }] = jsonOf(run).deleted;
  expect(statSync(join(lab.cwd, file)).mode & 0o777).toBe(0o600);
  expect((await overrides()).map(({ id }) => id)).not.toContain(ID);
  const made = await cli(`firewall overrides create ${Z} --from ${file} --json`);
  expect(made.code).toBe(0);
  const saved = before.find(({ id }) => id === ID);
  expect(jsonOf(made).override).toEqual({ ...saved, id: expect.any(String) as string });
});

test('saves an override before it deletes it', async () => {
  lab.emulator.setFaults([{ kind: 'drop', method: 'DELETE' }]);
  expect((await cli(`firewall overrides delete ${Z} --id ${ID} --json`)).code).toBe(1);
  const saved = JSON.parse(lab.read(`cf-waf-migrate-backup/waf-override-${ID}.json`));
  expect(saved).toMatchObject({
    zoneId: NOT_ELIGIBLE,
    override: { id: ID, description: 'old shop' },
  });
});

describe('report counts the settings of a deleted override', () => {
  const FILE = `cf-waf-migrate-backup/waf-override-${ID}.json`;
  const OURS = `report ${ASKING} --against ours --json`;
  /** The settings of all overrides, without the place where they were read. */
  const settings = async (line = OURS): Promise<any[]> =>
    jsonOf(await cli(line))
      .settings.filter(({ kind }: any) => kind === 'override')
      .map((setting: any) => ({ ...setting, from: '' }));

  test('as those of a live one, and names its file', async () => {
    const before = await settings();
    const run = await cli(`firewall overrides delete ${Z} --id ${ID}`);
    expect(run.stderr).toContain(
      `\n  cf-waf-migrate report --zone ${NOT_ELIGIBLE} --against ours\n`,
    );
    expect(run.stdout).toContain('In this folder, `report` counts their settings.');
    expect(before.length).toBeGreaterThan(0);
    expect(jsonOf(await cli(OURS)).findings).toContainEqual(
      expect.objectContaining({ code: 'OVERRIDES_BY_HAND', severity: 'info' }),
    );
    const after = await settings();
    expect(after).toHaveLength(before.length);
    expect(after).toEqual(expect.arrayContaining(before));
    const { stdout } = await cli(`report ${ASKING} --against ours`);
    expect(stdout).toContain(FILE);
    // other overrides still block the zone
    expect(nextCommands(stdout)).toEqual([`cf-waf-migrate check --zone ${NOT_ELIGIBLE}`]);
  });

  test('with the migration configuration, in a list of zones, and after `finish`', async () => {
    await cli(`firewall overrides delete ${Z} --all`);
    const alone = await settings(`report ${ASKING} --json`);
    expect(alone.map(({ status }) => status)).toContain('lost');
    expect(alone.find(({ attribute }) => attribute.startsWith('rules['))?.remedy).toMatch(
      /, add one where .*legacy\.example\.com.*, from this rule$/,
    );
    expect(alone.find(({ attribute }) => attribute.startsWith('groups['))?.remedy).toMatch(
      /, add one where .*, from the rules (?:[0-9a-f]{32}, ){19}[0-9a-f]{32}; add the other rules of the group/,
    );
    writeFileSync(join(lab.cwd, 'zones.txt'), `${NOT_ELIGIBLE}\n`);
    await cli('report --zones zones.txt --out reports --format json');
    const listed = JSON.parse(lab.read(`reports/${NOT_ELIGIBLE}.json`)).settings;
    expect(listed.filter(({ kind }: any) => kind === 'override')).toHaveLength(alone.length);
    const { name } = jsonOf(await cli(`report ${ASKING} --json`));
    expect((await cli(`finish ${ASKING} --confirm ${name}`)).code).toBe(0);
    const backup = `--backup cf-waf-migrate-backup/old-waf-${NOT_ELIGIBLE}.json`;
    expect(await settings(`report ${backup} --json`)).toHaveLength(alone.length);
  });

  test('once, if it exists again', async () => {
    const before = await settings();
    await cli(`firewall overrides delete ${Z} --id ${ID}`);
    await cli(`firewall overrides create ${Z} --from ${FILE}`);
    expect(await settings()).toHaveLength(before.length);
  });

  test('of its zone only', async () => {
    await cli(`firewall overrides delete ${Z} --all`);
    await restart('enterprise');
    expect(await settings(`report --zone ${ENTERPRISE} --against ours --json`)).toEqual([]);
  });

  test.each([
    ['{"zoneId": ', 'FILE_UNREADABLE'],
    ['{}', 'OVERRIDE_INVALID'],
    ['{"urls": ["a.example/*"], "rules": {"100001": "block"}}', 'OVERRIDE_INVALID'],
  ])('and refuses the damaged file %s', async (text, code) => {
    await cli(`firewall overrides delete ${Z} --id ${ID}`);
    writeFileSync(join(lab.cwd, FILE), text);
    const run = await cli(OURS);
    expect([run.code, errorOf(run).code]).toEqual([1, code]);
    expect(errorOf(run).message).toContain(FILE);
  });
});

test('keeps an earlier backup of the same override', async () => {
  await cli(`firewall overrides delete ${Z} --id ${ID}`);
  await restart('not-eligible');
  await cli(`firewall overrides update ${Z} --id ${ID} --paused`);
  const again = jsonOf(await cli(`firewall overrides delete ${Z} --id ${ID} --json`));
  expect(again.deleted[0].file).toMatch(/-2\.json$/);
});

test('delete --all asks, and then the zone is eligible', async () => {
  for (const answers of [['n'], ['']]) {
    expect((await cli(`firewall overrides delete ${ASKING} --all`, { answers })).code).toBe(3);
  }
  expect((await cli(`firewall overrides delete ${ASKING} --all`)).code).toBe(3);
  expect(await overrides()).toHaveLength(2);
  expect((await cli(`check ${Z}`)).code).toBe(2);
  expect((await cli(`firewall overrides delete ${ASKING} --all`, { answers: ['yes'] })).code).toBe(
    0,
  );
  expect((await cli(`check ${Z}`)).code).toBe(0);
  expect((await cli(`firewall overrides delete ${Z} --all --yes`)).code).toBe(0);
});

test('creates and changes an override by flags', async () => {
  const line = `firewall overrides create ${Z} --url a.example/* b.example/* --rule 100001=block 100002=disable --group ${'e'.repeat(32)}=default --rewrite block=challenge --priority -3 --description two --json`;
  const { override } = jsonOf(await cli(line));
  expect(override).toMatchObject({
    urls: ['a.example/*', 'b.example/*'],
    rules: { '100001': 'block', '100002': 'disable' },
    groups: { ['e'.repeat(32)]: 'default' },
    rewrite_action: { block: 'challenge' },
    priority: -3,
    description: 'two',
    paused: false,
  });
  const update = `firewall overrides update ${Z} --id ${override.id} --rule 100001=simulate --paused`;
  expect((await cli(update)).code).toBe(0);
  expect((await overrides()).find(({ id }) => id === override.id)).toEqual({
    ...override,
    rules: { '100001': 'simulate' },
    paused: true,
  });
});

test('update asks before it replaces all rules of an override', async () => {
  const update = `firewall overrides update ${ASKING} --id ${ID}`;
  const { stderr } = await cli(`${update} --rule 100001=simulate`, { answers: ['n'] });
  expect(stderr).toContain('Update override, replacing all its rules');
  const paused = await cli(`${update} --paused`, { answers: ['n'] });
  expect(paused.stderr).not.toContain('replacing');
});

test('reports that a new override blocks the migration', async () => {
  await restart('enterprise');
  const zone = `--zone ${ENTERPRISE} --yes`;
  const line = `firewall overrides create ${zone} --url a.example/* --rule 100001=block`;
  expect((await cli(line)).stdout).toContain('cannot migrate');
  expect((await cli(`check ${zone}`)).code).toBe(2);
});

test.each([
  [`firewall overrides create ${Z}`, 'nothing to create'],
  [`firewall overrides create ${Z} --url a --rule 100001`, 'a rule without a mode'],
  [`firewall overrides update ${Z} --id ${ID}`, 'no change'],
  [`firewall overrides update ${Z} --paused`, 'no id'],
  [`firewall overrides delete ${Z}`, 'neither an id nor all'],
  [`firewall overrides delete ${Z} --id ${ID} --all`, 'an id and all'],
  [`firewall overrides update ${Z} --id ${ID} --priority 1.5`, 'half a priority'],
])('%s is a usage error (%s)', async (line) => {
  expect((await cli(line)).code).toBe(64);
  expect(seen(lab.emulator)).toEqual([]);
});

test('refuses a file without an override', async () => {
  writeFileSync(join(lab.cwd, 'x.json'), '{"urls": "a.example"}');
  writeFileSync(join(lab.cwd, 'y.json'), '{"urls": ');
  for (const [file, code] of [
    ['x.json', 'OVERRIDE_INVALID'],
    ['y.json', 'FILE_UNREADABLE'],
    ['z.json', 'FILE_UNREADABLE'],
  ]) {
    const run = await cli(`firewall overrides create ${Z} --from ${file} --json`);
    expect([run.code, errorOf(run).code]).toEqual([1, code]);
  }
  expect(seen(lab.emulator)).toEqual([]);
});

test('wrong credentials delete nothing', async () => {
  const before = await overrides();
  for (const environment of Object.values(wrongCredentials(lab.emulator))) {
    for (const line of [
      `list ${Z}`,
      `delete ${Z} --id ${ID}`,
      `delete ${Z} --all --yes`,
      `update ${Z} --id ${ID} --paused`,
      `create ${Z} --url a --rule 1=block`,
    ]) {
      const run = await cli(`firewall overrides ${line} --json`, { environment });
      expect([line, run.code, errorOf(run).code]).toEqual([line, 1, 'API_UNAUTHORIZED']);
    }
  }
  expect(await overrides()).toEqual(before);
});

test.each(['403/10000', '404', '400/1002', '410', 'html'])(
  'fails on a migrated zone, whose API answers %s, instead of listing nothing',
  async (gone) => {
    await restart({ name: 'gone', include: ['migrated'], settings: { gone } });
    const run = await cli(`firewall overrides list --zone ${MIGRATED} --json`);
    const error = errorOf(run);
    expect(run.code).toBe(1);
    if (gone !== 'html') expect(error.hint).toMatch(/a migrated zone has no overrides/);
  },
);
