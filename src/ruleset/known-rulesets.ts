/**
 * Identifiers and defaults that are the same in every zone, from Cloudflare's documentation and public
 * configurations. The default action of the scoring rule is that of the OWASP ruleset.
 */
export const CLOUDFLARE_PACKAGE = '1e334934fd7ae32ad705667f8c1057aa';
export const OWASP_PACKAGE = 'c504870194831cd12c3fc0284f294abb';

export const CLOUDFLARE_RULESET = 'efb7b8c949ac4650a09736fc376e9aee';
export const OWASP_RULESET = '4814384a9e5d4991b9815dcfc25d2f1f';
const EXPOSED_CREDENTIALS_RULESET = 'c2e184081120413c86c3ab7e14069605';

/** The action and the threshold of the scoring rule without overrides. */
export const SCORING_DEFAULT = { action: 'block', threshold: 40 } as const;

/** The categories of the OWASP ruleset, lowest paranoia level first. */
export const PARANOIA_CATEGORIES = [
  'paranoia-level-1',
  'paranoia-level-2',
  'paranoia-level-3',
  'paranoia-level-4',
] as const;

/** Legacy rules that stayed on regardless of the settings of a zone (Cloudflare's documentation). */
export const NEVER_DISABLED: ReadonlySet<string> = new Set(['WP0025B', '100043A', '100030']);

const rulesetNames: ReadonlyMap<string, string> = new Map([
  [CLOUDFLARE_RULESET, 'Cloudflare Managed Ruleset'],
  [OWASP_RULESET, 'Cloudflare OWASP Core Ruleset'],
  [EXPOSED_CREDENTIALS_RULESET, 'Cloudflare Exposed Credentials Check'],
]);

export function rulesetName(id: string): string {
  return rulesetNames.get(id) ?? id;
}
