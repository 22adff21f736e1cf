import { type Finding } from '../../core/finding';
import { printable } from '../../core/printable';
import {
  type NewRuleRow,
  type OverrideRow,
  type SettingRow,
  statuses,
} from '../../translate/compare/parity';
import { type Report, type ZoneReport } from '../report';
import { describeNewRule, describeOverride, statusMeanings, statusWords } from './words';

/** The report as Markdown with tables, for a pull request or a wiki. */
export function renderReportMarkdown({ zones }: Report): string {
  return [
    '# What becomes of the old WAF settings',
    '',
    ...overview(zones),
    ...zones.flatMap(zone),
  ].join('\n');
}

function overview(zones: readonly ZoneReport[]): string[] {
  if (zones.length < 2) return [];
  return [
    ...table(
      ['Zone', 'Lost', 'Changed', 'Kept', 'Without effect', 'New rules'],
      zones.map(({ zoneId, name, parity: { summary } }) => [
        name === undefined ? code(zoneId) : plain(name),
        ...[summary.lost, summary.changed, summary.kept, summary.withoutEffect, summary.rules].map(
          String,
        ),
      ]),
    ),
    '',
  ];
}

function zone({ zoneId, name, against, parity, findings }: ZoneReport): string[] {
  const { settings, rules, summary } = parity;
  return [
    `## Zone ${name === undefined ? '' : `${plain(name)} `}${code(zoneId)}`,
    '',
    `Held against ${plain(against)}.`,
    '',
    ...table(
      ['Old settings', 'Lost', 'Changed', 'Kept', 'Without effect', 'New rules'],
      [
        [
          summary.settings,
          summary.lost,
          summary.changed,
          summary.kept,
          summary.withoutEffect,
          summary.rules,
        ].map(String),
      ],
    ),
    '',
    ...statuses.flatMap((status) => {
      const rows = settings.filter((row) => row.status === status);
      if (rows.length === 0) return [];
      const head = `### ${statusWords[status]} (${rows.length})`;
      return [head, '', `${statusMeanings[status]}.`, '', ...settingTable(rows), ''];
    }),
    '### The new ruleset',
    '',
    ...rules.flatMap(newRule),
    ...(findings.length === 0 ? [] : ['### To know and to decide', '', ...findings.map(item), '']),
  ];
}

function settingTable(rows: readonly SettingRow[]): string[] {
  return table(
    ['Old setting', 'Was', 'Is now', 'Why', 'To do'],
    rows.map(({ from, attribute, value, to = '', why = '', remedy = '' }) => [
      code(`${from}.${attribute}`),
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
  return `${override.kind} ${code(override.id)}: ${what}, from: ${origin(override.from)}`;
}

function origin(from: readonly string[], because = 'no old setting that is known'): string {
  return from.length === 0 ? plain(because) : from.map(code).join(', ');
}

function item({ severity, code: name, subject, message, remedy }: Finding): string {
  return `- **${severity}** ${code(name)} ${code(subject)}: ${plain(message)}. To do: ${plain(remedy)}.`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

/**
 * Text from outside as plain words of Markdown: every character that could begin markup, HTML, a
 * link, or another cell is escaped, addresses of the web included, which GitHub links by itself.
 * Punctuation that begins nothing stays as it is: the text is read unrendered too.
 */
export function plain(text: string): string {
  return printable(text).replace(/[!#$&()*+\-./:<>@[-`{-~]/g, '\\$&');
}

/**
 * Text from outside as code: nothing in it is read as markup or HTML. The fence is longer than any
 * run of backticks inside. A bar would end the cell of a table, and its escapes inside of code differ
 * between renderers: such text is escaped as plain words instead.
 */
export function code(text: string): string {
  const line = printable(text);
  if (line.includes('|')) return plain(line);
  if (line.trim() === '') return '';
  const runs = line.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map(({ length }) => length)) + 1);
  const pad = /^[` ]|[` ]$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}
