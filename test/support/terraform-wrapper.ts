import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The real terraform with one fault: at its first call of a subcommand, it first runs the given shell lines, in
 * which `$@` are its arguments.
 *
 * @returns the path of the binary
 */
export function misbehavingOnce(folder: string, subcommand: string, lines: string): string {
  const bin = join(folder, 'bin');
  const path = join(bin, 'terraform');
  mkdirSync(bin, { recursive: true });
  const script = [
    '#!/bin/sh',
    `if [ "$1" = ${subcommand} ] && [ ! -e '${bin}/done' ]; then`,
    `  touch '${bin}/done'`,
    `  ${lines}`,
    'fi',
    'exec terraform "$@"',
  ];
  writeFileSync(path, `${script.join('\n')}\n`, { mode: 0o755 });
  return path;
}

/** The real terraform behind a shell that keeps running, as in a wrapper without `exec`. */
export function withoutExec(folder: string): string {
  const path = join(folder, 'wrapped-terraform');
  writeFileSync(path, '#!/bin/sh\nterraform "$@"\nexit $?\n', { mode: 0o755 });
  return path;
}
