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
import { type Entry } from '../reading/read-context';
import { expressionsOf, type Verdict, type Want } from '../reading/setting';
import { type Answer } from './answer';

/** Rules that do what a setting asks for, and what they do it to. */
interface Doing {
  readonly executes: readonly ExecuteView[];
  readonly target: Target;
  /** Expressions for the requests that it is asked for; without: all that the legacy WAF saw. */
  readonly requests?: readonly string[];
}

/** An exception that legacy settings ask for. */
interface LegacyException {
  readonly rules: Extract<Want, { readonly kind: 'skip' }>['rules'];
  /** By their canonical text. */
  readonly expressions: ReadonlyMap<string, string>;
}

/**
 * Weighs answers by the requests for which they hold: a rule that runs a managed ruleset does so where
 * its expression matches, and where no exception comes before it. The exceptions and overrides that
 * legacy settings themselves ask for do not count against a general setting.
 */
export class Coverage {
  /** Expressions for the requests that the legacy WAF saw. */
  private readonly seen: readonly string[];
  private readonly exceptions: readonly LegacyException[];
  /** Rule id → expressions for the requests that URI overrides are for. */
  private readonly overridden = new Map<string, string[]>();
  /** The canonical text of the expression of each exception of the ruleset. */
  private readonly canonical: ReadonlyMap<SkipView, string>;
  private readonly compared = new Map<string, boolean>();

  constructor(
    entries: readonly Entry[],
    private readonly view: RulesetView,
  ) {
    const wants = entries.flatMap(({ verdict }) =>
      verdict.kind === 'wanted' ? verdict.wants : [],
    );
    const runs = wants.find((want) => want.kind === 'runs');
    this.seen = runs === undefined ? [ALWAYS] : expressionsOf(runs);
    this.exceptions = entries.flatMap(({ verdict }) => exceptionsIn(verdict));
    for (const want of wants) {
      if (!('within' in want)) continue;
      this.overridden.set(want.id, [...(this.overridden.get(want.id) ?? []), want.within]);
    }
    this.canonical = new Map(
      view.skips.map((skip) => [skip, canonicalExpression(skip.expression)]),
    );
  }

  /** An answer as it is for all requests, or cut down to those that it surely holds for. */
  protects(answer: Answer, doing: Doing): Answer {
    const parts = this.reachOfAll(doing);
    if (parts.some(({ of, without }) => of === ALWAYS && without.length === 0)) return answer;
    const asked = this.askedOf(doing);
    if (asked.some((one) => this.within([one], parts))) return answer;
    const none = parts.every((part) => asked.some((one) => this.within([one, part], [])));
    return none ? nowhere(answer, parts) : onlyWhere(answer, parts);
  }

  /**
   * An answer that something is off, which needs no rule to say so: cut down where other rules let it
   * run for requests that the legacy WAF saw.
   *
   * @param doing the rules that let it run
   */
  keepsOff(answer: Answer, doing: Doing): Answer {
    const running = this.runningFor(doing);
    if (running.length === 0) return answer;
    return {
      ...answer,
      met: 'other',
      to: `${answer.to} (but it runs where ${describe(running)})`,
      why: 'another rule runs the same managed ruleset without this override',
      remedy: LOOK,
      partial: true,
    };
  }

  /** Whether some requests are asked for, and rules surely run their target for none of them. */
  neverRuns(doing: Doing): boolean {
    const isAsked = !this.askedOf(doing).some((one) => this.within([one], []));
    return isAsked && this.runningFor(doing).length === 0;
  }

  /** Where rules may run their target for requests that are asked for. */
  private runningFor(doing: Doing): Requests[] {
    const asked = this.askedOf(doing);
    return this.reachOfAll(doing).filter(
      (part) => !asked.some((one) => this.within([one, part], [])),
    );
  }

  /** The requests that are asked for, less those for which other settings ask for something else. */
  private askedOf({ target, requests }: Doing): Requests[] {
    const { ruleset, rule } = target;
    const isGeneral = requests === undefined && ruleset === CLOUDFLARE_RULESET;
    const overridden = isGeneral && rule !== undefined ? this.overridden.get(rule) : undefined;
    const without = [...this.exempt(target).values(), ...(overridden ?? [])];
    return (requests ?? this.seen).map((of) => ({ of, without }));
  }

  /** The requests that legacy settings except a target from, by their canonical text. */
  private exempt({ ruleset, rule }: Target): Map<string, string> {
    const all = this.exceptions.filter(
      ({ rules }) => rules === 'all' || (ruleset === CLOUDFLARE_RULESET && rules.id === rule),
    );
    return new Map(all.flatMap(({ expressions }) => [...expressions]));
  }

  /** The requests that rules are evaluated for, less the exceptions that no legacy setting asks for. */
  private reachOfAll({ executes, target }: Doing): Requests[] {
    const exempt = this.exempt(target);
    return executes.map((execute) => {
      const before = exceptionsBefore(this.view, execute, target)
        .filter((skip) => !exempt.has(this.canonical.get(skip) ?? ''))
        .map(({ expression }) => expression);
      return { of: execute.expression, without: [...new Set(before)] };
    });
  }

  /** Most settings of a zone are for the same requests: those are compared once. */
  private within(inner: readonly Requests[], outer: readonly Requests[]): boolean {
    const key = JSON.stringify([inner, outer]);
    const known = this.compared.get(key) ?? surelyWithin(inner, outer);
    this.compared.set(key, known);
    return known;
  }
}

function exceptionsIn(verdict: Verdict): LegacyException[] {
  const byText = (expressions: readonly string[]): Map<string, string> =>
    new Map(expressions.map((one) => [canonicalExpression(one), one]));
  if (verdict.kind === 'wanted') {
    const skips = verdict.wants.filter((want) => want.kind === 'skip');
    return skips.map((want) => ({ rules: want.rules, expressions: byText(expressionsOf(want)) }));
  }
  const { exception } = verdict;
  return exception === undefined ? [] : [{ rules: 'all', expressions: byText([exception]) }];
}

/** What to do about a setting that holds for some of its requests. */
const LOOK =
  'compare the expressions with the requests that the setting was for, and widen them or add rules for the others';

const EXCEPTED =
  'look for the page rule or firewall rule that the exception comes from, also among those to add by hand; remove or narrow the exception only if there is none';

function nowhere(answer: Answer, parts: readonly Requests[]): Answer {
  const excepted = exceptionsOf(parts);
  return {
    met: 'no',
    to: `${answer.to} (for none of its requests)`,
    why: excepted ?? `it runs for other requests: ${describe(parts)}`,
    remedy: excepted === undefined ? 'correct the expression of the rule' : EXCEPTED,
    places: answer.places,
  };
}

function onlyWhere(answer: Answer, parts: readonly Requests[]): Answer {
  const excepted = exceptionsOf(parts);
  const whys = [
    ...(answer.why === undefined ? [] : [answer.why]),
    excepted ?? 'these may not be all of the requests that the setting was for',
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

/** Requests in words of the rules language. */
function describe(parts: readonly Requests[]): string {
  const texts = parts.map(({ of, without }) =>
    [
      ...(of === ALWAYS && without.length > 0 ? [] : [of]),
      ...without.map((one) => `not (${one})`),
    ].join(' and '),
  );
  return [...new Set(texts)].join(', or ');
}
