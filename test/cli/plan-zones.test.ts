import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Plan } from '../../src/plan/plan';
import { statesFolder } from '../plan/support/plans';
import { temporaryFolder } from '../support/temporary-folder';
import { errorOf } from '../support/cli-over';
import { cliWithEmulator } from './support/cli-with-emulator';

const state = ['--state', join(statesFolder, 'old-waf-3.35.tfstate')];
const cli = cliWithEmulator('old-waf');
let cwd: string;

beforeEach(() => {
  cwd = temporaryFolder();
});

const list = (...lines: string[]): string[] => {
  writeFileSync(join(cwd, 'zones.txt'), lines.map((line) => `${line}\n`).join(''));
  return ['--zones', 'zones.txt'];
};
const ids = () => cli.emulator().zones.map(({ id }) => id);
const planned = async (args: string[]): Promise<Plan> =>
  JSON.parse((await cli.run(['plan', ...state, ...args, '--json'], { cwd })).stdout);

describe('plan --zones', () => {
  it('is the plan of the same zones named one by one, and asks for each entry point once', async () => {
    const one = await planned(ids().flatMap((id) => ['--zone', id]));
    cli.emulator().clearRequests();
    expect(await planned(list('# all of ours', ...ids(), ids()[0] ?? ''))).toEqual(one);
    expect(one.zones.map(({ zoneId }) => zoneId)).toEqual(ids());
    const asked = cli
      .emulator()
      .requests()
      .map(({ path }) => path);
    expect(asked.toSorted()).toEqual(
      ids()
        .map((id) => `/zones/${id}/rulesets/phases/http_request_firewall_managed/entrypoint`)
        .toSorted(),
    );
  });

  it('takes names, for one request more', async () => {
    const names = cli.emulator().zones.map(({ name }) => name);
    const plan = await planned(list(...names));
    expect(plan.zones.map(({ zoneId }) => zoneId)).toEqual(ids());
    expect(cli.emulator().requests()).toHaveLength(names.length + 1);
  });

  it('works offline where each zone has its ruleset id', async () => {
    const given = ids().map((id, index) => `${id}=${String(index).padStart(32, 'a')}`);
    const plan = await planned([...list(...ids()), '--ruleset-id', ...given]);
    expect(plan.zones).toHaveLength(ids().length);
    expect(cli.emulator().requests()).toEqual([]);
  });

  it('takes a zone that stands there again without its name for the same one, also offline', async () => {
    const given = ids().map((id, index) => `${id}=${String(index).padStart(32, 'a')}`);
    const again = ids().map((id) => `${id},`);
    const named = cli.emulator().zones.map(({ id, name }) => `${id},${name}`);
    const plan = await planned([
      ...list('zone_id,name', ...named, ...again),
      '--ruleset-id',
      ...given,
    ]);
    expect(plan.zones).toHaveLength(ids().length);
  });

  it('refuses two ruleset ids of one zone, and takes one that is given twice', async () => {
    const [zone = ''] = ids();
    const [one, other] = ['a', 'b'].map((digit) => `${zone}=${digit.repeat(32)}`);
    const args = ['plan', ...state, '--zone', zone, '--json', '--ruleset-id', one ?? ''];
    const two = await cli.run([...args, other ?? ''], { cwd });
    expect([two.code, errorOf(two).code]).toEqual([64, 'USAGE']);
    expect((await cli.run([...args, one ?? ''], { cwd })).stderr).toContain('OTHER_ZONES');
  });

  it('plans all zones of the list or none', async () => {
    const file = list(ids()[0] ?? '', 'unknown.example.com', '\u001b[2Jhostile');
    const ran = await cli.run(['plan', ...state, ...file, '--json'], { cwd });
    expect(ran.code).toBe(1);
    const { code, findings } = errorOf(ran);
    expect(code).toBe('ZONE_NOT_REACHED');
    expect(findings.map(({ subject }: any) => subject)).toEqual([
      'line 2: unknown.example.com',
      expect.stringMatching(/^line 3: \P{Cc}*hostile$/u),
    ]);
  });

  it.each([
    ['no zone', [], 'ZONES_EMPTY', 1],
    ['a zone beside it', ['x'], 'USAGE', 64],
  ])('refuses %s', async (_, lines, expected, code) => {
    const beside = lines.length === 0 ? [] : ['--zone', ids()[0] ?? ''];
    const ran = await cli.run(['plan', ...state, ...list(...lines), ...beside, '--json'], { cwd });
    expect([ran.code, errorOf(ran).code]).toEqual([code, expected]);
  });
});
