import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmulator } from '../../src/emulator/emulator';
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator, MIGRATED } from './support/cli-with-emulator';

const cli = cliWithEmulator();

describe('generate, with hostile names', () => {
  it.each([
    'cloudflare_ruleset.a"b',
    'cloudflare_ruleset.',
    'module.a.cloudflare_ruleset.b',
    'a\u001b[2J',
    'cloudflare_ruleset.a\n',
  ])('refuses the address %j, and prints no control character', async (address) => {
    const cwd = temporaryFolder();
    const ran = await cli.run(['generate', '--zone', MIGRATED, '--address', address], { cwd });
    expect(ran.code).toBe(64);
    expect(ran.stderr).not.toMatch(/[^\P{Cc}\n]/u);
    expect(readdirSync(cwd)).toEqual([]);
  });

  it('writes a zone of any name inside the output folder, named by nothing hostile', async () => {
    const cwd = temporaryFolder();
    const scenario = JSON.parse(
      readFileSync(join(__dirname, '../../src/emulator/scenarios/migrated.json'), 'utf8'),
    );
    scenario.zones[0].name = '../../evil\u001b[2J\n$(id)/"x';
    const emulator = await startEmulator({ scenario });
    try {
      const environment = { CLOUDFLARE_BASE_URL: emulator.baseUrl };
      const ran = await cli.run(['generate', '--zone', MIGRATED, '--out', 'a/b'], {
        cwd,
        environment,
      });
      expect([ran.code, ran.stderr]).toEqual([0, '']);
      expect(ran.stdout).not.toMatch(/[^\P{Cc}\n]/u);
      expect(readdirSync(cwd)).toEqual(['a']);
      const [file, ...others] = readdirSync(join(cwd, 'a/b'));
      expect([others, file]).toEqual([[], expect.stringMatching(/^[a-z0-9_-]+\.ts$/)]);
      expect(readFileSync(join(cwd, 'a/b', file!), 'utf8')).not.toMatch(/[^\P{Cc}\n]/u);
    } finally {
      await emulator.stop();
    }
  });
});
