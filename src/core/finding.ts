import { findingTitles } from './finding-titles';
import { printable } from './printable';

/** How much a finding weighs: `info` informs, `decision` needs `--accept`, `blocker` stops the command. */
export type Severity = 'info' | 'decision' | 'blocker';

/**
 * Something that the user should know. Expected results, such as an incompatible zone or a lossy setting, are
 * findings and not errors. Part of the JSON of every command (docs/plan-format.md).
 */
export interface Finding {
  /** Stable and upper case, e.g. `URI_OVERRIDE`. Scripts rely on it. */
  readonly code: string;
  /** A short statement that a reader understands without the code; it does not name the subject. */
  readonly title?: string;
  readonly severity: Severity;
  /** The object of the finding: a zone id, an address, a JSON path. */
  readonly subject: string;
  readonly message: string;
  /** What to do, in the imperative. */
  readonly remedy: string;
}

/** A statement that a reader understands without the code. */
export const titleOf = ({ title, code }: Finding): string | undefined =>
  title ?? findingTitles[code];

/** Renders findings as lines for a terminal, the most severe first. */
export function renderFindings(findings: readonly Finding[]): string[] {
  const order = ['blocker', 'decision', 'info'] as const;
  return order.flatMap((severity) =>
    findings
      .filter((finding) => finding.severity === severity)
      .flatMap((finding) => {
        const { code, subject, message, remedy } = finding;
        const title = titleOf(finding);
        return [
          ...(title === undefined
            ? [`${severity}: ${code} ${printable(subject, 200)}`]
            : [`${severity}: ${title} (${code})`, `    ${printable(subject, 200)}`]),
          ...wrapLines(printable(message, 500), '    '),
          ...renderRemedy(remedy),
        ];
      }),
  );
}

function renderRemedy(remedy: string): string[] {
  const [words = '', ...commands] = hintLines(remedy);
  return [
    ...wrapLines(`→ ${printable(words, 300)}`, '    '),
    ...commands.map((command) => `      ${printable(command)}`),
  ];
}

/** Splits a hint into lines: a command at its end gets a separate line, ready to copy. */
export function hintLines(hint: string): string[] {
  return hint.split('\n').flatMap((line) => {
    const [, words, command] = /^(.*:)\s(cf-waf-migrate [^;]*)$/.exec(line) ?? [];
    return words === undefined || command === undefined ? [line] : [words, command];
  });
}

/** The codes of findings without duplicates, in order. */
export const findingCodes = (findings: readonly Finding[]): string =>
  [...new Set(findings.map(({ code }) => code))].join(', ');

/** Columns of a terminal. */
const WIDTH = 80;

/**
 * Breaks a line of text at its spaces; a word that is too long stays whole.
 * @param indent prefix of every line
 * @param hanging prefix of every line except the first; default: the indent
 */
export function wrapLines(text: string, indent: string, hanging = indent): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const room = WIDTH - (lines.length === 0 ? indent : hanging).length;
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((one, index) => `${index === 0 ? indent : hanging}${one}`);
}
