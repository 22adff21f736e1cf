import {
  canonicalExpression,
  type Requests,
  surelyWithin,
} from '../../ruleset/compare-expressions';
import { ALWAYS } from '../../ruleset/expressions';
import { CLOUDFLARE_RULESET } from '../../ruleset/known-rulesets';
import {
  exceptionsBefore,
  type ExecuteView,
  type RulesetView,
  type SkipView,
  type Target,
} from '../../ruleset/view-ruleset';
import { type Entry } from '../reading/legacy-zone';
import { type Want } from '../reading/setting';
import { type Answer } from './answer';

/** A rule that runs a managed ruleset, and the requests for which it runs a target. */
export interface Reach extends Requests {
  readonly execute: ExecuteView;
}

type SkipWant = Extract<Want, { readonly kind: 'skip' }>;

/**
 * Finds the requests for which a ruleset runs a target: a rule that runs it matches, and no exception comes
 * before that rule. The exceptions that legacy settings require do not count against the other settings.
 */
export class Coverage {
  /** The expression for the requests that the legacy WAF saw. */
  private readonly seen: string;
  /** The exceptions that come from legacy settings. */
  private readonly exceptions: readonly SkipWant[];
  /** The canonical expression of each exception of the ruleset. */
  private readonly canonical: ReadonlyMap<SkipView, string>;
  private readonly compared = new Map<string, boolean>();

  constructor(
    entries: readonly Entry[],
    private readonly view: RulesetView,
  ) {
    const wants = entries.flatMap(({ verdict }) =>
      verdict.kind === 'wanted' ? verdict.wants : [],
    );
    this.seen = wants.find((want) => want.kind === 'runs')?.expression ?? ALWAYS;
    this.exceptions = [
      ...wants.filter((want) => want.kind === 'skip'),
      ...entries.flatMap(({ verdict }): SkipWant[] =>
        verdict.kind === 'inert' && verdict.exception !== undefined
          ? [{ kind: 'skip', rules: 'all', expression: verdict.exception }]
          : [],
      ),
    ];
    this.canonical = new Map(
      view.skips.map((skip) => [skip, canonicalExpression(skip.expression)]),
    );
  }

  /** The requests for which rules run a target. */
  reachOf(executes: readonly ExecuteView[], target: Target): Reach[] {
    const exempt = this.exempt(target);
    return executes.map((execute) => {
      const before = exceptionsBefore(this.view, execute, target)
        .filter((skip) => !exempt.has(this.canonical.get(skip) ?? ''))
        .map(({ expression }) => expression);
      return { execute, of: execute.expression, without: [...new Set(before)] };
    });
  }

  /** Whether settings are about a target; false if they except all requests from it. */
  isAsked(target: Target): boolean {
    return !this.within([this.askedOf(target)], []);
  }

  /** Whether a rule may run a target for requests that settings are about. */
  meets(part: Reach, target: Target): boolean {
    return !this.within([this.askedOf(target), part], []);
  }

  /** Whether rules surely run a target for all requests that settings are about. */
  covers(parts: readonly Reach[], target: Target): boolean {
    return this.within([this.askedOf(target)], parts);
  }

  /** The requests that the legacy WAF saw without those that legacy settings except. */
  private askedOf(target: Target): Requests {
    return { of: this.seen, without: [...this.exempt(target).values()] };
  }

  /** The requests that legacy settings except a target from, by canonical text. */
  private exempt({ ruleset, rule }: Target): Map<string, string> {
    const all = this.exceptions.filter(
      ({ rules }) => rules === 'all' || (ruleset === CLOUDFLARE_RULESET && rules.id === rule),
    );
    return new Map(
      all
        .flatMap(({ expression, also = expression }) => [expression, also])
        .map((one) => [canonicalExpression(one), one]),
    );
  }

  /** Caches the result, because most settings of a zone are for the same requests. */
  private within(inner: readonly Requests[], outer: readonly Requests[]): boolean {
    const bare = (all: readonly Requests[]) => all.map(({ of, without }) => [of, without]);
    const key = JSON.stringify([bare(inner), bare(outer)]);
    const known = this.compared.get(key) ?? surelyWithin(inner, outer);
    this.compared.set(key, known);
    return known;
  }
}

/** What to do about a setting that applies to only some of its requests. */
const LOOK =
  'compare the expressions with the requests of the setting, then widen them or add rules for the missing requests';

const EXCEPTED =
  'look for the page rule or firewall rule that the exception comes from, also among those to add by hand; remove or narrow the exception only if there is none';

/** The answer if rules run a target, but surely for none of the requests in question. */
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
  const whys = [
    ...(answer.why === undefined ? [] : [answer.why]),
    excepted ?? 'these may not be all requests of the setting',
  ];
  return {
    ...answer,
    met: 'other',
    to: `${answer.to} (applies only where ${describe(parts)})`,
    why: whys.join('; '),
    remedy: excepted === undefined ? LOOK : EXCEPTED,
    partial: true,
  };
}

function exceptionsOf(parts: readonly Requests[]): string | undefined {
  const expressions = new Set(parts.flatMap(({ without }) => without));
  if (expressions.size === 0) return undefined;
  return `an exception before it comes from no known legacy setting: ${[...expressions].join(', ')}`;
}

/** Describes requests in the rules language. */
function describe(parts: readonly Requests[]): string {
  const texts = parts.map(({ of, without }) =>
    [
      ...(of === ALWAYS && without.length > 0 ? [] : [of]),
      ...without.map((one) => `not (${one})`),
    ].join(' and '),
  );
  return [...new Set(texts)].join(', or ');
}
