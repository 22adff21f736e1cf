import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * What the documents show of a session is what a session shows. A block stands between
 * `<!-- run: <where> -->` and `<!-- /run -->`; an ellipsis alone in a line stands for lines that are left out.
 * `UPDATE_GOLDEN=1` writes anew what is no longer so.
 */
const root = join(__dirname, '../../..');
const block = /(<!-- run: ([\w-]+) -->\n\n```console\n)([\s\S]*?)(```\n\n<!-- \/run -->)/g;

/** What a command came to. */
export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Where a session runs, and what runs its commands. */
export interface Place {
  cwd: string;
  run: (program: string, args: string[], cwd: string) => Promise<Ran>;
  /** Makes what was said the same on every day. */
  settle?: (said: string) => string;
}

/** The sessions that a document shows: where each ran, and all that was typed and said. */
export function transcriptsOf(document: string): [where: string, session: string][] {
  const text = readFileSync(join(root, document), 'utf8');
  const found = [...text.matchAll(block)].map(
    ([, , where = '', session = '']): [string, string] => [where, session],
  );
  if (found.length === 0 || text.match(/<!-- run: /g)?.length !== found.length) {
    throw new Error(`${document} has a session that is not written as one`);
  }
  return found;
}

/** Types the commands of a session again. */
export async function replay(session: string, place: Place): Promise<string> {
  let { cwd } = place;
  const shown: string[] = [];
  for (const line of session.split('\n').filter((one) => one.startsWith('$ '))) {
    const [command = '', file] = (line.slice(2).split(/\s+#/)[0] ?? '').split(' > ');
    const [program = '', ...words] = command.trim().split(/\s+/);
    const args = words.flatMap((word) => expanded(word, cwd));
    shown.push(`${line}\n`);
    if (program === 'cd') {
      cwd = resolve(cwd, args[0] ?? '');
      continue;
    }
    const { code, stdout, stderr } = await place.run(program, args, cwd);
    if (file !== undefined) writeFileSync(join(cwd, file), stdout);
    // the folder that it ran in is none of the reader's
    const said = `${stderr}${file === undefined ? stdout : ''}`
      .replaceAll(`${cwd}/`, '')
      .replaceAll(`${place.cwd}/`, '');
    const ended = said === '' || said.endsWith('\n') ? '' : '\n';
    shown.push((place.settle ?? String)(said + ended));
    if (code !== 0) shown.push(`(exit code ${code})\n`);
  }
  return shown.join('');
}

/** The names that a shell would put for a `*`. */
function expanded(word: string, cwd: string): string[] {
  if (!word.includes('*')) return [word];
  const [start = '', end = ''] = basename(word).split('*');
  return readdirSync(join(cwd, dirname(word)))
    .filter((name) => name.startsWith(start) && name.endsWith(end))
    .map((name) => join(dirname(word), name));
}

/**
 * Holds what a session says now against what the document shows, or writes it there.
 * @param known the ids that are the same each time; the others count by their first appearance
 */
export function expectTranscript(document: string, shown: string, now: string, known = ''): void {
  const path = join(root, document);
  const isSo = abridges(withoutDrawnIds(shown, known), withoutDrawnIds(now, known));
  if (isSo) return;
  if (process.env['UPDATE_GOLDEN'] === '1') {
    const current = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      current.replace(shown, () => now),
    );
  } else expect(withoutDrawnIds(now, known)).toBe(withoutDrawnIds(shown, known));
}

/** Is a text what another one is, but for the lines that it leaves out? */
function abridges(short: string, whole: string): boolean {
  const parts = short
    .split(/^…\n/m)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('(?:.*\n)*?')}$`).test(whole);
}

function withoutDrawnIds(text: string, known: string): string {
  const seen: string[] = [];
  return text.replace(/\b[0-9a-f]{32}\b/g, (id) => {
    if (known.includes(id)) return id;
    if (!seen.includes(id)) seen.push(id);
    return `<id ${seen.indexOf(id) + 1}>`;
  });
}
