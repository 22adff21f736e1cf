import { printable } from '../../core/printable';
import { renderFindings } from '../../core/finding';
import { type NewRuleRow, type SettingRow, statuses } from '../../translate/compare/parity';
import { type Report, type ZoneReport } from '../report';
import {
  describeNewRule,
  describeOverride,
  statusMeanings,
  statusWords,
  summaryLine,
} from './words';

/** The report for a terminal: every setting, what is lost first. */
export function renderReportText({ zones }: Report): string {
  return zones.flatMap(renderZone).join('\n');
}

function renderZone({ zoneId, name, against, parity, findings }: ZoneReport): string[] {
  const { settings, rules, summary } = parity;
  return [
    `Zone ${name === undefined ? '' : `${printable(name, 100)} `}${printable(zoneId)} against ${printable(against)}`,
    `  ${summaryLine(summary)}`,
    '',
    ...statuses.flatMap((status) => {
      const rows = settings.filter((row) => row.status === status);
      if (rows.length === 0) return [];
      const head = `${statusWords[status]} (${rows.length}): ${statusMeanings[status]}`;
      return [head, ...rows.flatMap(renderSetting), ''];
    }),
    'The new ruleset',
    ...rules.flatMap(renderRule),
    '',
    ...renderFindings(findings),
    '',
  ];
}

function renderSetting({ from, attribute, value, to, why, remedy }: SettingRow): string[] {
  return [
    `  ${printable(`${from}.${attribute}`)} = ${printable(value, 200)}`,
    ...(to === undefined ? [] : [`      is now: ${printable(to, 300)}`]),
    ...(why === undefined ? [] : [`      because: ${printable(why, 500)}`]),
    ...(remedy === undefined ? [] : [`      → ${printable(remedy, 300)}`]),
  ];
}

function renderRule(row: NewRuleRow): string[] {
  const { position, expression, from, because, overrides } = row;
  return [
    `  ${position + 1}. ${printable(describeNewRule(row))}, for: ${printable(expression, 500)}`,
    `      from: ${origin(from, because)}`,
    ...overrides.map(
      (override) =>
        `      ${override.kind} ${printable(override.id)}: ${printable(describeOverride(override))} (from: ${origin(override.from)})`,
    ),
  ];
}

const SHOWN = 3;

function origin(from: readonly string[], because = 'no old setting that is known'): string {
  if (from.length === 0) return because;
  const shown = from.slice(0, SHOWN).map((name) => printable(name, 200));
  return from.length > SHOWN
    ? `${shown.join(', ')} and ${from.length - SHOWN} more`
    : shown.join(', ');
}
