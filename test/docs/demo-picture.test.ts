import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess } from '../support/run-process';

const root = join(__dirname, '../..');

it('the README shows the demo as it is', () => {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  expect(read('README.md')).toContain(
    `<!-- demo -->\n\n\`\`\`\n${read('test/golden/demo.txt')}\`\`\``,
  );
});

it('docs/demo.svg shows the demo of the README', async () => {
  const ran = await runProcess(process.execPath, ['scripts/draw-demo.mjs', '--check'], {
    cwd: root,
  });
  expect(ran).toEqual({ code: 0, stdout: '', stderr: '' });
});
