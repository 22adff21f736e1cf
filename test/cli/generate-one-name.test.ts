import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator, errorOf } from './support/cli-with-emulator';
import { fleetScenario, zoneId } from './support/fleet-scenario';

describe.each([
  ['one name', 'shop.example'],
  ['two spellings of one name', 'Shop.Example'],
])('generate, for two zones of %s,', (_, second) => {
  const name = (number: number): string => (number === 0 ? 'shop.example' : second);
  const cli = cliWithEmulator(fleetScenario({ count: 2, name }));
  const ids = [zoneId(0), zoneId(1)];

  it.each(['cdktf', 'hcl', 'tfjson'])(
    'as %s in one folder writes one, and refuses the other by both ids, also with --force',
    async (format) => {
      const cwd = temporaryFolder();
      writeFileSync(join(cwd, 'zones'), ids.join('\n'));
      const line = ['generate', '--zones', 'zones', '--format', format, '--out', 'waf'];
      const run = async (...more: string[]) => {
        const { code, document } = await cli.json([...line, ...more], { cwd });
        const of = (outcome: string) =>
          document.zones.filter((zone: any) => zone.outcome === outcome);
        const [failed, ...others] = of('failed');
        expect([code, failed?.error.code, others]).toEqual([1, 'FILE_EXISTS', []]);
        for (const id of ids) expect(failed.error.message).toContain(id);
        expect(failed.error.hint).not.toContain('--force');
        return of('done')[0].zone;
      };
      const written = await run('--force');
      const read = (): string =>
        readdirSync(join(cwd, 'waf'))
          .map((file) => readFileSync(join(cwd, 'waf', file), 'utf8'))
          .join('');
      const text = read();
      expect(ids.filter((id) => text.includes(id))).toEqual([written]);
      expect(await run('--force', '--ledger', 'other.jsonl')).toBe(written);
      expect(await run()).toBe(written);
      expect(read()).toBe(text);
    },
  );

  it('one after the other in one folder refuses the second, also with --force', async () => {
    const cwd = temporaryFolder();
    const [first, other] = ids.map((id) => ['generate', '--zone', id, '--force', '--json']);
    expect((await cli.run(first!, { cwd })).code).toBe(0);
    const ran = await cli.run(other!, { cwd });
    expect([ran.code, errorOf(ran).code]).toEqual([1, 'FILE_EXISTS']);
    for (const id of ids) expect(errorOf(ran).message).toContain(id);
    expect((await cli.run([...other!, '--out', 'other'], { cwd })).code).toBe(0);
  });
});
