import { printable } from '../../core/printable';
import { type Hour, OUTCOMES, type RuleAnswer } from '../comparison';
import { type Review } from '../review';
import {
  changeWords,
  effectLines,
  folded,
  grouped,
  outcomeWords,
  percent,
  plural,
  proposalLines,
  span,
} from './words';

/** How many rules, and of each how many samples and paths, the text shows; the JSON has all. */
const SHOWN = { rules: 20, samples: 2, paths: 3 } as const;

/** The review for a terminal; findings are printed by who shows it. */
export function renderText(review: Review): string[] {
  const { requests, rules, intake } = review;
  const stands =
    intake === undefined
      ? []
      : [
          `Stands on ${plural(intake.events, 'event')} of ${plural(requests, 'request')}, in ${plural(intake.files, 'file')}.`,
          '',
        ];
  const left = rules.length - SHOWN.rules;
  const lines = [
    ...stands,
    ...summary(review),
    '',
    ...(rules.length === 0 ? ['No rule would change anything.'] : ['Rules, the heaviest first:']),
    ...rules.slice(0, SHOWN.rules).flatMap((rule) => ruleLines(rule)),
    ...(left > 0 ? [`  … and ${left} more: --json has all`] : []),
    ...timeline(review.timeline),
    ...(review.proposal === undefined ? [] : ['', ...proposalLines(review.proposal)]),
    ...(review.effect === undefined ? [] : ['', ...effectLines(review.effect)]),
  ];
  return lines.flatMap(folded);
}

function summary({ classes, requests, scores }: Review): string[] {
  const width = Math.max(...OUTCOMES.map((outcome) => grouped(classes[outcome]).length));
  const lines = OUTCOMES.filter((outcome) => classes[outcome] > 0).map((outcome) => {
    const count = grouped(classes[outcome]).padStart(width);
    return `  ${count}  ${percent(classes[outcome] / Math.max(requests, 1)).padStart(7)}  ${outcomeWords[outcome]}`;
  });
  const { both, onlyOld, onlyNew } = scores;
  const owasp =
    both + onlyOld + onlyNew === 0
      ? []
      : [
          `  OWASP scores exceeded: both ${grouped(both)}, only old ${grouped(onlyOld)}, only new ${grouped(onlyNew)}`,
        ];
  return ['Requests:', ...lines, ...owasp];
}

function ruleLines(rule: RuleAnswer): string[] {
  const { side, ruleId, name, requests, change, verdict, clients, share } = rule;
  const title = name === '' ? '' : ` ${printable(name, 80)}`;
  const seen = rule.firstSeen === '' ? '' : `, ${span(rule.firstSeen, rule.lastSeen)}`;
  return [
    `  ${side} ${printable(ruleId, 40)}${title}`,
    `    ${plural(requests, 'request')} ${changeWords[change]} (${verdict}), ${percent(share)}, ${plural(clients, 'client')}${seen}`,
    ...rule.paths
      .slice(0, SHOWN.paths)
      .map(
        (one) =>
          `    ${grouped(one.requests)} × ${printable(one.host, 60)}${printable(one.path, 80)}`,
      ),
    ...rule.samples
      .slice(0, SHOWN.samples)
      .map(
        (one) =>
          `    e.g. ray ${printable(one.rayId, 40)}: ${printable(one.method, 10)} ${printable(one.host, 60)}${printable(one.path, 80)}${printable(one.query, 60)} from ${printable(one.client, 45)}`,
      ),
  ];
}

/** One bar an hour, of examined requests; days where there are many hours. */
function timeline(hours: readonly Hour[]): string[] {
  const known = hours.filter(({ hour }) => hour !== '');
  if (known.length < 2) return [];
  const length = known.length > 48 ? 10 : 13;
  const bars = new Map<string, number>();
  for (const { hour, outcomes } of known) {
    const key = hour.slice(0, length);
    const total = Object.values(outcomes).reduce((sum, count) => sum + count, 0);
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
