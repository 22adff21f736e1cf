import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface FakeTerraform {
  readonly path: string;
  /** `PATH` with the binary in front. */
  readonly searchPath: string;
  /** The argument vectors of all calls so far. */
  calls(): string[][];
}

/**
 * A fake terraform: a shell script in a separate folder. It records its arguments, then runs the given body, in
 * which `$*` are the arguments.
 */
export function fakeTerraform(folder: string, body: string): FakeTerraform {
  const bin = join(folder, 'fake-bin');
  const log = join(bin, 'calls');
  const path = join(bin, 'terraform');
  mkdirSync(bin, { recursive: true });
  const note = `{ printf '%s\\0' "$@"; printf '\\n\\0'; } >> '${log}'`;
  writeFileSync(path, `#!/bin/sh\n${note}\n${body}\n`, { mode: 0o755 });
  return {
    path,
    searchPath: `${bin}:${process.env['PATH'] ?? ''}`,
    calls: () => {
      const calls: string[][] = [[]];
      const words = existsSync(log) ? readFileSync(log, 'utf8').split('\0').slice(0, -1) : [];
      for (const word of words) {
        if (word === '\n') calls.push([]);
        else calls.at(-1)?.push(word);
      }
      return calls.slice(0, -1);
    },
  };
}
