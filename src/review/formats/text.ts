import { renderFindings } from '../../core/finding';
import { printable } from '../../core/printable';
import { type RuleAnswer, type ScoreComparison } from '../comparison';
import { type Review } from '../review';
import {
  changeWords,
  effectLines,
  folded,
  grouped,
  knownHours,
  outcomeCounts,
  percent,
  plural,
  proposalLines,
  span,
} from './words';

/** How many rules, and of each how many samples and paths, the text shows; the JSON has all. */
const SHOWN = { rules: 20, samples: 2, paths: 3 } as const;

/** The review for a terminal. */
export function renderText(review: Review): string {
  const { requests, rules, intake, scores, proposal, effect, findings } = review;
  const counts = outcomeCounts(review).map((one) => ({ ...one, count: grouped(one.count) }));
  const width = Math.max(...counts.map(({ count }) => count.length));
  const left = rules.length - SHOWN.rules;
  const lines = [
    ...(intake === undefined
      ? []
      : [
          `Based on ${plural(intake.events, 'event')} from ${plural(requests, 'request')}, in ${plural(intake.files, 'file')}.`,
          '',
        ]),
    'Requests:',
    ...counts.map(
      ({ words, count, share }) => `  ${count.padStart(width)}  ${share.padStart(7)}  ${words}`,
    ),
    ...scoreLines(scores),
    '',
    ...(rules.length === 0 ? ['No rule would change anything.'] : ['Rules, the heaviest first:']),
    ...rules.slice(0, SHOWN.rules).flatMap(ruleLines),
    ...(left > 0 ? [`  … and ${left} more: --json has all`] : []),
    ...timeline(review),
    ...(proposal === undefined ? [] : ['', ...proposalLines(proposal)]),
    ...(effect === undefined ? [] : ['', ...effectLines(effect)]),
  ].flatMap(folded);
  if (findings.length > 0) lines.push('', ...renderFindings(findings));
  return `${lines.join('\n')}\n`;
}

function scoreLines({ both, onlyLegacy, onlyNew }: ScoreComparison): string[] {
  if (both + onlyLegacy + onlyNew === 0) return [];
  return [
    `  OWASP scores exceeded: both ${grouped(both)}, only legacy ${grouped(onlyLegacy)}, only new ${grouped(onlyNew)}`,
  ];
}

function ruleLines(rule: RuleAnswer): string[] {
  const { side, ruleId, name, requests, change, verdict, clients, share } = rule;
  const title = name === '' ? '' : ` ${printable(name, 80)}`;
  const seen = rule.firstSeen === '' ? '' : `, ${span(rule.firstSeen, rule.lastSeen)}`;
  const place = ({ host, path }: { readonly host: string; readonly path: string }): string =>
    `${printable(host, 60)}${printable(path, 80)}`;
  return [
    `  ${side} ${printable(ruleId, 40)}${title}`,
    `    ${plural(requests, 'request')} ${changeWords[change]} (${verdict}), ${percent(share)}, ${plural(clients, 'client')}${seen}`,
    ...rule.paths
      .slice(0, SHOWN.paths)
      .map((one) => `    ${grouped(one.requests)} × ${place(one)}`),
    ...rule.samples
      .slice(0, SHOWN.samples)
      .map(
        (one) =>
          `    e.g. ray ${printable(one.rayId, 40)}: ${printable(one.method, 10)} ${place(one)}${printable(one.query, 60)} from ${printable(one.client, 45)}`,
      ),
  ];
}

/** One bar an hour, of examined requests; a day if there are many hours. */
function timeline(review: Review): string[] {
  const hours = knownHours(review);
  if (hours.length === 0) return [];
  const bars = new Map<string, number>();
  for (const { hour, total } of hours) {
    const key = hours.length > 48 ? hour.slice(0, 10) : hour;
    bars.set(key, (bars.get(key) ?? 0) + total);
  }
  const most = Math.max(...bars.values());
  return [
    '',
    'Time line (UTC; requests in which the two differ or cannot be compared):',
    ...[...bars].map(
      ([key, count]) =>
        `  ${printable(key, 13)}  ${'█'.repeat(Math.max(1, Math.round((count / most) * 40)))} ${grouped(count)}`,
    ),
  ];
}
