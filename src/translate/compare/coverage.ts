import { groupBy } from '../../core/lists';
import { ALWAYS, canonicalExpression, surelyCovers } from '../../ruleset/expressions';
import {
  exceptionsBefore,
  type ExecuteView,
  type RulesetView,
  runningExecutes,
  type SkipView,
  type Target,
} from '../../ruleset/view-ruleset';
import { type Want, type WantOf } from '../reading/setting';
import { type Answer } from './answer';

/** A rule that runs a managed ruleset, and its exceptions that come from no legacy setting. */
export interface Reach {
  readonly execute: ExecuteView;
  readonly exceptions: readonly string[];
}

/**
 * The requests for which a ruleset runs a target: a rule that runs it matches, and no exception comes before
 * that rule. The exceptions that legacy settings require do not count against the other settings.
 */
export class Coverage {
  /** The expression for the requests that the legacy WAF saw. */
  private readonly seen: string;
  /** What legacy settings require of each exception of the ruleset. */
  private readonly required: ReadonlyMap<SkipView, readonly WantOf<'skip'>[]>;

  constructor(
    wants: readonly Want[],
    readonly view: RulesetView,
  ) {
    this.seen = wants.find((want) => want.kind === 'runs')?.expression ?? ALWAYS;
    const byForm = groupBy(
      wants.filter((want) => want.kind === 'skip'),
      ({ expression }) => canonicalExpression(expression),
    );
    this.required = new Map(
      view.skips.map((skip) => [skip, byForm.get(canonicalExpression(skip.expression)) ?? []]),
    );
  }

  reachOf(executes: readonly ExecuteView[], target: Target): Reach[] {
    const isRequired = ({ rule }: WantOf<'skip'>): boolean =>
      rule === undefined || rule === target.rule;
    return executes.map((execute) => ({
      execute,
      exceptions: exceptionsBefore(this.view, execute, target)
        .filter((skip) => this.required.get(skip)?.some(isRequired) !== true)
        .map(({ expression }) => expression),
    }));
  }

  /** Whether one of the rules surely runs its target for all requests that the legacy WAF saw. */
  covers(parts: readonly Reach[]): boolean {
    return parts.some(
      ({ execute, exceptions }) =>
        exceptions.length === 0 && surelyCovers(execute.expression, this.seen),
    );
  }

  /** For which requests a managed ruleset runs; undefined if surely for all that the legacy WAF saw. */
  limitOf(ruleset: string): string | undefined {
    const parts = this.reachOf(runningExecutes(this.view, ruleset), { ruleset });
    return this.covers(parts) ? undefined : describe(parts);
  }

  exceptionsLike(want: WantOf<'skip'>): SkipView[] {
    return this.view.skips.filter((skip) => this.required.get(skip)?.includes(want));
  }

  /** The exceptions that no legacy setting requires with their expression. */
  unknownExceptions(): SkipView[] {
    return this.view.skips.filter((skip) => this.required.get(skip)?.length === 0);
  }

  /** Whether an exception applies to whole rulesets, and legacy settings require it only of rules. */
  exceptsMore(skip: SkipView): boolean {
    const isRequired = this.required.get(skip)?.some(({ rule }) => rule === undefined) === true;
    return !isRequired && (skip.current || skip.rulesets.size > 0);
  }
}

/** Whether a rule surely runs its target for no request. */
export function runsNowhere({ execute: { expression }, exceptions }: Reach): boolean {
  return exceptions.some((one) => surelyCovers(one, expression));
}

/** What to do about a setting that applies to only some of its requests. */
const LOOK =
  'compare the expressions with the requests of the setting, then widen them or add rules for the missing requests';

const EXCEPTED =
  'look for the page rule or firewall rule that the exception comes from, also among those to add by hand; remove or narrow the exception only if there is none';

/** The answer if rules run a target, but surely for no request. */
export function nowhere(parts: readonly Reach[]): Answer {
  const excepted = exceptionsOf(parts);
  return {
    met: 'no',
    to: 'the managed ruleset runs for none of its requests',
    why: excepted ?? `it runs for other requests: ${describe(parts)}`,
    remedy: excepted === undefined ? 'correct the expression of the rule' : EXCEPTED,
    places: parts.map(({ execute }) => ({ rule: execute.index })),
  };
}

/** The answer if only some of the rules that run a target do what a setting requires. */
export function differing(best: Answer, worst: Answer, places: Answer['places']): Answer {
  return {
    met: 'other',
    to: `${best.to} (elsewhere ${worst.to})`,
    why: 'the rules that run the managed ruleset have different settings for this',
    remedy: LOOK,
    partial: true,
    places,
  };
}

/** An answer that applies to only some requests, or is not shown to apply to all. */
export function onlyWhere(answer: Answer, parts: readonly Reach[]): Answer {
  const excepted = exceptionsOf(parts);
  const why = excepted ?? 'these may not be all requests of the setting';
  return {
    ...answer,
    met: 'other',
    to: `${answer.to} (applies only where ${describe(parts)})`,
    why: answer.why === undefined ? why : `${answer.why}; ${why}`,
    remedy: excepted === undefined ? LOOK : EXCEPTED,
    partial: true,
  };
}

function exceptionsOf(parts: readonly Reach[]): string | undefined {
  const expressions = new Set(parts.flatMap(({ exceptions }) => exceptions));
  if (expressions.size === 0) return undefined;
  return `an exception before it comes from no known legacy setting: ${[...expressions].join(', ')}`;
}

/** Describes requests in the rules language. */
function describe(parts: readonly Reach[]): string {
  const texts = parts.map(({ execute: { expression }, exceptions }) =>
    [
      ...(expression === ALWAYS && exceptions.length > 0 ? [] : [expression]),
      ...exceptions.map((one) => `not (${one})`),
    ].join(' and '),
  );
  return [...new Set(texts)].join(', or ');
}
