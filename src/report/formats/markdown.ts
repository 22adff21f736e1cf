import { type Finding, titleOf } from '../../core/finding';
import { printable } from '../../core/printable';
import {
  type NewRuleRow,
  type OverrideRow,
  type ParitySummary,
  type SettingRow,
} from '../../translate/compare/parity';
import { type Report, type ZoneReport } from '../report';
import {
  describeNewRule,
  describeOverride,
  nameOverride,
  settingsByStatus,
  STATUS_LOOKS,
  statusCounts,
  UNKNOWN_ORIGIN,
} from './words';

const COUNTS = [...Object.values(STATUS_LOOKS).map(({ word }) => word), 'New rules'];

/** The report as Markdown with tables, for a pull request or a wiki. */
export function renderReportMarkdown({ zones }: Report): string {
  return [
    '# What happens to the legacy WAF settings',
    '',
    ...overview(zones),
    ...zones.flatMap(zone),
  ].join('\n');
}

function overview(zones: readonly ZoneReport[]): string[] {
  if (zones.length < 2) return [];
  const rows = zones.map(({ zoneId, name, parity: { summary } }) => [
    name === undefined ? code(zoneId) : plain(name),
    ...countCells(summary),
  ]);
  return [...table(['Zone', ...COUNTS], rows), ''];
}

const countCells = (summary: ParitySummary): string[] =>
  [...statusCounts(summary).map(({ count }) => count), summary.rules].map(String);

function zone({ zoneId, name, against, parity, findings }: ZoneReport): string[] {
  const { settings, rules, summary } = parity;
  return [
    `## Zone ${name === undefined ? '' : `${plain(name)} `}${code(zoneId)}`,
    '',
    `Compared with ${plain(against)}.`,
    '',
    ...table(['Legacy settings', ...COUNTS], [[String(summary.settings), ...countCells(summary)]]),
    '',
    ...settingsByStatus(settings).flatMap(({ word, meaning, rows }) => [
      `### ${word} (${rows.length})`,
      '',
      `${meaning}.`,
      '',
      ...settingTable(rows),
      '',
    ]),
    '### The new ruleset',
    '',
    ...rules.flatMap(newRule),
    ...(findings.length === 0 ? [] : ['### To know and to decide', '', ...findings.map(item), '']),
  ];
}

function settingTable(rows: readonly SettingRow[]): string[] {
  return table(
    ['Legacy setting', 'Was', 'Is now', 'Why', 'To do'],
    rows.map(({ from, attribute, value, title, to = '', why = '', remedy = '' }) => [
      `${code(`${from}.${attribute}`)}${title === undefined ? '' : ` ${plain(title)}`}`,
      code(value),
      plain(to),
      plain(why),
      plain(remedy),
    ]),
  );
}

function newRule(row: NewRuleRow): string[] {
  const { position, expression, from, because, overrides } = row;
  return [
    `${position + 1}. ${plain(describeNewRule(row))}, for ${code(expression)}`,
    `   - from: ${origin(from, because)}`,
    ...overrides.map((override) => `   - ${overrideItem(override)}`),
    '',
  ];
}

function overrideItem(override: OverrideRow): string {
  const what = plain(describeOverride(override));
  return `${plain(nameOverride(override))}: ${what}, from: ${origin(override.from)}`;
}

function origin(from: readonly string[], because = UNKNOWN_ORIGIN): string {
  return from.length === 0 ? plain(because) : from.map(code).join(', ');
}

function item(finding: Finding): string {
  const { severity, code: name, subject, message, remedy } = finding;
  const title = titleOf(finding);
  const what = title === undefined ? code(name) : `${title} (${code(name)})`;
  return `- **${severity}** ${what} ${code(subject)}: ${plain(message)}. To do: ${plain(remedy)}.`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

/**
 * Hostile text as plain Markdown: escapes every character that could start markup, HTML, a link or another
 * cell, and web addresses, which GitHub links. Other punctuation is unchanged, because the text is also read
 * unrendered.
 */
function plain(text: string): string {
  return printable(text).replace(/[!#$&()*+\-./:<>@[-`{-~]/g, '\\$&');
}

/**
 * Hostile text as code, never read as markup or HTML. The fence is longer than any run of backticks inside.
 * Text with a bar is escaped as plain words instead: a bar ends a table cell, and renderers escape it
 * differently inside code.
 */
function code(text: string): string {
  const line = printable(text);
  if (line.includes('|')) return plain(line);
  if (line.trim() === '') return '';
  const runs = line.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1);
  const pad = /^[` ]|[` ]$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}
