import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MANAGED_PHASE } from '../core/ruleset';
import { type Argument, type EntryPoint } from './declared-rulesets';

/** What a CDKTF stack in TypeScript declares, as far as another one can collide with it. */
export interface StackFile {
  /** Relative to the folder. */
  readonly file: string;
  readonly text: string;
  readonly entryPoints: readonly EntryPoint[];
}

/**
 * Looks at the `.ts` files of a folder, none when it is not there; in order. By their words:
 * generated stacks have literals, and where a stack has an expression instead, zone and phase are not known.
 */
export async function readStackFiles(folder: string): Promise<StackFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile() && /\.[mc]?ts$/.test(entry.name));
  return Promise.all(
    names
      .map(({ name }) => name)
      .sort()
      .map(async (file) => {
        const text = await readFile(join(folder, file), 'utf8').catch(() => '');
        return { file, text, entryPoints: entryPointsIn(text) };
      }),
  );
}

const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[^]|[^`\\])*`/.source;
const COMMENT = /\/\/.*|\/\*[^]*?\*\//.source;

function entryPointsIn(text: string): EntryPoint[] {
  const code = text.replace(new RegExp(`(${STRING})|${COMMENT}`, 'g'), '$1 ');
  const constructs = outsideStrings(code, String.raw`\bnew\s+(?:\w+\.)*Ruleset\s*\(`);
  return [...constructs].flatMap((found) => {
    const construct = untilClosed(code.slice(found.index + found[0].length));
    const [zone, phase] = [readProperty(construct, 'zoneId'), readProperty(construct, 'phase')];
    if (phase.isFixed && phase.text !== MANAGED_PHASE) return [];
    const isOfAccount = zone === MISSING && readProperty(construct, 'accountId') !== MISSING;
    if (isOfAccount) return [];
    const [, quoted, word] = /^\s*\w+\s*,\s*(?:["'`]([^"'`]*)|([\w.]+))/.exec(construct) ?? [];
    return [{ name: quoted ?? word ?? '?', zone, isManaged: phase.text === MANAGED_PHASE }];
  });
}

/** Up to the parenthesis that closes what was opened before. */
function untilClosed(code: string): string {
  let depth = 1;
  for (const { 0: mark, index } of outsideStrings(code, '[()]')) {
    depth += mark === '(' ? 1 : -1;
    if (depth === 0) return code.slice(0, index);
  }
  return code;
}

/** A property that is not written out may come with an object from elsewhere. */
const MISSING: Argument = { text: undefined, isFixed: false };

/** The first property of a name, whose value is known where it is a string. */
function readProperty(construct: string, name: string): Argument {
  const literal = /\s*:\s*["'`](\w+)["'`]\s*(?=[,}])/.source;
  const [property] = outsideStrings(construct, `\\b${name}\\b(?:${literal})?`);
  if (property === undefined) return MISSING;
  const text = property[2];
  return { text, isFixed: text !== undefined };
}

/** Where code matches, and not what a string says; found as it is asked for, as a file can hold a thousand stacks. */
function* outsideStrings(code: string, pattern: string): Generator<RegExpExecArray> {
  for (const found of code.matchAll(new RegExp(`${STRING}|(${pattern})`, 'g'))) {
    if (found[1] !== undefined) yield found;
  }
}
