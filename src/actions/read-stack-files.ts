import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MANAGED_PHASE } from '../model/ruleset';
import { type EntryPoint } from './entry-points';

/** What a CDKTF stack in TypeScript declares, as far as another one can collide with it. */
export interface StackFile {
  /** Relative to the folder. */
  readonly file: string;
  readonly text: string;
  readonly entryPoints: readonly EntryPoint[];
}

/**
 * Looks at the `.ts` files of a folder, none when it is not there; in order. By their words: a zone or a
 * phase that is no literal is not seen, and generated stacks have literals.
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

function entryPointsIn(text: string): EntryPoint[] {
  const [, ...constructs] = text.split(/\bnew\s+(?:\w+\.)*Ruleset\s*\(/);
  return constructs.flatMap((construct) => {
    const name = /^\s*\w+\s*,\s*["'`]([^"'`]*)/.exec(construct)?.[1] ?? '';
    const zoneId = wordOf(construct, 'zoneId');
    const isManaged = wordOf(construct, 'phase') === MANAGED_PHASE;
    return zoneId !== undefined && isManaged
      ? [{ name, zone: { text: zoneId, isFixed: true }, isManaged }]
      : [];
  });
}

/** The first property of a name, where it is a string. */
function wordOf(construct: string, name: string): string | undefined {
  return new RegExp(`\\b${name}\\s*:\\s*["'\`](\\w+)["'\`]`).exec(construct)?.[1];
}
