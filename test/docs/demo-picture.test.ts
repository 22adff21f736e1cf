import { join } from 'node:path';
import { runProcess } from '../support/run-process';

it('docs/demo.svg shows the demo of the README', async () => {
  const root = join(__dirname, '../..');
  const ran = await runProcess(process.execPath, ['scripts/draw-demo.mjs', '--check'], {
    cwd: root,
  });
  expect(ran).toEqual({ code: 0, stdout: '', stderr: '' });
});
