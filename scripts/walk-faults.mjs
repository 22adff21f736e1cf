// Puts one deliberate fault at a time (test/walks/faults.json) into a copy of the sources, and expects that the walks
// find it within a thousand. Fails where one is not found, or no longer applies to the source.
// usage: npm run faults [-- name…]
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const asked = process.argv.slice(2);
const faults = JSON.parse(readFileSync(join(root, 'test/walks/faults.json'), 'utf8'));
let missed = 0;
for (const { name, file, find, replace } of faults) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const copy = mkdtempSync(join(tmpdir(), 'walk-fault-'));
  for (const part of [
    'src',
    'test/walks',
    'test/support',
    'test/e2e/provider/table',
    'test/fixtures/terraform',
  ])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  for (const part of ['package.json', 'tsconfig.json']) cpSync(join(root, part), join(copy, part));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const source = readFileSync(join(copy, file), 'utf8');
  const places = source.split(find).length - 1;
  writeFileSync(
    join(copy, file),
    source.replace(find, () => replace),
  );
  const tsx = join(root, 'node_modules/.bin/tsx');
  const args = ['test/walks/run.ts', '--fast', '--runs', '1000', '--unshrunk'];
  const { status, stdout } =
    places === 1
      ? spawnSync(tsx, args, { cwd: copy, encoding: 'utf8' })
      : { status: 0, stdout: 'has no place' };
  const [counts = '', , problem = ''] = stdout.split('\n');
  console.log(`${status === 1 ? 'found ' : 'MISSED'} ${name}: ${counts} ${problem.slice(0, 200)}`);
  if (status !== 1) missed += 1;
  rmSync(copy, { recursive: true });
}
process.exitCode = missed === 0 ? 0 : 1;
