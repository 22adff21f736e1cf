import { printable } from '../../core/printable';
import { OUTCOMES, type RuleAnswer } from '../comparison';
import { type Review } from '../review';
import {
  changeWords,
  effectLines,
  folded,
  grouped,
  outcomeWords,
  percent,
  proposalLines,
} from './words';

/** The review for a ticket or a pull request. */
export function renderMarkdown(review: Review): string {
  const { classes, requests, rules, timeline, findings, intake } = review;
  const classLines = OUTCOMES.filter((outcome) => classes[outcome] > 0).map(
    (outcome) =>
      `| ${outcomeWords[outcome]} | ${grouped(classes[outcome])} | ${percent(classes[outcome] / Math.max(requests, 1))} |`,
  );
  const hours = timeline
    .filter(({ hour }) => hour !== '')
    .map(
      ({ hour, outcomes }) =>
        `| ${cell(hour)} | ${Object.entries(outcomes)
          .map(([name, count]) => `${name}: ${grouped(count)}`)
          .join(', ')} |`,
    );
  return `${[
    '# Old WAF against new WAF',
    '',
    `${intake === undefined ? '' : `${grouped(intake.events)} events of `}${grouped(requests)} requests.`,
    '',
    '| outcome | requests | share |',
    '| --- | --: | --: |',
    ...classLines,
    '',
    ...(findings.length === 0
      ? []
      : [
          '## To know',
          '',
          ...findings.map(
            ({ severity, code, message, remedy }) =>
              `- **${severity}** ${code}: ${cell(message)}. ${cell(remedy)}.`,
          ),
          '',
        ]),
    ...(rules.length === 0 ? ['No rule would change anything.'] : ruleTable(rules)),
    ...(hours.length < 2
      ? []
      : ['', '## Time line', '', '| hour (UTC) | requests |', '| --- | --- |', ...hours]),
    ...(review.proposal === undefined
      ? []
      : ['', '## Proposal', '', ...block(proposalLines(review.proposal).flatMap(folded))]),
    ...(review.effect === undefined
      ? []
      : ['', '## Effect', '', ...block(effectLines(review.effect).flatMap(folded))]),
  ].join('\n')}\n`;
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

/** Text of a cell: nothing in it is markup. */
const cell = (text: string): string =>
  printable(text, 300).replace(/[\\`*_{}[\]<>()#+!|~&]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** Literal text of a cell: a back quote would end it, a bar would end the cell. */
function code(text: string): string {
  const plain = printable(text, 200).replaceAll('`', 'ˋ').replaceAll('|', '\\|');
  return plain === '' ? '' : `\`${plain}\``;
}

/** Lines as they are: indented text is literal in Markdown. */
const block = (lines: readonly string[]): string[] => lines.map((line) => `    ${line}`);
