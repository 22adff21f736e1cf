import { bySeverity, type Finding, hintLines, isOpenFinding, titleOf } from './finding';
import { printable } from './printable';

/** Hostile text as plain Markdown: no markup, HTML, link or mention, and no end of a table cell. */
export const mdText = (text: string): string =>
  printable(text).replace(
    /[\\`*_[\]<>#&|~@!:]|(?<=www)\./gi,
    (character) => `&#${character.codePointAt(0) ?? 0};`,
  );

/**
 * Hostile text as code. The fence is longer than any run of back quotes inside. Text with a bar becomes plain
 * text: a bar ends a table cell, and renderers escape it differently inside code.
 */
export function mdCode(text: string): string {
  const line = printable(text);
  if (line.includes('|')) return mdText(line);
  if (line.trim() === '') return '';
  const fence = backQuotes(line, 1);
  const pad = /^[` ]|[` ]$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

export function backQuotes(text: string, least: number): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length + 1);
  return '`'.repeat(Math.max(least, ...runs));
}

export const mdTable = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);

/**
 * A list of findings, the most severe first.
 * @param isChecklist whether each open finding has a box to tick
 */
export const mdFindings = (findings: readonly Finding[], isChecklist = false): string[] =>
  findings
    .toSorted(bySeverity)
    .map((one) => `${isChecklist && isOpenFinding(one) ? '- [ ]' : '-'} ${mdFinding(one)}`);

function mdFinding(finding: Finding): string {
  const { severity, code, subject, message, remedy } = finding;
  const title = titleOf(finding);
  const what = title === undefined ? mdCode(code) : `${mdText(title)} (${mdCode(code)})`;
  const [todo = '', ...commands] = hintLines(remedy);
  const steps = [mdText(todo), ...commands.map((command) => mdCode(command.trim()))].join(' ');
  return `**${severity}** ${what} ${mdCode(subject)}: ${mdText(message)}. To do: ${steps}.`;
}
