// Random walks, shared by as many processes as there are processors; ends at the first that breaks a rule.
// usage: npm run walks [-- --runs N --seed S --fast --compare --unshrunk --workers N]
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compileWalks, memory } from './compile-walks.mjs';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
    fast: { type: 'boolean', default: false },
    compare: { type: 'boolean', default: false },
    unshrunk: { type: 'boolean', default: false },
    workers: { type: 'string', default: String(availableParallelism()) },
  },
});
const workers = Math.min(Number(values.workers), Number(values.runs));
const start = Date.now();
const compiled = values.fast ? await compileWalks() : undefined;
const children = [];
const results = await Promise.all(Array.from({ length: workers }, (_, at) => walk(at)));
if (compiled !== undefined) rmSync(compiled, { recursive: true });

const total = {};
for (const { tally } of results)
  for (const [name, count] of Object.entries(tally)) total[name] = (total[name] ?? 0) + count;
const seconds = Math.round((Date.now() - start) / 1000);
console.log(JSON.stringify({ ...total, seconds }));
for (const { code, told } of results)
  if (code !== null && code !== 0) {
    console.log(told);
    process.exitCode = 1;
  }

async function walk(at) {
  const runs = Math.ceil((Number(values.runs) - at) / workers);
  const flags = ['fast', 'compare', 'unshrunk'].filter((name) => values[name]);
  const script =
    compiled === undefined
      ? [fileURLToPath(import.meta.resolve('tsx/cli')), 'test/walks/run.ts']
      : [`${compiled}/test/walks/run.js`];
  const args = [
    ...script,
    ...['--runs', String(runs), '--seed', String(Number(values.seed) + at)],
    ...flags.map((name) => `--${name}`),
  ];
  const child = spawn(process.execPath, args, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: values.fast ? { ...process.env, TMPDIR: memory } : process.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (told += text));
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) for (const one of children) one.kill();
  const [counts = '', ...rest] = told.split('\n');
  return { code, tally: /^\{/.test(counts) ? JSON.parse(counts) : {}, told: rest.join('\n') };
}
