import { renderFindings } from '../../core/finding';
import { counted, grouped, printable } from '../../core/printable';
import { type Review } from '../make-review';
import {
  answerOf,
  effectLine,
  effectLines,
  folded,
  outcomeCounts,
  proposalLines,
  type RuleEffects,
  rulesWithEffects,
} from './words';

/** How many rules, and of each how many samples and paths, the text shows; the JSON has all. */
const SHOWN = { rules: 20, samples: 2, paths: 3 } as const;

export function renderText(review: Review): string {
  const { requests, intake, proposal, effect, findings } = review;
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
          `Based on ${counted(intake.events, 'event')} from ${counted(requests, 'request')}, ${intake.files === 0 ? 'read from the Cloudflare API' : `in ${counted(intake.files, 'file')}`}.`,
          '',
        ]),
    'Requests:',
    ...counts.map(
      ({ words, count, share }) => `  ${count.padStart(width)}  ${share.padStart(7)}  ${words}`,
    ),
    '',
    ...(rules.length === 0 ? ['No rule would change anything.'] : ['Rules, largest effect first:']),
    ...rules.slice(0, SHOWN.rules).flatMap(ruleLines),
    ...(left > 0 ? [`  … and ${grouped(left)} more: --json has all`] : []),
    ...(proposal === undefined ? [] : ['', ...proposalLines(proposal)]),
    ...(effect === undefined ? [] : ['', ...effectLines(effect)]),
  ].flatMap(folded);
  if (findings.length > 0) lines.push('', ...renderFindings(findings));
  return `${lines.join('\n')}\n`;
}

function ruleLines({ side, ruleId, name, effects }: RuleEffects): string[] {
  const title = name === '' ? '' : ` ${printable(name, 80)}`;
  const [{ paths, samples }] = effects;
  const place = ({ host, path }: { readonly host: string; readonly path: string }): string =>
    `${printable(host, 60)}${printable(path, 80)}`;
  return [
    `  ${side} ${printable(ruleId, 40)}${title}`,
    ...effects.map((effect) => `    ${effectLine(effect)}`),
    ...paths.slice(0, SHOWN.paths).map((one) => `    ${grouped(one.requests)} × ${place(one)}`),
    ...samples
      .slice(0, SHOWN.samples)
      .map(
        (one) =>
          `    e.g. ray ${printable(one.rayId, 40)}: ${printable(one.method, 10)} ${place(one)}${printable(one.query, 60)} from ${printable(one.client, 45)}`,
      ),
  ];
}
