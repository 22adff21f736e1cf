import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess } from '../support/run-process';

const root = join(__dirname, '../..');

it('the README shows the picture of the demo', () => {
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain('](docs/demo.svg)');
});

it('docs/demo.svg shows what the demo prints', async () => {
  const ran = await runProcess(process.execPath, ['scripts/draw-demo.mjs', '--check'], {
    cwd: root,
  });
  expect(ran).toEqual({ code: 0, stdout: '', stderr: '' });
});
