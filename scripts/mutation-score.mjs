// What mutation testing found (scripts/mutation.mjs): kept as lines of JSON, printed as a table.
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

const REPORT = 'reports/mutation.jsonl';
/** The mutants that no test can tell from the source, or need not, each with the reason. */
const explained = JSON.parse(readFileSync('test/support/living-mutants.json', 'utf8'));
const explains = (one, { within, from, to }) =>
  one.within === within && one.from === from && one.to === to;
const isExplained = (file, mutant) =>
  explained.some((one) => one.file === file && explains(one, mutant));

export const digest = (files) =>
  files.reduce((hash, file) => hash.update(readFileSync(file)), createHash('sha256')).digest('hex');

/** What was found, by file; the last line of a file counts, and only while the file is the same. */
export const readReport = () =>
  new Map(
    (existsSync(REPORT) ? readFileSync(REPORT, 'utf8').trim().split('\n') : [])
      .map((line) => JSON.parse(line))
      .filter(({ file, source }) => existsSync(file) && digest([file]) === source)
      .map((entry) => [entry.file, entry]),
  );

export function addToReport(entry) {
  mkdirSync(dirname(REPORT), { recursive: true });
  appendFileSync(REPORT, `${JSON.stringify(entry)}\n`);
}

/** A mutant by its text, not its place: it is found again when the lines above it move. */
export function describeMutant({ status, location, mutatorName, replacement }, source) {
  const { start, end } = location;
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const within = lines[0].trim();
  lines.push(lines.pop().slice(0, end.column - 1));
  lines.unshift(lines.shift().slice(start.column - 1));
  const short = (text) => text.replace(/\s+/g, ' ').slice(0, 80);
  const [from, to] = [short(lines.join(' ')), short(replacement)];
  return { status, mutatorName, at: start.line, until: end.line, within, from, to };
}

/**
 * The mutants of a file that live and are not explained, and what is explained and was killed. Without a
 * shortcut the same takes longer, and on a busy machine too long.
 */
export function complaints({ file, living, timeouts }) {
  const unharmed = [...living, ...timeouts];
  const dead = explained.filter(
    (one) => one.file === file && !unharmed.some((mutant) => explains(one, mutant)),
  );
  return [
    ...living
      .filter((mutant) => !isExplained(file, mutant))
      .map(({ at, within, from, to }) => `${file}:${at} in ${within}\n  - ${from}\n  + ${to}`),
    ...dead.map(({ within }) => `${file}: explained, but none lives in ${within}`),
  ];
}

/** One row for each folder: what was run of it, and what came of it. */
export function scoreTable(folders, filesBelow) {
  const report = readReport();
  const rows = folders.map((folder) => {
    const files = filesBelow(folder);
    const run = files.flatMap((file) => report.get(file) ?? []);
    const total = run.reduce((sum, one) => sum + one.total, 0);
    const living = run.flatMap(({ file, living }) => living.map((mutant) => ({ file, mutant })));
    const known = living.filter(({ file, mutant }) => isExplained(file, mutant)).length;
    const killed = total - living.length;
    const score = total === 0 ? '–' : `${((100 * killed) / total).toFixed(1)} %`;
    const open = living.length - known;
    return [folder, `${run.length} of ${files.length}`, total, killed, known, open, score];
  });
  const head = ['folder', 'files run', 'mutants', 'killed', 'explained', 'open', 'score'];
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
