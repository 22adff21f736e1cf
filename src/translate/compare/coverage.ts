import { ALWAYS } from '../../ruleset/expressions';
import {
  canonicalExpression,
  type Requests,
  surelyWithin,
} from '../../ruleset/compare-expressions';
import { type Entry } from '../reading/read-context';
import { type Answer } from './answer';
import { type Expressions, LegacyRequests } from './legacy-requests';
import {
  type ExecuteView,
  type RulesetView,
  skipsTarget,
  type SkipView,
  type Target,
} from '../../ruleset/view-ruleset';

/** Rules that do what a setting asks for, and what they do it to. */
interface Doing {
  readonly executes: readonly ExecuteView[];
  readonly target: Target;
  /** The requests that it is asked for, in each way to write them; without: all that the WAF saw. */
  readonly requests?: readonly string[];
}

/**
 * Weighs answers by the requests for which they hold: a rule that runs a managed ruleset does so where
 * its expression matches, and where no exception stands before it (rules are evaluated in order, and
 * an exception acts on those after it). Exceptions and overrides that old settings ask for count as
 * what they are.
 */
export class Coverage {
  private readonly old: LegacyRequests;
  private readonly canonical = new Map<SkipView, string>();
  private readonly compared = new Map<string, boolean>();

  constructor(
    entries: readonly Entry[],
    private readonly view: RulesetView,
  ) {
    this.old = new LegacyRequests(entries);
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
   * run for requests that the previous WAF saw.
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
    const parts = this.reachOfAll(doing);
    const asked = this.askedOf(doing);
    return parts.filter((part) => !asked.some((one) => this.within([one, part], [])));
  }

  /** The requests that are asked for, in each way to write them, less those that are told apart. */
  private askedOf({ target, requests }: Doing): Requests[] {
    const overridden = requests === undefined ? this.old.overridden(target) : [];
    const without = [...this.old.exempt(target).values(), ...overridden];
    return (requests ?? this.old.seen).map((of) => ({ of, without }));
  }

  private reachOfAll({ executes, target }: Doing): Requests[] {
    const exempt = this.old.exempt(target);
    return executes.map((execute) => this.reachOf(execute, target, exempt));
  }

  /** The requests that a rule is evaluated for, less the exceptions that no old setting asks for. */
  private reachOf(
    { index, expression }: ExecuteView,
    target: Target,
    exempt: Expressions,
  ): Requests {
    const before = this.view.skips.filter(
      (skip) =>
        skip.enabled &&
        skip.index < index &&
        skipsTarget(skip, target) &&
        !exempt.has(this.canonicalOf(skip)),
    );
    return { of: expression, without: [...new Set(before.map((skip) => skip.expression))] };
  }

  /** Most settings of a zone are for the same requests: those are compared once. */
  private within(inner: readonly Requests[], outer: readonly Requests[]): boolean {
    const key = JSON.stringify([inner, outer]);
    const known = this.compared.get(key) ?? surelyWithin(inner, outer);
    this.compared.set(key, known);
    return known;
  }

  private canonicalOf(skip: SkipView): string {
    const text = this.canonical.get(skip) ?? canonicalExpression(skip.expression);
    this.canonical.set(skip, text);
    return text;
  }
}

/** What to do about a setting that holds for some of its requests. */
const LOOK =
  'compare the expressions with the requests that the setting was for, and widen them or add what is missing';

const EXCEPTED =
  'look for the page rule or firewall rule that asked for the exception, also one that is told here to be written by hand; only if there is none, remove or narrow it';

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
    excepted ?? 'nothing says that these are all of the requests that it is asked for',
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
  return `an exception that no old setting which can be compared asks for stands before it: ${[...expressions].join(', ')}`;
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
