import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';
import { printable } from '../core/printable';
import { redactSecrets } from './start-terraform';

/** Passes on what comes in pieces, line by line. */
export interface LineWatcher {
  readonly take: (piece: Buffer) => void;
  /** The last line may have no end. */
  readonly end: () => void;
}

/** Characters of a line that are shown. */
const LONGEST = 10_000;

/**
 * What Terraform says while it runs, for a terminal: whole lines, so that a secret is known also where it comes
 * in two pieces, without the colours, and printable: much of it a service or a provider has written.
 */
export function watchLines(
  watch: (text: string) => void,
  environment: Readonly<Record<string, string | undefined>>,
): LineWatcher {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  const tell = (line: string): void => {
    const said = redactSecrets(stripVTControlCharacters(line), environment);
    const shown = said.replace(/\r$/, '').replaceAll('\t', '    ');
    watch(`${printable(shown, LONGEST)}\n`);
  };
  return {
    take: (piece) => {
      const lines = `${rest}${decoder.write(piece)}`.split('\n');
      // of a line that is not shown to its end no more is kept, but room for a secret at the cut
      rest = (lines.pop() ?? '').slice(0, 2 * LONGEST);
      lines.forEach(tell);
    },
    end: () => {
      if (rest !== '') tell(rest);
      rest = '';
    },
  };
}
