import { type JsonObject, type JsonValue, objectOf, objectsOf, textsOf } from '../core/json';
import { MANAGED_PHASE, parametersOf, type Ruleset, SCORING_RULE } from '../core/ruleset';
import { PARANOIA_CATEGORIES } from './known-rulesets';

export interface Target {
  readonly ruleset: string;
  readonly rule?: string;
}

/** What an override sets; undefined if it does not set it. */
export interface OverrideView {
  readonly action: string | undefined;
  readonly enabled: boolean | undefined;
  readonly threshold: number | undefined;
}

/** Whether a rule is on and what it does, according to overrides. */
export type RuleState = Pick<OverrideView, 'enabled' | 'action'>;

export interface ExecuteView {
  readonly index: number;
  readonly enabled: boolean;
  readonly expression: string;
  readonly ruleset: string;
  readonly rules: ReadonlyMap<string, OverrideView>;
  readonly categories: ReadonlyMap<string, OverrideView>;
  /** The override of the whole ruleset. */
  readonly all: OverrideView;
}

/** An exception: a rule that keeps other rules from running. */
export interface SkipView extends Pick<ExecuteView, 'index' | 'enabled' | 'expression'> {
  /** Whether it skips every later rule of the entry point. */
  readonly current: boolean;
  readonly rulesets: ReadonlySet<string>;
  /** The skipped rules, by managed ruleset. */
  readonly rules: ReadonlyMap<string, ReadonlySet<string>>;
}

export interface RulesetView {
  readonly executes: readonly ExecuteView[];
  readonly skips: readonly SkipView[];
}

export function viewRuleset({ rules }: Pick<Ruleset, 'rules'>): RulesetView {
  const executes: ExecuteView[] = [];
  const skips: SkipView[] = [];
  for (const [index, rule] of rules.entries()) {
    const parameters = parametersOf(rule);
    const head = {
      index,
      enabled: rule.enabled ?? true,
      expression: rule.expression.trim(),
    };
    if (rule.action === 'skip') skips.push({ ...head, ...viewSkip(parameters) });
    const ruleset = parameters['id'];
    if (rule.action === 'execute' && typeof ruleset === 'string') {
      executes.push({ ...head, ruleset, ...viewOverrides(objectOf(parameters['overrides'])) });
    }
  }
  return { executes, skips };
}

/** Whether an exception keeps a managed ruleset, or a rule of it, from running. */
export function skipsTarget(
  { current, rulesets, rules }: SkipView,
  { ruleset, rule }: Target,
): boolean {
  if (current || rulesets.has(ruleset)) return true;
  return rule !== undefined && rules.get(ruleset)?.has(rule) === true;
}

export function exceptionsBefore(
  { skips }: Pick<RulesetView, 'skips'>,
  { index }: ExecuteView,
  target: Target,
): SkipView[] {
  return skips.filter((skip) => skip.enabled && skip.index < index && skipsTarget(skip, target));
}

export function runningExecutes({ executes }: RulesetView, ruleset: string): ExecuteView[] {
  return executes.filter((execute) => execute.enabled && execute.ruleset === ruleset);
}

/**
 * What overrides set for a rule. Its own override wins over those of its categories, of which the last
 * listed wins. These win over the override of the whole ruleset (Cloudflare's documentation), whose action
 * does not reach the scoring rule (provider issues 2056, 2287).
 *
 * @param categoriesOf the categories of the rule; if absent, the override of the whole ruleset counts only
 *   if no category is overridden
 */
export function overridden(
  id: string,
  { rules, categories, all }: Pick<ExecuteView, 'rules' | 'categories' | 'all'>,
  categoriesOf?: readonly string[],
): RuleState {
  const isHidden = categoriesOf === undefined && categories.size > 0;
  const whole = id === SCORING_RULE ? { ...all, action: undefined } : all;
  const own = rules.get(id);
  return [
    ...(isHidden ? [] : [whole]),
    ...[...categories].flatMap(([name, one]) => (categoriesOf?.includes(name) ? [one] : [])),
    ...(own === undefined ? [] : [own]),
  ].reduce<RuleState>(over, { enabled: undefined, action: undefined });
}

/** Combines two overrides: what `above` sets wins. */
export function over(below: RuleState, above: RuleState): RuleState {
  return { enabled: above.enabled ?? below.enabled, action: above.action ?? below.action };
}

/**
 * Why a rule that deploys OWASP does nothing or almost nothing; undefined if it acts. Only the scoring rule
 * acts, and each level adds to those below it.
 */
export function owaspOff(execute: ExecuteView): string | undefined {
  if (isScoringOff(execute)) return 'the scoring rule is off';
  return readLevel(execute).level === 0 ? 'paranoia level 1 is off' : undefined;
}

/** Whether the scoring rule is off, which is the only rule that acts. */
export function isScoringOff({ rules, all }: ExecuteView): boolean {
  return (rules.get(SCORING_RULE)?.enabled ?? all.enabled) === false;
}

/**
 * Reads the highest paranoia level that is on with all levels below it, 0 if none is, and whether the next one has its
 * default, which is documented in two ways. A category overrides the ruleset. If neither is set, the default applies: only
 * level 1, or all four (docs/report.md), so level 1 is on in both cases. If level 4 is switched off, as in
 * Cloudflare's proposal, the others are assumed to be on.
 */
export function readLevel({ categories, all }: ExecuteView) {
  const isCut = categories.get(PARANOIA_CATEGORIES[3])?.enabled === false;
  const states = PARANOIA_CATEGORIES.map(
    (category, at) =>
      categories.get(category)?.enabled ?? all.enabled ?? (isCut || at === 0 || undefined),
  );
  const level = [...states, false].findIndex((state) => state !== true);
  return { level, isUnclear: level < states.length && states[level] === undefined };
}

function viewSkip(parameters: JsonObject): Pick<SkipView, 'current' | 'rulesets' | 'rules'> {
  return {
    current:
      parameters['ruleset'] === 'current' || textsOf(parameters['phases']).includes(MANAGED_PHASE),
    rulesets: new Set(textsOf(parameters['rulesets'])),
    rules: new Map(
      Object.entries(objectOf(parameters['rules'])).map(([id, ids]) => [id, new Set(textsOf(ids))]),
    ),
  };
}

function viewOverrides(overrides: JsonObject): Pick<ExecuteView, 'rules' | 'categories' | 'all'> {
  return {
    rules: viewList(overrides['rules'], 'id'),
    categories: viewList(overrides['categories'], 'category'),
    all: viewOverride(overrides),
  };
}

function viewList(list: JsonValue | undefined, key: string): Map<string, OverrideView> {
  return new Map(
    objectsOf(list).flatMap((entry): [string, OverrideView][] => {
      const name = entry[key];
      return typeof name === 'string' ? [[name, viewOverride(entry)]] : [];
    }),
  );
}

function viewOverride(entry: JsonObject): OverrideView {
  const { action, enabled, score_threshold: threshold } = entry;
  return {
    action: typeof action === 'string' && action !== '' ? action : undefined,
    enabled: typeof enabled === 'boolean' ? enabled : undefined,
    threshold: typeof threshold === 'number' && threshold !== 0 ? threshold : undefined,
  };
}
