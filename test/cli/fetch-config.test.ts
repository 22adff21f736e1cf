import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator, ENTERPRISE, errorOf, MIGRATED } from './support/cli-with-emulator';

const cli = cliWithEmulator();

async function answerOf(zone: string): Promise<string> {
  const { baseUrl, credentials } = cli.emulator();
  const response = await fetch(`${baseUrl}/zones/${zone}/waf_migration/config?phase_two=1`, {
    headers: { authorization: `Bearer ${credentials.token}` },
  });
  return response.text();
}

describe('fetch-config', () => {
  it('prints the answer as it came, byte for byte, with and without --json', async () => {
    const answer = await answerOf(ENTERPRISE);
    for (const flags of [[], ['--json']]) {
      const ran = await cli.run(['fetch-config', '--zone', ENTERPRISE, ...flags]);
      expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, answer, '']);
    }
  });

  it('writes it to a file, and leaves a file alone that is the same', async () => {
    const cwd = temporaryFolder();
    const args = ['fetch-config', '--zone', ENTERPRISE, '--out', 'saved/config.json'];
    const first = await cli.run(args, { cwd });
    expect(first.code).toBe(0);
    expect(first.stdout).toBe(
      `wrote saved/config.json\n\nNext:\n  cf-waf-migrate generate --zone ${ENTERPRISE} --config saved/config.json\n`,
    );
    const path = join(cwd, 'saved/config.json');
    expect(readFileSync(path, 'utf8')).toBe(await answerOf(ENTERPRISE));
    const { ino } = statSync(path);
    expect((await cli.run(args, { cwd })).code).toBe(0);
    expect(statSync(path).ino).toBe(ino);
  });

  it('overwrites another file only with --force', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'config.json'), 'mine');
    const args = ['fetch-config', '--zone', ENTERPRISE, '--out', 'config.json'];
    const refused = await cli.run([...args, '--json'], { cwd });
    expect([refused.code, errorOf(refused).code]).toEqual([1, 'FILE_EXISTS']);
    expect(readFileSync(join(cwd, 'config.json'), 'utf8')).toBe('mine');
    expect((await cli.run([...args, '--force'], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, 'config.json'), 'utf8')).toBe(await answerOf(ENTERPRISE));
  });

  it('of a zone that has moved fails with what the service says', async () => {
    const ran = await cli.run(['fetch-config', '--zone', MIGRATED, '--json']);
    expect(ran.code).toBe(1);
    expect(errorOf(ran).message).toContain(MIGRATED);
  });
});
