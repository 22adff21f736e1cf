import { type Finding } from '../../core/finding';
import { listed } from '../../core/lists';
import { type Ruleset } from '../../core/ruleset';
import { effectOf } from '../../ruleset/protection';
import { CLOUDFLARE_RULESET } from '../../ruleset/known-rulesets';
import { type KnownRuleset, runningExecutes, viewRuleset } from '../../ruleset/view-ruleset';
import { type Catalogue, isOnByDefault } from '../catalogue/catalogue';
import { type Entry } from '../reading/legacy-zone';
import { type ZoneReading } from '../reading/read-zone';
import { Coverage } from './coverage';
import { judgeSettings } from './judge-setting';
import { listNewRules } from './list-new-rules';
import { type Parity, type SettingRow, summarise, type ZoneComparison } from './parity';

/**
 * Compares legacy settings with a translated, proposed or live ruleset: each setting becomes one row, and
 * each rule of the ruleset is traced back to its settings.
 */
export function compareSettings(
  zoneId: string,
  { entries, findings }: Pick<ZoneReading, 'entries' | 'findings'>,
  ruleset: Ruleset,
  catalogue: Catalogue,
): ZoneComparison {
  const view: KnownRuleset = {
    ...viewRuleset(ruleset),
    isOnByDefault: (id) => isOnByDefault(catalogue, id),
  };
  const coverage = new Coverage(entries, view);
  const judged = judgeSettings(entries, view, coverage);
  const settings = judged.map(({ entry: { setting }, judgement }): SettingRow => {
    const { places, ...said } = judgement;
    const rules = [...new Set(places.map(({ rule }) => rule))].sort((a, b) => a - b);
    return { ...setting, ...said, rules };
  });
  const rules = listNewRules(ruleset, view, judged);
  const parity = { zoneId, settings, rules, summary: summarise(settings, rules) };
  const found = findingsOf(parity, isLeftOut(entries, view, coverage));
  return { zoneId, parity, findings: [...findings, ...found] };
}

/**
 * Whether the Cloudflare Managed Ruleset runs for no request although no setting requires this. No row shows
 * it.
 */
function isLeftOut(entries: readonly Entry[], view: KnownRuleset, coverage: Coverage): boolean {
  const isAsked = entries.some(
    ({ verdict }) =>
      verdict.kind === 'wanted' &&
      verdict.wants.some(
        (want) => want.kind === 'not-deployed' && want.ruleset === CLOUDFLARE_RULESET,
      ),
  );
  const target = { ruleset: CLOUDFLARE_RULESET };
  const executes = runningExecutes(view, CLOUDFLARE_RULESET).filter(
    (one) => effectOf(one) !== 'off',
  );
  const runs = coverage.reachOf(executes, target).some((part) => coverage.meets(part, target));
  return !isAsked && coverage.isAsked(target) && !runs;
}

/**
 * The decisions of the user that follow from a comparison.
 * @param isLeftOut whether the Cloudflare Managed Ruleset runs for no request, and no setting requires this
 */
function findingsOf({ zoneId, settings, summary }: Parity, isLeftOut: boolean): Finding[] {
  const partial = settings.filter((row) => row.partial).length;
  const found: Finding[] = [];
  if (isLeftOut) {
    found.push({
      code: 'MANAGED_RULES_LEFT_OUT',
      severity: 'decision',
      subject: zoneId,
      message:
        'the Cloudflare Managed Ruleset runs only for the requests of some settings: all other requests lose its protection, and no row of the report shows this',
      remedy: 'deploy it for these requests, or check that you want this',
    });
  }
  if (partial > 0) {
    found.push({
      code: 'SETTINGS_PARTIAL',
      severity: 'decision',
      subject: zoneId,
      message: `${partial} of ${summary.settings} legacy settings are kept only for some requests, or it is unknown whether for all`,
      remedy: 'compare the report with what the zone needs',
    });
  }
  for (const { from } of settings.filter((row) => row.weaker)) {
    found.push({
      code: 'OWASP_WEAKER',
      severity: 'decision',
      subject: from,
      message:
        'the OWASP ruleset stops less, or may stop less, than the mapping table of the migration requires',
      remedy:
        'set the levels and the threshold of the mapping table, or check that you want less; the report shows both',
    });
  }
  if (summary.lost > 0) {
    const lost = settings.flatMap(({ status, from, attribute }) =>
      status === 'lost' ? [`${from}.${attribute}`] : [],
    );
    found.push({
      code: 'SETTINGS_LOST',
      severity: 'decision',
      subject: zoneId,
      message: `${summary.lost} of ${summary.settings} legacy settings have no equivalent in the ruleset: ${listed(lost)}`,
      remedy: 'read the reason for each of them in the report',
    });
  }
  return found;
}
