import { renderFindings } from '../../core/finding';
import { counted, grouped, printable } from '../../core/printable';
import { type ScoreComparison } from '../comparison';
import { type Review } from '../review';
import {
  answerOf,
  effectLine,
  effectLines,
  folded,
  knownHours,
  outcomeCounts,
  proposalLines,
  type RuleEffects,
  rulesWithEffects,
  span,
} from './words';

/** How many rules, and of each how many samples and paths, the text shows; the JSON has all. */
const SHOWN = { rules: 20, samples: 2, paths: 3 } as const;

/** The review for a terminal. */
export function renderText(review: Review): string {
  const { requests, intake, scores, proposal, effect, findings } = review;
  const rules = rulesWithEffects(review.rules);
  const counts = outcomeCounts(review).map((one) => ({ ...one, count: grouped(one.count) }));
  const width = Math.max(...counts.map(({ count }) => count.length));
  const left = rules.length - SHOWN.rules;
  const lines = [
    answerOf(review).words,
    '',
    ...(intake === undefined
      ? []
      : [
          `Based on ${counted(intake.events, 'event')} from ${counted(requests, 'request')}, in ${counted(intake.files, 'file')}.`,
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
    ...(left > 0 ? [`  … and ${grouped(left)} more: --json has all`] : []),
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

function ruleLines({ side, ruleId, name, effects }: RuleEffects): string[] {
  const title = name === '' ? '' : ` ${printable(name, 80)}`;
  const [{ paths, samples }] = effects;
  const place = ({ host, path }: { readonly host: string; readonly path: string }): string =>
    `${printable(host, 60)}${printable(path, 80)}`;
  return [
    `  ${side} ${printable(ruleId, 40)}${title}`,
    ...effects.map((effect) => {
      const seen = effect.firstSeen === '' ? '' : `, ${span(effect.firstSeen, effect.lastSeen)}`;
      return `    ${effectLine(effect)}${seen}`;
    }),
    ...paths.slice(0, SHOWN.paths).map((one) => `    ${grouped(one.requests)} × ${place(one)}`),
    ...samples
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
