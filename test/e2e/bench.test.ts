import { join } from 'node:path';
import { runProcess } from '../support/run-process';

const root = join(__dirname, '../..');

it('runs every bench with tiny sizes', async () => {
  const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');
  const args = [tsx, 'bench/main.ts', '--tiny'];
  const { code, stdout, stderr } = await runProcess(process.execPath, args, { cwd: root });
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('Error')]);
  expect(stdout.split('\n').length).toBeGreaterThan(30);
});
