import { type NewRuleRow, type SettingRow } from '../../../src/translate/compare/parity';
import { type Report, type ZoneReport } from '../../../src/report/report';

const CLOUDFLARE = 'efb7b8c949ac4650a09736fc376e9aee';
const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f';

/** A setting of a rule that is kept, by default. */
export const setting = (row: Partial<SettingRow> = {}): SettingRow => ({
  kind: 'rule',
  from: 'cloudflare_waf_rule.a',
  attribute: 'mode',
  subject: '100001',
  value: 'disable',
  package: 'cloudflare',
  status: 'kept',
  ...(row.status === 'lost' ? {} : { to: 'off' }),
  rules: [0],
  ...row,
});

/** A rule that runs the Cloudflare Managed Ruleset, by default. */
export const newRule = (row: Partial<NewRuleRow> = {}): NewRuleRow => ({
  position: 0,
  action: 'execute',
  expression: 'true',
  enabled: true,
  ...(row.action === undefined
    ? { ruleset: CLOUDFLARE, rulesetName: 'Cloudflare Managed Ruleset' }
    : {}),
  from: ['cloudflare_waf_rule.a.mode'],
  overrides: [],
  ...row,
});

/** The report of a zone. */
export function zoneOf(
  settings: readonly SettingRow[],
  rules: readonly NewRuleRow[] = [newRule()],
  more: Partial<ZoneReport> = {},
): ZoneReport {
  const count = (wanted: string): number =>
    settings.filter(({ status }) => status === wanted).length;
  const summary = {
    settings: settings.length,
    kept: count('kept'),
    changed: count('changed'),
    lost: count('lost'),
    withoutEffect: count('without-effect'),
    rules: rules.length,
    withoutOrigin: 0,
  };
  const zoneId = 'e'.repeat(32);
  const parity = { settings, rules, summary };
  return { zoneId, against: 'the live entry point', parity, findings: [], ...more };
}

const of = (
  kind: SettingRow['kind'],
  status: SettingRow['status'],
  attribute = 'mode',
  more: Partial<SettingRow> = {},
): SettingRow => setting({ kind, status, attribute, ...more });
const urls = ['a.example/*', 'b.example/*'];
const from = ['cloudflare_waf_rule.a.mode'];

/** A zone with a setting of every kind and status, and with rules of every kind. */
const everything = zoneOf(
  [
    setting(),
    of('zone', 'lost', 'waf', { value: 'off', why: 'x' }),
    of('package', 'kept', 'action_mode', { package: 'owasp', subject: 'p' }),
    of('group', 'changed', 'mode', { subject: 'g', title: 'Drupal', why: 'fewer rules' }),
    setting({ title: 'A scanner', status: 'lost', why: 'no successor', remedy: 'write a rule' }),
    of('override', 'kept', 'rules["100005"]', { urls }),
    of('override', 'without-effect', 'groups["g"]', { why: 'paused' }),
    of('override', 'kept', 'rewrite_action["block"]', { subject: 'block' }),
    of('firewall-rule', 'changed', 'mode', { subject: 'ip.src eq 192.0.2.1', why: 'x' }),
    of('page-rule', 'kept', 'actions.waf', { subject: 'old.example/*' }),
  ],
  [
    newRule({ action: 'skip' }),
    newRule({
      position: 1,
      from: Array.from({ length: 13 }, (_, at) => `setting.${at}`),
      overrides: [
        { kind: 'rule', id: 'r', action: 'log', enabled: true, from },
        { kind: 'category', id: 'wordpress', enabled: false, from: [] },
      ],
    }),
    newRule({
      ...{ position: 2, ruleset: OWASP, rulesetName: 'OWASP', because: 'deployed by default' },
      ...{ from: [], enabled: false },
    }),
    newRule({ position: 3, action: 'block', expression: 'a "b" | c', description: 'd', from: [] }),
  ],
  {
    name: 'a.example',
    findings: [
      { code: 'A', severity: 'decision', subject: 's', message: 'decide this', remedy: 'do this' },
      { code: 'B', severity: 'info', subject: 't', message: 'know this', remedy: 'do that' },
    ],
  },
);

/** Reports of one zone, of several, and of none. */
export const reports: Readonly<Record<'one-zone' | 'zones' | 'no-zones', Report>> = {
  'one-zone': { zones: [everything] },
  zones: {
    zones: [
      zoneOf([], [], { name: '<b>*_`', against: 'a | live <ruleset>' }),
      zoneOf([setting({ status: 'changed' })], [newRule()], { zoneId: 'a'.repeat(32) }),
      everything,
    ],
  },
  'no-zones': { zones: [] },
};
