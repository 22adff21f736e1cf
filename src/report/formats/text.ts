import { renderFindings } from '../../core/finding';
import { printable } from '../../core/printable';
import { type NewRuleRow, type SettingRow } from '../../translate/compare/parity';
import { type Report, type ZoneReport } from '../report';
import {
  describeNewRule,
  describeOverride,
  nameOverride,
  nameSetting,
  settingsByStatus,
  summaryLine,
  UNKNOWN_ORIGIN,
} from './words';

export function renderReportText({ zones }: Report): string {
  return zones.flatMap(zoneLines).join('\n');
}

function zoneLines({ zoneId, name, against, parity, findings }: ZoneReport): string[] {
  const { settings, rules, summary } = parity;
  const zone = name === undefined ? '' : `${printable(name, 100)} `;
  return [
    `Zone ${zone}${printable(zoneId)}, compared with ${printable(against)}`,
    `  ${summaryLine(summary)}`,
    '',
    ...settingsByStatus(settings).flatMap(({ word, meaning, rows }) => [
      `${word} (${rows.length}): ${meaning}`,
      ...rows.flatMap(settingLines),
      '',
    ]),
    'The new ruleset',
    ...rules.flatMap(ruleLines),
    '',
    ...renderFindings(findings),
    '',
  ];
}

function settingLines(row: SettingRow): string[] {
  const { from, attribute, value, title, to, why, remedy } = row;
  return [
    `  ${printable(`${from}.${attribute}`)} = ${printable(value, 200)}`,
    ...(title === undefined ? [] : [`      ${printable(nameSetting(row), 200)}`]),
    ...(to === undefined ? [] : [`      is now: ${printable(to, 300)}`]),
    ...(why === undefined ? [] : [`      because: ${printable(why, 500)}`]),
    ...(remedy === undefined ? [] : [`      → ${printable(remedy, 2_000)}`]),
  ];
}

function ruleLines(row: NewRuleRow): string[] {
  const { position, expression, from, because, overrides } = row;
  return [
    `  ${position + 1}. ${printable(describeNewRule(row))}, for: ${printable(expression, 500)}`,
    `      from: ${origin(from, because)}`,
    ...overrides.map(
      (override) =>
        `      ${printable(nameOverride(override))}: ${printable(describeOverride(override))} (from: ${origin(override.from)})`,
    ),
  ];
}

const SHOWN = 3;

function origin(from: readonly string[], because = UNKNOWN_ORIGIN): string {
  if (from.length === 0) return because;
  const shown = from.slice(0, SHOWN).map((name) => printable(name, 200));
  const more = from.length > SHOWN ? ` and ${from.length - SHOWN} more` : '';
  return `${shown.join(', ')}${more}`;
}
