import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator, ENTERPRISE, MIGRATED, PRO } from './support/cli-with-emulator';

const cli = cliWithEmulator('demo');
const stacks = join(__dirname, '../../stacks');
const filesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name !== 'main.ts')
    .sort();

it('the stacks of this repository are what generate gives for the example zones', async () => {
  const cwd = temporaryFolder();
  for (const zone of [ENTERPRISE, PRO, MIGRATED]) {
    const ran = await cli.run(['generate', '--zone', zone, '--provider', '5'], { cwd });
    expect([ran.stderr, ran.stdout.split('\n')[0]]).toEqual([
      '',
      expect.stringMatching(/^Generated/),
    ]);
  }
  const generated = filesIn(join(cwd, 'stacks'));
  expect(generated).toHaveLength(3);
  if (process.env['UPDATE_GOLDEN'] === '1') {
    for (const file of generated) copyFileSync(join(cwd, 'stacks', file), join(stacks, file));
  }
  expect(filesIn(stacks)).toEqual(generated);
  for (const file of generated) {
    const text = readFileSync(join(stacks, file), 'utf8');
    expect([file, text]).toEqual([file, readFileSync(join(cwd, 'stacks', file), 'utf8')]);
  }
});
