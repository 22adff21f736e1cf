import { compare, measureInTurn, type Row, runOnce, tool } from './measure';

/** `--help` as a whole process, against an empty Node process. */
export function benchStartUp(): Row[] {
  const pairs = measureInTurn(
    15,
    () => runOnce({ argv: [...tool, '--help'] }),
    () => runOnce({ argv: [process.execPath, '-e', '0'] }),
  );
  const name = 'start: --help, against node -e 0';
  return [compare(name, pairs, ({ milliseconds }) => milliseconds, 1.5, 'ms')];
}
