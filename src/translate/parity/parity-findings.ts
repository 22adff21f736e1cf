import { type Finding } from '../../model/finding';
import { type Parity } from './parity';

/**
 * What a person has to decide about a comparison.
 * @param isLeftOut whether the Cloudflare Managed Ruleset runs for nothing, and no setting asks for that
 */
export function parityFindings(
  { zoneId, settings, summary }: Parity,
  isLeftOut: boolean,
): Finding[] {
  const partial = settings.filter((row) => row.partial).length;
  const found: Finding[] = [];
  if (isLeftOut) {
    found.push({
      code: 'MANAGED_RULES_LEFT_OUT',
      severity: 'decision',
      subject: zoneId,
      message:
        'the Cloudflare Managed Ruleset runs for none of the requests that no old setting is for: what its rules did there is lost, and no row says so',
      remedy: 'deploy it for these requests, or make sure that this is meant',
    });
  }
  if (partial > 0) {
    found.push({
      code: 'SETTINGS_PARTIAL',
      severity: 'decision',
      subject: zoneId,
      message: `${partial} of ${summary.settings} old settings hold for some requests only, or nothing shows that they hold for all`,
      remedy:
        '`cf-waf-migrate report` names the expressions: compare them with what the zone needs',
    });
  }
  for (const { from } of settings.filter((row) => row.weaker)) {
    found.push({
      code: 'OWASP_WEAKER',
      severity: 'decision',
      subject: from,
      message:
        'the OWASP ruleset stops less than the table of the migration asks for, or nothing shows that it does not',
      remedy:
        '`cf-waf-migrate report` names the levels and the threshold: set those of the table, or make sure that this is meant',
    });
  }
  if (summary.lost > 0) {
    found.push({
      code: 'SETTINGS_LOST',
      severity: 'decision',
      subject: zoneId,
      message: `${summary.lost} of ${summary.settings} old settings have no counterpart in the ruleset`,
      remedy: '`cf-waf-migrate report` lists each of them with its reason',
    });
  }
  return found;
}
