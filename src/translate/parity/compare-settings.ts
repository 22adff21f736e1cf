import { type Ruleset } from '../../model/ruleset';
import { CLOUDFLARE_RULESET } from '../known-ids';
import { type Entry } from '../reading/ledger';
import { judgeCandidates, judgeSetting, type Judgement } from './judge-setting';
import { listNewRules } from './list-new-rules';
import { type NewRuleRow, type Parity, type SettingRow, type Status } from './parity';
import { type RulesetView, viewRuleset } from './ruleset-view';

/** Whose ruleset it is: `ours` was built from these very settings. */
export type RulesetMaker = 'ours' | 'service';

/**
 * Holds old settings against a ruleset: each setting becomes one row, and each rule of the ruleset
 * is traced back. One definition for a ruleset that was built here, proposed by the configuration
 * endpoint, or live.
 */
export function compareSettings(
  zoneId: string,
  entries: readonly Entry[],
  ruleset: Ruleset,
  maker: RulesetMaker,
): Parity {
  const view = viewRuleset(ruleset);
  const judged = entries.map((entry) => judgeSetting(entry, view));
  const judgements = maker === 'ours' ? judged : withCandidates(entries, judged, view);
  const settings = entries.map(({ setting }, at): SettingRow => {
    const { status, to, why, remedy, places } = judgements[at] ?? { status: 'lost', places: [] };
    return {
      ...setting,
      status,
      ...(to === undefined ? {} : { to }),
      ...(why === undefined ? {} : { why }),
      ...(remedy === undefined ? {} : { remedy }),
      rules: distinctRules(places),
    };
  });
  const rules = listNewRules(ruleset, view, entries, judgements);
  return { zoneId, settings, rules, summary: summarise(settings, rules) };
}

function distinctRules(places: Judgement['places']): number[] {
  const [first, ...others] = places;
  if (first === undefined) return [];
  if (others.length === 0) return [first.rule];
  return [...new Set(places.map(({ rule }) => rule))].sort((a, b) => a - b);
}

function withCandidates(
  entries: readonly Entry[],
  judged: readonly Judgement[],
  view: RulesetView,
): Judgement[] {
  const claimed = new Set(
    judged.flatMap(({ places }) =>
      places.flatMap(({ override }) => (override?.startsWith('rules/') ? [override.slice(6)] : [])),
    ),
  );
  const free = new Set(
    view.executes
      .filter(({ ruleset }) => ruleset === CLOUDFLARE_RULESET)
      .flatMap(({ rules }) => [...rules.keys()].filter((id) => !claimed.has(id))),
  );
  const byEnding = new Map([...free].map((id) => [id.slice(-8), id]));
  return judged.map((judgement, at) => {
    const verdict = entries[at]?.verdict;
    if (verdict?.kind !== 'unknown') return judgement;
    return judgeCandidates(verdict, view, byEnding) ?? unsure(judgement, free.size);
  });
}

/** The service may know the new rule of a setting for which no source states one. */
function unsure(judgement: Judgement, free: number): Judgement {
  if (free === 0) return judgement;
  const hint = `one of the ${free} overrides without a known origin may stand for it`;
  return { ...judgement, why: `${judgement.why ?? ''}; ${hint}` };
}

function summarise(
  settings: readonly SettingRow[],
  rules: readonly NewRuleRow[],
): Parity['summary'] {
  const count = (status: Status): number => settings.filter((row) => row.status === status).length;
  const withoutOrigin = rules.reduce(
    (sum, { from, because, overrides }) =>
      sum +
      (from.length === 0 && because === undefined ? 1 : 0) +
      overrides.filter((override) => override.from.length === 0).length,
    0,
  );
  return {
    settings: settings.length,
    kept: count('kept'),
    changed: count('changed'),
    lost: count('lost'),
    withoutEffect: count('without-effect'),
    rules: rules.length,
    withoutOrigin,
  };
}
