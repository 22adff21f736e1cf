import { printable } from '../../core/printable';
import { type RuleAnswer } from '../comparison';
import { type Review } from '../review';
import {
  changeWords,
  effectLines,
  folded,
  grouped,
  knownHours,
  outcomeCounts,
  percent,
  proposalLines,
} from './words';

/** The review for a ticket or a pull request. */
export function renderMarkdown(review: Review): string {
  const { requests, rules, findings, intake, proposal, effect } = review;
  const hours = knownHours(review);
  const events = intake === undefined ? '' : `${grouped(intake.events)} events of `;
  const lines = [
    '# Legacy WAF against new WAF',
    '',
    `${events}${grouped(requests)} requests.`,
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
    ...(hours.length === 0
      ? []
      : ['', '## Time line', '', '| hour (UTC) | requests |', '| --- | --- |']),
    ...hours.map(({ hour, outcomes }) => {
      const counts = Object.entries(outcomes).map(([name, count]) => `${name}: ${grouped(count)}`);
      return `| ${cell(hour)} | ${counts.join(', ')} |`;
    }),
    ...(proposal === undefined ? [] : section('Proposal', proposalLines(proposal))),
    ...(effect === undefined ? [] : section('Effect', effectLines(effect))),
  ];
  return `${lines.join('\n')}\n`;
}

function ruleTable(rules: readonly RuleAnswer[]): string[] {
  return [
    '## Rules',
    '',
    '| rule | requests | what | clients | share | mostly | sample |',
    '| --- | --: | --- | --: | --: | --- | --- |',
    ...rules.map((rule) => {
      const [path] = rule.paths;
      const [sample] = rule.samples;
      const where = path === undefined ? '' : code(path.host + path.path);
      return `| ${rule.side} ${code(rule.ruleId)} ${cell(rule.name)} | ${grouped(rule.requests)} | ${changeWords[rule.change]} (${rule.verdict}) | ${grouped(rule.clients)} | ${percent(rule.share)} | ${where} | ${code(sample?.rayId ?? '')} |`;
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
