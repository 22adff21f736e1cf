import { compareTexts } from '../../model/compare-texts';
import { type OldOverride } from '../../model/old-settings';
import { claimGroup, claimRule, type Claims } from './claim-rules';
import { type GeneralRules } from './merge-rules';
import { readAction, readMode } from './modes';
import { type ReadContext, report } from './read-context';
import { readOverrideUrls } from './read-override-urls';
import { type Scope } from './scope';
import { settingFacts } from './setting-facts';
import { type Setting, type SettingKind, type Verdict } from './verdict';

interface Entries {
  readonly rules: readonly Setting[];
  readonly groups: readonly Setting[];
  readonly rewrites: readonly Setting[];
  /** Stands for an override without any of them. */
  readonly empty: readonly Setting[];
}

/**
 * Reads one URI-based override. Settings of it that cannot be carried are decided here; the others
 * wait in the scope until all overrides are known.
 */
export function readOverride(
  context: ReadContext,
  override: OldOverride,
  general: GeneralRules,
  owaspOff: boolean,
): Scope | undefined {
  const entries = addEntries(context, override);
  const all = [...entries.rules, ...entries.groups, ...entries.rewrites];
  const decideAll = (verdict: Verdict): void => {
    for (const setting of all) context.ledger.decide(setting, verdict);
  };
  for (const setting of entries.empty) {
    context.ledger.decide(setting, { kind: 'inert', why: 'the override changes nothing' });
  }
  if (all.length === 0) return undefined;
  if (override.paused) {
    decideAll({ kind: 'inert', why: 'the override is paused' });
    return undefined;
  }
  const urls = readOverrideUrls(context, override);
  if ('why' in urls) {
    decideAll({ kind: 'unknown', ...urls });
    return undefined;
  }

  const claims: Claims = { byNew: new Map(), missing: new Map(), general, owaspOff };
  const switchedOn = new Set(
    entries.groups
      .filter(({ value }) => readMode(value)?.kind === 'default')
      .map((one) => one.subject),
  );
  const covered = new Set(
    [...switchedOn].flatMap((groupId) => context.index.membersOf(groupId).ids),
  );
  for (const setting of entries.rules) claimRule(context, claims, setting, covered);
  const named = new Set(entries.rules.map(({ subject }) => subject));
  for (const setting of entries.groups) claimGroup(context, claims, setting, named);
  const { from, id, description, priority } = override;
  return {
    from,
    id,
    description,
    priority,
    ...urls,
    claims: claims.byNew,
    all: readRewrite(context, override, entries),
    missing: claims.missing,
  };
}

function addEntries({ ledger, index, ruleIdOf }: ReadContext, override: OldOverride): Entries {
  const kind: SettingKind = 'override';
  const { from, urls } = override;
  const add = (
    name: string,
    map: Readonly<Record<string, string>>,
    factsOf: (id: string) => Pick<Setting, 'package' | 'title'>,
    idOf: (key: string) => string = (key) => key,
  ): Setting[] =>
    Object.entries(map)
      .sort(([a], [b]) => compareTexts(a, b))
      .map(([key, value]) => {
        const [attribute, subject] = [`${name}[${JSON.stringify(key)}]`, idOf(key)];
        return ledger.add({ kind, from, attribute, subject, value, ...factsOf(subject), urls });
      });
  const factsOfRule = (id: string): ReturnType<typeof settingFacts> =>
    settingFacts(index.kindOfRule(id, undefined, undefined), index.ruleTitle(id));
  const rules = add('rules', override.rules, factsOfRule, ruleIdOf);
  const groups = add('groups', override.groups, (id) =>
    settingFacts(index.kindOfGroup(id, undefined), index.groupName(id)),
  );
  const rewrites = add('rewrite_action', override.rewriteAction, () => ({}));
  const none = rules.length + groups.length + rewrites.length === 0;
  const value = urls.join(' ');
  const empty = none ? [ledger.add({ kind, from, attribute: 'urls', subject: '', value })] : [];
  return { rules, groups, rewrites, empty };
}

/**
 * A rewrite of actions has a counterpart only where every action becomes the same one: then it is an
 * override of the whole ruleset. Otherwise it would have to be known which rule takes which action.
 */
function readRewrite(
  context: ReadContext,
  { from }: OldOverride,
  { rewrites, rules }: Entries,
): Scope['all'] {
  if (rewrites.length === 0) return undefined;
  const target = uniformTarget(rewrites);
  const alone = !rules.some(({ value }) => readMode(value)?.kind === 'act');
  if (target !== undefined && alone) return { change: target, settings: rewrites };
  const why = alone
    ? 'actions are rewritten one by one, and which new rule takes which action by default is not known'
    : 'it is not documented whether actions that the same override sets are rewritten';
  const remedy = 'override the rules that matter for these URLs by hand';
  for (const setting of rewrites) {
    context.ledger.decide(setting, { kind: 'unknown', why, remedy });
  }
  report(context, 'decision', 'REWRITE_NOT_CARRIED', from, why, remedy);
  return undefined;
}

/** The one action that all become, if each of them either does or is it. */
function uniformTarget(
  rewrites: readonly Setting[],
): 'skip' | Exclude<ReturnType<typeof readAction>, undefined> | undefined {
  const targets = new Set(rewrites.map(({ value }) => value));
  const [target, ...others] = targets;
  if (target === undefined || others.length > 0) return undefined;
  const known = ['default', 'block', 'challenge', 'simulate'];
  const rewritten = new Set(rewrites.map(({ subject }) => subject));
  if (!known.every((action) => rewritten.has(action) || action === target)) return undefined;
  if ([...rewritten].some((action) => !known.includes(action) && action !== target)) {
    return undefined;
  }
  return target === 'disable' ? 'skip' : readAction(target);
}
