import { CLOUDFLARE_RULESET, OWASP_RULESET } from '../../../ruleset/known-rulesets';
import { type NewRuleRow, type Parity, type SettingRow } from '../../parity/parity';

/** One part of the page: the old settings and the new rules that belong together. */
export interface Family {
  readonly key: string;
  readonly title: string;
  /** Which part of the previous WAF it takes the place of. */
  readonly instead: string;
  readonly settings: readonly SettingRow[];
  readonly rules: readonly NewRuleRow[];
}

const families = [
  {
    key: 'cloudflare',
    title: 'Cloudflare Managed Ruleset',
    instead: 'takes the place of the old package CloudFlare, and of overrides for its rules',
  },
  {
    key: 'owasp',
    title: 'Cloudflare OWASP Core Ruleset',
    instead: 'takes the place of the old package OWASP ModSecurity Core Rule Set',
  },
  {
    key: 'exceptions',
    title: 'Exceptions',
    instead: 'take the place of firewall rules and page rules that kept requests from the old WAF',
  },
  {
    key: 'rest',
    title: 'Everything else',
    instead: 'the switch of the whole WAF, packages of other kinds, other managed rulesets',
  },
] as const;
type Key = (typeof families)[number]['key'];

/** Brings old settings and new rules together, managed ruleset by managed ruleset. */
export function groupByFamily({ settings, rules }: Parity): Family[] {
  return families
    .map((family) => ({
      ...family,
      settings: settings.filter((row) => familyOfSetting(row) === family.key),
      rules: rules.filter((row) => familyOfRule(row) === family.key),
    }))
    .filter((family) => family.settings.length + family.rules.length > 0);
}

function familyOfSetting({ kind, package: of }: SettingRow): Key {
  if (kind === 'firewall-rule' || kind === 'page-rule') return 'exceptions';
  if (of === 'owasp') return 'owasp';
  if (of === 'cloudflare' || (kind === 'override' && of === undefined)) return 'cloudflare';
  return kind === 'rule' && of === undefined ? 'cloudflare' : 'rest';
}

function familyOfRule({ ruleset, action }: NewRuleRow): Key {
  if (ruleset === CLOUDFLARE_RULESET) return 'cloudflare';
  if (ruleset === OWASP_RULESET) return 'owasp';
  return action === 'skip' ? 'exceptions' : 'rest';
}
