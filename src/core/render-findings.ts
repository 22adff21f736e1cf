import { type Finding } from './finding';
import { printable } from './printable';

/** Findings as lines for a terminal, the heaviest first. */
export function renderFindings(findings: readonly Finding[]): string[] {
  const order = ['blocker', 'decision', 'info'] as const;
  return order.flatMap((severity) =>
    findings
      .filter((finding) => finding.severity === severity)
      .flatMap(({ code, subject, message, remedy }) => [
        ...wrapLines(`${severity}: ${code} ${printable(subject, 200)}`, '', '    '),
        ...wrapLines(printable(message, 500), '    '),
        ...wrapLines(`→ ${printable(remedy, 300)}`, '    '),
      ]),
  );
}

/** The codes of findings for a line of text, each once, in their order; empty where there are none. */
export const findingCodes = (findings: readonly Finding[]): string =>
  [...new Set(findings.map(({ code }) => code))].join(', ');

/** Columns that text for people fits in, where it can be broken at all. */
const WIDTH = 80;

/**
 * Breaks one line of text at its spaces; a word that is too long stays whole.
 * @param indent what every line begins with
 * @param hanging what all lines but the first begin with, where that is something else
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
