import { mdCode, mdFindings, mdTable, mdText } from '../../core/markdown';
import {
  type NewRuleRow,
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
    name === undefined ? mdCode(zoneId) : mdText(name),
    ...countCells(summary),
  ]);
  return [...mdTable(['Zone', ...COUNTS], rows), ''];
}

const countCells = (summary: ParitySummary): string[] =>
  [...statusCounts(summary).map(({ count }) => count), summary.rules].map(String);

function zone({ zoneId, name, against, parity, findings }: ZoneReport): string[] {
  const { settings, rules, summary } = parity;
  return [
    `## Zone ${name === undefined ? '' : `${mdText(name)} `}${mdCode(zoneId)}`,
    '',
    `Compared with ${mdText(against)}.`,
    '',
    ...mdTable(
      ['Legacy settings', ...COUNTS],
      [[String(summary.settings), ...countCells(summary)]],
    ),
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
    ...(findings.length === 0
      ? []
      : ['### Decisions and notices', '', ...mdFindings(findings), '']),
  ];
}

function settingTable(rows: readonly SettingRow[]): string[] {
  return mdTable(
    ['Legacy setting', 'Was', 'Is now', 'Why', 'To do'],
    rows.map(({ from, attribute, value, title, to = '', why = '', remedy = '' }) => [
      `${mdCode(`${from}.${attribute}`)}${title === undefined ? '' : ` ${mdText(title)}`}`,
      mdCode(value),
      mdText(to),
      mdText(why),
      mdText(remedy),
    ]),
  );
}

function newRule(row: NewRuleRow): string[] {
  const { position, expression, from, because, overrides } = row;
  return [
    `${position + 1}. ${mdText(describeNewRule(row))}, for ${mdCode(expression)}`,
    `   - from: ${origin(from, because)}`,
    ...overrides.map(
      (override) =>
        `   - ${mdText(nameOverride(override))}: ${mdText(describeOverride(override))}, from: ${origin(override.from)}`,
    ),
    '',
  ];
}

function origin(from: readonly string[], because = UNKNOWN_ORIGIN): string {
  return from.length === 0 ? mdText(because) : from.map(mdCode).join(', ');
}
