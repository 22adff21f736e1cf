import { type ReviewFormatName } from '../../core/format-names';
import { printable } from '../../core/printable';
import { type Made } from '../../html/components';
import { type RuleAnswer } from '../comparison';
import { type Review } from '../make-review';
import { renderHtml } from './html';
import { renderMarkdown } from './markdown';
import { renderText } from './text';

export const reviewFormats: Readonly<
  Record<ReviewFormatName, (review: Review, made?: Made) => string>
> = {
  text: renderText,
  json: (review) => `${JSON.stringify(review, null, 2)}\n`,
  csv: renderCsv,
  markdown: renderMarkdown,
  html: renderHtml,
};

const COLUMNS: Readonly<Record<string, (rule: RuleAnswer) => string>> = {
  side: ({ side }) => side,
  rule_id: ({ ruleId }) => ruleId,
  name: ({ name }) => name,
  ruleset: ({ ruleset }) => ruleset ?? '',
  change: ({ change }) => change,
  outcome: ({ outcome }) => outcome,
  verdict: ({ verdict }) => verdict,
  requests: ({ requests }) => String(requests),
  share: ({ share }) => share.toFixed(6),
  clients: ({ clients }) => String(clients),
  first_seen: ({ firstSeen }) => firstSeen,
  last_seen: ({ lastSeen }) => lastSeen,
  top_path: ({ paths: [path] }) => (path === undefined ? '' : path.host + path.path),
  sample_ray: ({ samples: [sample] }) => sample?.rayId ?? '',
};

/** The rules, one a line, for a spreadsheet (RFC 4180). */
function renderCsv({ rules }: Review): string {
  const lines = rules.map((rule) => Object.values(COLUMNS).map((of) => of(rule)));
  return [Object.keys(COLUMNS), ...lines]
    .map((line) => `${line.map(field).join(',')}\r\n`)
    .join('');
}

/**
 * Hostile text in a file that is also shown on a terminal: characters that drive one are escaped, and what
 * a spreadsheet would take for a formula gets an apostrophe (OWASP: CSV injection). After a semicolon too,
 * where it may split cells: it would not see quotes in the middle of such a cell.
 */
function field(value: string): string {
  const text = printable(value).replace(/(^|;)(?=["']*[=+\-@])/g, "$1'");
  return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
