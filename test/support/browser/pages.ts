import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderFleetHtml } from '../../../src/fleet/html';
import { type LedgerEntry, type ZoneEntry } from '../../../src/fleet/ledger';
import { renderReportHtml } from '../../../src/report/formats/html';
import { reports } from '../../report/support/reports';
import { event, lines } from '../../review/support/event-files';
import { type RawEvent } from '../../review/support/reference';
import { deploying } from '../../review/support/review-of';
import { runCli } from '../run-cli';
import { temporaryFolder } from '../temporary-folder';

export const made = { at: '2026-11-23T16:24:33.123Z', version: '1.2.3' };

async function reviewPage(events: readonly RawEvent[]): Promise<string> {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'a'), lines(events));
  writeFileSync(join(cwd, 'c'), JSON.stringify(deploying()));
  const line = 'review --events a --config c --propose p --format html --out r.html';
  await runCli(line.split(' '), { cwd });
  return readFileSync(join(cwd, 'r.html'), 'utf8');
}

/** A rule with both effects, and one of the legacy WAF. */
export const reviewed: readonly RawEvent[] = [1, 2, 3, 4].flatMap((ray) => {
  const rule = 'bba3d37891a440fb8bc95b970cbd9abc';
  const at = { Datetime: `2026-01-01T1${ray % 2}:05:00Z` };
  return [
    { ...event(`n${ray}`, 'firewallmanaged', 'log', rule, `/${ray}`), ...at },
    { ...event(`s${ray}`, 'firewallmanaged', 'log', rule, '/feed'), ...at },
    { ...event(`s${ray}`, 'waf', 'challenge', '100021', '/feed'), ...at },
    { ...event(`l${ray}`, 'waf', 'block', '100020', '/upload'), ...at },
    { ...event(`h${ray}`, 'firewallmanaged', 'block', rule, '/hidden'), ...at },
  ];
});

export const idOf = (number: number): string => number.toString(16).padStart(32, '0');
const at = (minute: number): string => new Date(Date.UTC(2026, 10, 21, 10, minute)).toISOString();

/** A step that ended for a zone. */
export const step = (
  stage: string,
  number: number,
  outcome: ZoneEntry['outcome'],
  minute: number,
  more: Partial<ZoneEntry> = {},
): ZoneEntry => ({
  ...{
    event: 'zone',
    stage,
    request: '{}',
    zone: idOf(number),
    name: `zone-${number}.example.com`,
  },
  ...{ outcome, at: at(minute), line: `${stage} ${outcome}`, result: {} },
  ...(outcome === 'failed'
    ? { error: { code: 'API_UNAVAILABLE', message: 'no', hint: 'run it again later', causes: [] } }
    : {}),
  ...more,
});

export const begin = (stage: string, numbers: readonly number[], minute: number): LedgerEntry => ({
  ...{ event: 'begin', stage, request: '{}', at: at(minute) },
  zones: numbers.map((number) => ({ zone: idOf(number), name: `zone-${number}.example.com` })),
  command: `${stage} --zones zones.txt`,
});

const five = [0, 1, 2, 3, 4];
/** Zones 0 and 1 are migrated, 2 failed, 3 is blocked, 4 has not started. */
export const ledger: readonly LedgerEntry[] = [
  begin('check', five, 0),
  ...five.map((number) =>
    step('check', number, number === 3 ? 'attention' : 'done', number, {
      result: { migrationState: 'start' },
      line: number === 3 ? 'may not migrate: URI_OVERRIDE' : 'may migrate',
    }),
  ),
  begin('finish', [0, 1, 2], 60),
  step('finish', 0, 'done', 61),
  step('finish', 1, 'done', 62),
  step('finish', 2, 'failed', 63, { line: `zone ${idOf(2)} was not changed` }),
  begin('report', [0, 1], 90),
  step('report', 0, 'failed', 91),
  step('report', 1, 'done', 92),
];

/** One of each page. */
export const pages: Readonly<Record<string, () => string | Promise<string>>> = {
  'report of a zone': () => renderReportHtml(reports['one-zone'], made),
  'report of zones': () => renderReportHtml(reports.zones, made),
  review: () => reviewPage(reviewed),
  fleet: () => renderFleetHtml(ledger),
};
