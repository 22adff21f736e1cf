// Runs random walks in as many processes as there are processors, until one breaks a rule.
// usage: npm run walks [-- --runs N --seed S --fast --unshrunk --workers N]
// With --faults it puts one deliberate fault at a time (test/walks/faults.json) into a copy of the sources. It expects
// that three thousand walks find it and name the promise that it broke, and fails where the source has no place for it.
// usage: npm run faults [-- name…]
import { build, transformSync } from 'esbuild';
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The folder that fast walks write to. */
const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const compilerOptions = {
  format: 'cjs',
  target: 'node20.12',
  supported: { 'dynamic-import': false },
};
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(randomInt(1_000_000)) },
    fast: { type: 'boolean', default: false },
    unshrunk: { type: 'boolean', default: false },
    workers: { type: 'string', default: String(availableParallelism()) },
    faults: { type: 'boolean', default: false },
  },
});
await (values.faults ? findFaults(positionals) : runWalks());

async function runWalks() {
  const workers = Math.min(Number(values.workers), Number(values.runs));
  const start = Date.now();
  const compiled = values.fast ? await compile() : undefined;
  const script =
    compiled === undefined
      ? [fileURLToPath(import.meta.resolve('tsx/cli')), 'test/walks/run.ts']
      : [join(compiled, 'test/walks/run.js')];
  const flags = ['fast', 'unshrunk'].filter((name) => values[name]);
  const children = [];
  const results = await Promise.all(
    Array.from({ length: workers }, async (_, at) => {
      const runs = Math.ceil((Number(values.runs) - at) / workers);
      const child = startWalks([
        ...[...script, '--runs', String(runs), '--seed', String(Number(values.seed) + at)],
        ...flags.map((name) => `--${name}`),
      ]);
      children.push(child);
      const result = await child.result;
      if (result.code !== 0) for (const one of children) one.kill();
      return result;
    }),
  );
  if (compiled !== undefined) rmSync(compiled, { recursive: true });
  const total = {};
  for (const { tally } of results) {
    for (const [name, count] of Object.entries(tally)) total[name] = (total[name] ?? 0) + count;
  }
  const seconds = Math.round((Date.now() - start) / 1000);
  console.log(JSON.stringify({ ...total, seconds }));
  for (const { code, said } of results) {
    if (code === null || code === 0) continue;
    console.log(said.join('\n'));
    process.exitCode = 1;
  }
}

async function findFaults(names) {
  const faults = JSON.parse(readFileSync(join(root, 'test/walks/faults.json'), 'utf8'));
  for (const fault of faults) {
    if (names.length > 0 && !names.includes(fault.name)) continue;
    const copy = await compile(fault);
    const args = ['--fast', '--runs', '3000', '--seed', '28', '--unshrunk'];
    const { tally, said } = await startWalks([join(copy, 'test/walks/run.js'), ...args]).result;
    rmSync(copy, { recursive: true });
    const reason = (said[1] ?? '').slice(0, 300);
    const isFound = new RegExp(fault.says).test(reason);
    if (!isFound) process.exitCode = 1;
    const verdict = isFound ? 'found' : reason === '' ? 'MISSED' : 'OTHER';
    console.log(`${verdict.padEnd(6)} | ${fault.name} | fast | ${tally.walks} walks | ${reason}`);
  }
}

/** Starts test/walks/run. Its first line counts the walks; the others report broken rules. */
function startWalks(args) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: args.includes('--fast') ? { ...process.env, TMPDIR: memory } : process.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  const result = new Promise((resolve) =>
    child.on('close', (code) => {
      const [counts = '', ...said] = output.split('\n');
      resolve({ code, tally: counts.startsWith('{') ? JSON.parse(counts) : {}, said });
    }),
  );
  return { kill: () => child.kill(), result };
}

/**
 * Compiles the sources and the walks into a separate folder, in memory if possible, so that lazy
 * parts load without a loader. The caller removes the folder. A fault changes only this copy.
 */
async function compile(fault) {
  const folder = mkdtempSync(join(memory, 'walks-'));
  const parts = ['src', 'test/walks', 'test/support', 'test/e2e/provider/table'];
  await build({
    ...compilerOptions,
    absWorkingDir: root,
    entryPoints: parts.map((part) => `${part}/**/*`),
    outdir: folder,
    outbase: '.',
    loader: { '.json': 'copy', '.csv': 'empty', '.md': 'empty', '.mjs': 'empty' },
  });
  const others = readdirSync(root).filter((name) => !['src', 'test', '.git'].includes(name));
  for (const name of [...others, 'test/fixtures']) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    symlinkSync(join(root, name), join(folder, name));
  }
  if (fault !== undefined) {
    const { file, find, replace } = fault;
    const source = readFileSync(join(root, file), 'utf8');
    const places = source.split(find).length - 1;
    if (places !== 1) throw new Error(`${file} has ${places} places with: ${find}`);
    const { code } = transformSync(
      source.replace(find, () => replace),
      { ...compilerOptions, loader: 'ts' },
    );
    writeFileSync(join(folder, file.replace(/\.ts$/, '.js')), code);
  }
  return folder;
}
