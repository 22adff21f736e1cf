import { type Finding } from './finding';
import { printable } from './printable';
import { wrapLines } from './wrap-lines';

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
