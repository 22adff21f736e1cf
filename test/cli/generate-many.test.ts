import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator, errorOf } from './support/cli-with-emulator';
import { fleetScenario, OURS, zoneId, zoneName } from './support/fleet-scenario';

const COUNT = 12;
const cli = cliWithEmulator(fleetScenario({ count: COUNT, moved: (number) => number !== 5 }));
const all = Array.from({ length: COUNT }, (_, number) => number);
let cwd: string;

beforeEach(() => {
  cwd = temporaryFolder();
});
const slug = (number: number): string => zoneName(number).replaceAll('.', '_');

describe('generate for many zones', () => {
  it('writes a CDKTF stack for each, all at one address: each has a state of its own', async () => {
    const { code, document } = await cli.json(['generate', '--account', OURS], { cwd });
    expect(code).toBe(0);
    expect(document.summary).toMatchObject({ zones: COUNT, done: COUNT });
    expect(readdirSync(join(cwd, 'stacks')).sort()).toEqual(all.map((n) => `${slug(n)}.ts`).sort());
    for (const { result } of document.zones) {
      expect(result.resource.address).toBe('cloudflare_ruleset.managed_rules');
    }
    expect(document.zones[5].result.source).toBe('config');
    expect(document.zones[6].result.source).toBe('live');
  });

  it('writes a file anew that is gone since the run that is gone on with', async () => {
    const path = `/zones/${zoneId(4)}/*`;
    cli.emulator().setFaults([{ kind: 'status', status: 403, path }]);
    await cli.run(['generate', '--account', OURS], { cwd });
    cli.emulator().setFaults([]);
    rmSync(join(cwd, `stacks/${slug(3)}.ts`));
    const { document } = await cli.json(['generate', '--account', OURS], { cwd });
    expect(document.summary).toMatchObject({ done: COUNT, earlier: COUNT - 2 });
    expect(existsSync(join(cwd, `stacks/${slug(3)}.ts`))).toBe(true);
  });

  it('gives the same file as for the zone alone', async () => {
    await cli.run(['generate', '--account', OURS, '--out', 'many'], { cwd });
    await cli.run(['generate', '--zone', zoneId(3), '--out', 'one'], { cwd });
    const read = (folder: string): string =>
      readFileSync(join(cwd, folder, `${slug(3)}.ts`), 'utf8');
    expect(read('many')).toBe(read('one'));
  });

  it.each(['hcl', 'tfjson'])(
    'gives each zone an address of its own in one folder of %s',
    async (format) => {
      const args = ['generate', '--account', OURS, '--format', format, '--out', 'waf'];
      const { code, document } = await cli.json(args, { cwd });
      expect(code).toBe(0);
      const addresses = document.zones.map(({ result }: any) => result.resource.address);
      expect(addresses).toEqual(
        all.map((number) => `cloudflare_ruleset.managed_rules_${slug(number)}`),
      );
      expect(readdirSync(join(cwd, 'waf'))).toHaveLength(COUNT + 1);
    },
  );

  it('asks for each zone one request beyond the list', async () => {
    const names = all.filter((number) => number !== 5).map((number) => `${zoneName(number)}\n`);
    writeFileSync(join(cwd, 'zones'), names.join(''));
    const { code } = await cli.run(['generate', '--zones', 'zones', '--source', 'live'], { cwd });
    expect(code).toBe(0);
    const paths = cli
      .emulator()
      .requests()
      .map(({ path }) => path);
    expect(paths[0]).toBe('/zones');
    expect(paths.slice(1).sort()).toEqual(
      all
        .filter((number) => number !== 5)
        .map((n) => `/zones/${zoneId(n)}/rulesets/phases/http_request_firewall_managed/entrypoint`),
    );
  });

  it('trap 0.10: never writes a stack for a zone whose read failed or came half, and writes the others', async () => {
    const path = (number: number): string => `/zones/${zoneId(number)}/rulesets/*`;
    cli.emulator().setFaults([
      { kind: 'truncate', path: path(1) },
      { kind: 'html', status: 200, path: path(2) },
      { kind: 'unsuccessful', path: path(3) },
      { kind: 'status', status: 403, path: path(4) },
    ]);
    const { code, document } = await cli.json(['generate', '--account', OURS, '--source', 'live'], {
      cwd,
    });
    expect(code).toBe(1);
    const failed = document.zones.filter(({ outcome }: any) => outcome === 'failed');
    expect(failed.map(({ zone, error }: any) => [zone, error.code])).toEqual([
      [zoneId(1), 'API_RESPONSE_INVALID'],
      [zoneId(2), 'API_RESPONSE_INVALID'],
      [zoneId(3), 'API_REFUSED'],
      [zoneId(4), 'API_UNAUTHORIZED'],
      [zoneId(5), 'ENTRY_POINT_MISSING'],
    ]);
    expect(readdirSync(join(cwd, 'stacks')).sort()).toEqual(
      all
        .filter((n) => n === 0 || n > 5)
        .map((n) => `${slug(n)}.ts`)
        .sort(),
    );
  });

  it('does not overwrite a stack that somebody changed, and says so by zone', async () => {
    mkdirSync(join(cwd, 'stacks'));
    writeFileSync(join(cwd, 'stacks', `${slug(2)}.ts`), '// mine\n');
    const { document } = await cli.json(['generate', '--account', OURS], { cwd });
    expect(document.summary).toMatchObject({ done: COUNT - 1, failed: 1 });
    expect(document.zones[2].error.code).toBe('FILE_EXISTS');
    expect(readFileSync(join(cwd, 'stacks', `${slug(2)}.ts`), 'utf8')).toBe('// mine\n');
  });

  it('writes one project around the stacks of all', async () => {
    const { code } = await cli.run(['generate', '--account', OURS, '--project', 'waf'], { cwd });
    expect(code).toBe(0);
    expect(existsSync(join(cwd, 'waf/main.ts'))).toBe(true);
    expect(readdirSync(join(cwd, 'waf/stacks'))).toHaveLength(COUNT);
  });

  it.each([
    [['--config', 'x.json'], /--config is of one zone/],
    [['--state', 'x'], /--state is of one zone/],
    [['--catalogue', 'x'], /--catalogue is of one zone/],
    [['--managed-ruleset', 'x'], /--managed-ruleset is of one zone/],
    [['--source', 'old'], /--source old is for one zone/],
    [['--format', 'hcl', '--address', 'cloudflare_ruleset.x'], /--address is one resource/],
  ])('takes no %j', async (args, words) => {
    const ran = await cli.run(['generate', '--account', OURS, ...args, '--json'], { cwd });
    expect([ran.code, errorOf(ran).message]).toEqual([64, expect.stringMatching(words)]);
  });
});
