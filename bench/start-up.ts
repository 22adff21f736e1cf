import { join } from 'node:path';
import { compare, measureInTurn, type Row, runOnce } from './measure';

const cli = join(__dirname, '../dist/cli/main.js');

/** `--help` as a whole process, against an empty Node process. */
export function benchStartUp(): Row[] {
  const pairs = measureInTurn(
    15,
    () => runOnce({ argv: [process.execPath, cli, '--help'] }),
    () => runOnce({ argv: [process.execPath, '-e', '0'] }),
  );
  const name = 'start: --help, against node -e 0';
  return [compare(name, pairs, ({ milliseconds }) => milliseconds, 1.5, 'ms')];
}
