import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator, errorOf } from './support/cli-with-emulator';
import { fleetScenario, OURS, zoneId } from './support/fleet-scenario';

const COUNT = 6;
const cli = cliWithEmulator(fleetScenario({ count: COUNT, moved: () => false }));
let cwd: string;
beforeEach(() => {
  cwd = temporaryFolder();
});
const REPORT = ['report', '--account', OURS, '--format', 'html', '--out', 'reports'];

it('report for many zones writes one each, as for that zone alone, and asks none for its name', async () => {
  cli
    .emulator()
    .setFaults([{ kind: 'status', status: 403, path: `/zones/${zoneId(4)}/*`, times: 40 }]);
  const first = await cli.json(REPORT, { cwd });
  expect(first.document.summary).toMatchObject({ zones: COUNT, failed: 1 });
  const asked = cli
    .emulator()
    .requests()
    .map(({ path }) => path);
  expect(asked.filter((path) => /^\/zones\/\w+$/.test(path))).toEqual([]);
  expect(readdirSync(join(cwd, 'reports'))).toHaveLength(COUNT - 1);
  expect(first.document.zones[0].result).toMatchObject({
    files: [`reports/${zoneId(0)}.html`],
    against: 'the migration configuration',
    summary: { lost: expect.any(Number) },
  });

  cli.emulator().setFaults([]);
  const second = await cli.json(REPORT, { cwd });
  expect(second.document.summary).toMatchObject({ failed: 0, earlier: COUNT - 1 });
  await cli.run(['report', '--zone', zoneId(2), '--format', 'html', '--out', 'alone.html'], {
    cwd,
  });
  const read = (path: string): string => readFileSync(join(cwd, path), 'utf8');
  expect(read(`reports/${zoneId(2)}.html`)).toBe(read('alone.html'));
});

it('report for many zones is done anew where another catalogue tells of the rules', async () => {
  cli.emulator().setFaults([{ kind: 'status', status: 403, path: `/zones/${zoneId(4)}/*` }]);
  const catalogue = { format: 'cf-waf-migrate/catalogue', formatVersion: 1, rules: [] };
  writeFileSync(join(cwd, 'catalogue.json'), JSON.stringify(catalogue));
  expect((await cli.json(REPORT, { cwd })).document.summary).toMatchObject({ failed: 1 });
  const again = await cli.run([...REPORT, '--force', '--catalogue', 'catalogue.json', '--json'], {
    cwd,
  });
  expect(again.stderr).toBe('');
  expect(JSON.parse(again.stdout).summary).toMatchObject({ earlier: 0 });
});

it('report for many zones is done anew where the catalogue of that name tells something else', async () => {
  cli.emulator().setFaults([{ kind: 'status', status: 403, path: `/zones/${zoneId(4)}/*` }]);
  const line = [...REPORT, '--force', '--catalogue', 'catalogue.json'];
  const runWith = async (rules: readonly object[]) => {
    const catalogue = { format: 'cf-waf-migrate/catalogue', formatVersion: 1, rules };
    writeFileSync(join(cwd, 'catalogue.json'), JSON.stringify(catalogue));
    return (await cli.json(line, { cwd })).document.summary;
  };
  expect(await runWith([])).toMatchObject({ failed: 1 });
  expect(await runWith([{ legacyId: '100000', newIds: [] }])).toMatchObject({ earlier: 0 });
});

it.each([
  ['without a folder', ['--account', OURS], /--out <dir>/],
  ['with an answer of one zone', ['--account', OURS, '--out', 'x', '--config', 'c'], /--config/],
  [
    'with a zone beside the list',
    ['--zones', 'z', '--zone', zoneId(0)],
    /pass either --zone, or --zones/,
  ],
])('report for many zones is a usage error %s', async (_, args, words) => {
  writeFileSync(join(cwd, 'z'), zoneId(1));
  const ran = await cli.run(['report', ...args, '--json'], { cwd });
  expect([ran.code, errorOf(ran).code]).toEqual([64, 'USAGE']);
  expect(errorOf(ran).message).toMatch(words);
});

it('report for many zones is done anew where the state of that name holds something else', async () => {
  const line = [...REPORT, '--force', '--against', 'ours', '--state', 'old.tfstate', '--json'];
  const runWith = async (mode: string) => {
    const attributes = { id: 'a', zone_id: zoneId(0), rule_id: '100000', mode };
    const resource = {
      ...{ mode: 'managed', type: 'cloudflare_waf_rule', name: 'a' },
      provider: 'provider["registry.terraform.io/cloudflare/cloudflare"]',
      instances: [{ schema_version: 0, attributes }],
    };
    const state = { version: 4, serial: 1, lineage: 'l', outputs: {}, resources: [resource] };
    writeFileSync(join(cwd, 'old.tfstate'), JSON.stringify(state));
    return JSON.parse((await cli.run(line, { cwd })).stdout).summary;
  };
  // the others stand in no state: such a run is picked up
  expect(await runWith('disable')).toMatchObject({ failed: COUNT - 1, earlier: 0 });
  expect(await runWith('disable')).toMatchObject({ earlier: 1 });
  expect(await runWith('block')).toMatchObject({ earlier: 0 });
});
