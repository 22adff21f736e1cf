import { counted, grouped, printable } from '../../core/printable';
import { type Review } from '../review';
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
    '| outcome | requests | share |',
    '| --- | --: | --: |',
    ...outcomeCounts(review).map(
      ({ words, count, share }) => `| ${words} | ${grouped(count)} | ${share} |`,
    ),
    '',
    ...(findings.length === 0 ? [] : ['## To know', '']),
    ...findings.map(
      ({ severity, code: name, message, remedy }) =>
        `- **${severity}** ${name}: ${cell(message)}. ${cell(remedy)}.`,
    ),
    ...(findings.length === 0 ? [] : ['']),
    ...(rules.length === 0 ? ['No rule would change anything.'] : ruleTable(rules)),
    ...(proposal === undefined ? [] : section('Proposal', proposalLines(proposal))),
    ...(effect === undefined ? [] : section('Effect', effectLines(effect))),
  ];
  return `${lines.join('\n')}\n`;
}

function ruleTable(rules: readonly RuleEffects[]): string[] {
  return [
    '## Rules',
    '',
    '| rule | what changes | mostly | sample |',
    '| --- | --- | --- | --- |',
    ...rules.map(({ side, ruleId, name, effects }) => {
      const [{ paths, samples }] = effects;
      const [[path], [sample]] = [paths, samples];
      const where = path === undefined ? '' : code(path.host + path.path);
      return `| ${side} ${code(ruleId)} ${cell(name)} | ${effects.map(effectLine).join('<br>')} | ${where} | ${code(sample?.rayId ?? '')} |`;
    }),
  ];
}

/** Lines as they are: indented text is literal in Markdown. */
const section = (title: string, lines: readonly string[]): string[] => [
  '',
  `## ${title}`,
  '',
  ...lines.flatMap(folded).map((line) => `    ${line}`),
];

/** Text of a cell: nothing in it is markup. */
const cell = (text: string): string =>
  printable(text, 300).replace(/[\\`*_{}[\]<>()#+!|~&]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** Literal text of a cell: a back quote would end it, a bar would end the cell. */
function code(text: string): string {
  const plain = printable(text, 200).replaceAll('`', 'ˋ').replaceAll('|', '\\|');
  return plain === '' ? '' : `\`${plain}\``;
}
