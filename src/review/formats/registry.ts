import { type ReviewFormatName } from '../../core/format-names';
import { renderFindings } from '../../core/finding';
import { mdCode, mdFindings, mdTable, mdText } from '../../core/markdown';
import { counted, csvTable, grouped, printable } from '../../core/printable';
import { type Made } from '../../html/components';
import { type RuleAnswer } from '../comparison';
import { type Review } from '../make-review';
import { renderHtml } from './html';
import {
  answerOf,
  basisOf,
  effectLine,
  effectLines,
  folded,
  outcomeCounts,
  proposalLines,
  type RuleEffects,
  rulesWithEffects,
} from './words';

export const reviewFormats: Readonly<
  Record<ReviewFormatName, (review: Review, made?: Made) => string>
> = {
  text: renderText,
  json: (review) => `${JSON.stringify(review, null, 2)}\n`,
  csv: ({ rules }) => csvTable(COLUMNS, rules),
  markdown: renderMarkdown,
  html: renderHtml,
};

/** How many rules, and of each how many samples and paths, the text shows; the JSON has all. */
const SHOWN = { rules: 20, samples: 2, paths: 3 } as const;
const NO_RULE = 'No rule would change anything.';

function renderText(review: Review): string {
  const { intake, proposal, effect, findings } = review;
  const rules = rulesWithEffects(review.rules);
  const counts = outcomeCounts(review).map((one) => ({ ...one, count: grouped(one.count) }));
  const width = Math.max(...counts.map(({ count }) => count.length));
  const left = rules.length - SHOWN.rules;
  const files = counted(intake?.files ?? 0, 'file');
  const from = intake?.files === 0 ? 'read from the Cloudflare API' : `in ${files}`;
  const lines = [
    answerOf(review).words,
    '',
    ...(intake === undefined ? [] : [`Based on ${basisOf(review)}, ${from}.`, '']),
    'Requests:',
    ...counts.map(
      ({ words, count, share }) => `  ${count.padStart(width)}  ${share.padStart(7)}  ${words}`,
    ),
    '',
    rules.length === 0 ? NO_RULE : 'Rules, largest effect first:',
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

function renderMarkdown(review: Review): string {
  const { findings, proposal, effect } = review;
  const rules = rulesWithEffects(review.rules);
  const lines = [
    '# Legacy WAF against new WAF',
    '',
    `**${answerOf(review).words}**`,
    '',
    `Based on ${basisOf(review)}.`,
    '',
    ...mdTable(
      ['outcome', 'requests', 'share'],
      outcomeCounts(review).map(({ words, count, share }) => [words, grouped(count), share]),
    ),
    '',
    ...(findings.length === 0 ? [] : ['## Decisions and notices', '', ...mdFindings(findings), '']),
    ...(rules.length === 0 ? [NO_RULE] : ruleTable(rules)),
    ...(proposal === undefined ? [] : literal('Proposal', proposalLines(proposal))),
    ...(effect === undefined ? [] : literal('Effect', effectLines(effect))),
  ];
  return `${lines.join('\n')}\n`;
}

function ruleTable(rules: readonly RuleEffects[]): string[] {
  const cells = rules.map(({ side, ruleId, name, effects }) => [
    `${side} ${mdCode(ruleId)} ${mdText(name)}`,
    effects.map(effectLine).join('<br>'),
    mdCode(topPath(effects[0])),
    mdCode(sampleRay(effects[0])),
  ]);
  return ['## Rules', '', ...mdTable(['rule', 'what changes', 'mostly', 'sample'], cells)];
}

/** Indented text is literal in Markdown. */
const literal = (title: string, lines: readonly string[]): string[] => [
  '',
  `## ${title}`,
  '',
  ...lines.flatMap(folded).map((line) => `    ${line}`),
];

const topPath = ({ paths: [path] }: RuleAnswer): string =>
  path === undefined ? '' : path.host + path.path;
const sampleRay = ({ samples: [sample] }: RuleAnswer): string => sample?.rayId ?? '';

const COLUMNS: Readonly<Record<string, (rule: RuleAnswer) => string>> = {
  side: ({ side }) => side,
  rule_id: ({ ruleId }) => ruleId,
  name: ({ name }) => name,
  ruleset: ({ ruleset }) => ruleset ?? '',
  change: ({ change }) => change,
  outcome: ({ outcome }) => outcome,
  verdict: ({ verdict }) => verdict,
  requests: ({ requests }) => String(requests),
  share: ({ share }) => share.toFixed(6),
  clients: ({ clients }) => String(clients),
  first_seen: ({ firstSeen }) => firstSeen,
  last_seen: ({ lastSeen }) => lastSeen,
  top_path: topPath,
  sample_ray: sampleRay,
};
