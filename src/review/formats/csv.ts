import { printable } from '../../core/printable';
import { type Review } from '../review';

const columns = [
  'side',
  'rule_id',
  'name',
  'ruleset',
  'change',
  'outcome',
  'verdict',
  'requests',
  'share',
  'clients',
  'first_seen',
  'last_seen',
  'top_path',
  'sample_ray',
] as const;

/** The rules, one a line, for a spreadsheet (RFC 4180). */
export function renderCsv({ rules }: Review): string {
  const lines = rules.map((rule) => {
    const [path] = rule.paths;
    const [sample] = rule.samples;
    return [
      rule.side,
      rule.ruleId,
      rule.name,
      rule.ruleset ?? '',
      rule.change,
      rule.outcome,
      rule.verdict,
      String(rule.requests),
      rule.share.toFixed(6),
      String(rule.clients),
      rule.firstSeen,
      rule.lastSeen,
      path === undefined ? '' : path.host + path.path,
      sample?.rayId ?? '',
    ];
  });
  return [columns, ...lines].map((line) => `${line.map(field).join(',')}\r\n`).join('');
}

/**
 * Text of an attacker, in a file that is also shown on a terminal: characters that drive one are
 * escaped, and what a spreadsheet would take for a formula gets an apostrophe (OWASP: CSV injection), also where
 * it parts cells at semicolons: it would not see quotes in the middle of such a cell.
 */
function field(value: string): string {
  const text = printable(value).replace(/(^|;)(?=["']*[=+\-@])/g, "$1'");
  return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
