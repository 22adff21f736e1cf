import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Emulator, startEmulator } from '../../src/emulator/emulator';
import { CliLab, errorOf, jsonOf, wrongCredentials } from '../support/cli-lab';
import { ENTERPRISE, MIGRATED, NOT_ELIGIBLE } from '../support/zones';
import { seen } from '../support/over-emulator';
import { temporaryFolder } from '../support/temporary-folder';

const Z = `--zone ${NOT_ELIGIBLE} --yes`;
/** The same without consent. */
const ASKING = `--zone ${NOT_ELIGIBLE}`;
const ID = 'c0de0000000000000000000000000001';

let emulator: Emulator;
let cwd: string;
const cli: CliLab['cli'] = (...args) => new CliLab(emulator, cwd).cli(...args);
const overrides = async () =>
  jsonOf(await cli(`firewall overrides list ${Z} --json`)).overrides as any[];

beforeEach(async () => {
  emulator = await startEmulator({ scenario: 'not-eligible' });
  cwd = temporaryFolder();
});
afterEach(() => emulator.stop());

test('deleting an override saves it to a file that makes it again', async () => {
  const before = await overrides();
  const run = await cli(`firewall overrides delete ${Z} --id ${ID} --json`);
  expect(run.code).toBe(0);
  const [{ file }] = jsonOf(run).deleted;
  expect(statSync(join(cwd, file)).mode & 0o777).toBe(0o600);
  expect((await overrides()).map(({ id }) => id)).not.toContain(ID);
  const made = await cli(`firewall overrides create ${Z} --from ${file} --json`);
  expect(made.code).toBe(0);
  const { id, ...fields } = before.find((one) => one.id === ID);
  expect(jsonOf(made).override).toEqual({ id: expect.any(String) as string, ...fields });
  expect(id).toBe(ID);
});

test('the override is saved before it is deleted, or not deleted at all', async () => {
  emulator.setFaults([{ kind: 'drop', method: 'DELETE', path: '*', when: 'after' }]);
  const run = await cli(`firewall overrides delete ${Z} --id ${ID} --json`);
  expect(run.code).toBe(1);
  emulator.setFaults([]);
  const saved = JSON.parse(
    readFileSync(join(cwd, `cf-waf-migrate-backup/waf-override-${ID}.json`), 'utf8'),
  );
  expect(saved).toMatchObject({
    zoneId: NOT_ELIGIBLE,
    override: { id: ID, description: 'old shop' },
  });
  expect(seen(emulator).filter((line) => line.startsWith('DELETE'))).toHaveLength(1);
});

test('the same id with other settings never overwrites an earlier backup', async () => {
  await cli(`firewall overrides delete ${Z} --id ${ID}`);
  await emulator.stop();
  emulator = await startEmulator({ scenario: 'not-eligible' });
  await cli(`firewall overrides update ${Z} --id ${ID} --paused`);
  const again = jsonOf(await cli(`firewall overrides delete ${Z} --id ${ID} --json`));
  expect(again.deleted[0].file).toMatch(/-2\.json$/);
});

test('all overrides go after a question, and then the zone may migrate', async () => {
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

test('an override is made and changed by flags', async () => {
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

test('an override on a zone that could migrate blocks it, and the command says so', async () => {
  await emulator.stop();
  emulator = await startEmulator({ scenario: 'enterprise' });
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
  expect(seen(emulator)).toEqual([]);
});

test('a file that holds no override creates none', async () => {
  const { writeFileSync } = await import('node:fs');
  writeFileSync(join(cwd, 'x.json'), '{"urls": "a.example"}');
  writeFileSync(join(cwd, 'y.json'), '{"urls": ');
  for (const [file, code] of [
    ['x.json', 'OVERRIDE_INVALID'],
    ['y.json', 'FILE_UNREADABLE'],
    ['z.json', 'FILE_UNREADABLE'],
  ]) {
    const run = await cli(`firewall overrides create ${Z} --from ${file} --json`);
    expect([run.code, errorOf(run).code]).toEqual([1, code]);
  }
  expect(seen(emulator)).toEqual([]);
});

test('wrong credentials delete nothing', async () => {
  const before = await overrides();
  for (const environment of Object.values(wrongCredentials(emulator))) {
    for (const line of [
      `list ${Z}`,
      `delete ${Z} --id ${ID}`,
      `delete ${Z} --all --yes`,
      `update ${Z} --id ${ID} --paused`,
      `create ${Z} --url a --rule 1=block`,
    ]) {
      const run = await cli(`firewall overrides ${line} --json`, { environment });
      expect({ line, code: run.code, error: errorOf(run).code }).toEqual({
        line,
        code: 1,
        error: 'API_UNAUTHORIZED',
      });
    }
  }
  expect(await overrides()).toEqual(before);
});

test.each(['403/10000', '404', '400/1002', '410', 'html'])(
  'on a zone that has moved the interface is gone (%s), which is a failure and not an empty list',
  async (gone) => {
    await emulator.stop();
    emulator = await startEmulator({
      scenario: { name: 'gone', include: ['migrated'], settings: { gone } },
    });
    const run = await cli(`firewall overrides list --zone ${MIGRATED} --json`);
    expect(run.code).toBe(1);
    expect(run.stdout).toBe('');
    if (/^4/.test(gone)) expect(errorOf(run).hint).toMatch(/a migrated zone has no overrides/);
  },
);
