import { hintLines, renderFindings } from '../core/finding';
import { describeError } from '../core/migration-error';
import { printable, printableJson } from '../core/printable';

export function renderErrorJson(error: unknown): string {
  const { code, message, hint, causes, findings } = describe(error);
  const found = findings.length === 0 ? {} : { findings };
  return `${printableJson({ error: { code, message, hint, causes, ...found } })}\n`;
}

/** An error for the user: message with its code, causes, and what to do. */
export function renderErrorText(error: unknown): string {
  const { code, message, hint, causes, stack, findings } = describe(error);
  // the user declined, so the error needs no text
  if (code === 'DECLINED' && hint === '') return `${message}\n`;
  const lines = [
    `error: ${message} (${code})`,
    ...causes.map((line) => `  cause: ${line}`),
    ...renderFindings(findings).map((line) => `  ${line}`),
    renderHint(hint),
    ...stack,
  ];
  return `${lines.join('\n')}\n`;
}

/** What to do; a command in it is on a separate line. */
export function renderHint(hint: string): string {
  const lines = hintLines(hint).map((line) => printable(line));
  return `  hint: ${lines.join('\n    ')}`;
}

function describe(error: unknown) {
  const { code, message, hint, causes, findings, stack } = describeError(error);
  return {
    code,
    message: printable(message, 1000),
    hint: hint
      .split('\n')
      .map((line) => printable(line))
      .join('\n'),
    causes: causes.map((text) => printable(text, 500)),
    findings,
    stack: (stack ?? []).map((line) => `    ${printable(line.trim(), 500)}`),
  };
}
