// Puts one deliberate fault at a time (test/walks/faults.json) into a copy of the sources, and expects that the walks
// find it within a thousand, and say which promise it broke. Fails where one is not found, is found for another reason,
// or no longer applies to the source.
// usage: npm run faults [-- name…]
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileWalks, memory } from './compile-walks.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const asked = process.argv.slice(2);
const faults = JSON.parse(readFileSync(join(root, 'test/walks/faults.json'), 'utf8'));
for (const fault of faults) {
  if (asked.length > 0 && !asked.includes(fault.name)) continue;
  const copy = await compileWalks(fault);
  const { walks, said } = await untilFound(join(copy, 'test/walks/run.js'));
  rmSync(copy, { recursive: true });
  const isFound = new RegExp(fault.says).test(said);
  if (!isFound) process.exitCode = 1;
  const verdict = isFound ? 'found' : said === '' ? 'MISSED' : 'OTHER';
  console.log(`${verdict.padEnd(6)} | ${fault.name} | fast | ${walks} walks | ${said}`);
}

/** Walks with a fault in the sources, until one breaks a rule. */
async function untilFound(script) {
  const args = [script, '--fast', '--runs', '1000', '--seed', '28', '--unshrunk'];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, TMPDIR: memory },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (told += text));
  await new Promise((resolve) => child.on('close', resolve));
  const [counts = '', , said = ''] = told.split('\n');
  return { walks: JSON.parse(counts).walks, said: said.slice(0, 300) };
}
