import { mdCode, mdFinding, mdTable, mdText } from '../../core/markdown';
import { counted, grouped } from '../../core/printable';
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

/** The review for a ticket or a pull request. */
export function renderMarkdown(review: Review): string {
  const { requests, findings, intake, proposal, effect } = review;
  const rules = rulesWithEffects(review.rules);
  const events = intake === undefined ? '' : `${counted(intake.events, 'event')} from `;
  const lines = [
    '# Legacy WAF against new WAF',
    '',
    `**${answerOf(review).words}**`,
    '',
    `Based on ${events}${counted(requests, 'request')}.`,
    '',
    ...mdTable(
      ['outcome', 'requests', 'share'],
      outcomeCounts(review).map(({ words, count, share }) => [words, grouped(count), share]),
    ),
    '',
    ...(findings.length === 0 ? [] : ['## To know', '']),
    ...findings.map((one) => `- ${mdFinding(one)}`),
    ...(findings.length === 0 ? [] : ['']),
    ...(rules.length === 0 ? ['No rule would change anything.'] : ruleTable(rules)),
    ...(proposal === undefined ? [] : section('Proposal', proposalLines(proposal))),
    ...(effect === undefined ? [] : section('Effect', effectLines(effect))),
  ];
  return `${lines.join('\n')}\n`;
}

function ruleTable(rules: readonly RuleEffects[]): string[] {
  const cells = rules.map(({ side, ruleId, name, effects }) => {
    const [{ paths, samples }] = effects;
    const [[path], [sample]] = [paths, samples];
    return [
      `${side} ${mdCode(ruleId)} ${mdText(name)}`,
      effects.map(effectLine).join('<br>'),
      path === undefined ? '' : mdCode(path.host + path.path),
      mdCode(sample?.rayId ?? ''),
    ];
  });
  return ['## Rules', '', ...mdTable(['rule', 'what changes', 'mostly', 'sample'], cells)];
}

/** Lines as they are: indented text is literal in Markdown. */
const section = (title: string, lines: readonly string[]): string[] => [
  '',
  `## ${title}`,
  '',
  ...lines.flatMap(folded).map((line) => `    ${line}`),
];
