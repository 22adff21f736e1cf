import { type Entry } from '../reading/read-context';
import { type Verdict, type Want } from '../reading/setting';
import { type Answer, type Place } from './answer';
import { exceptionsLike } from './answer-skip';
import { answerWant } from './answer-want';
import { type Coverage } from './coverage';
import { type Status } from './parity';
import { type KnownRuleset, type RulesetView } from '../../ruleset/view-ruleset';

/** What a ruleset makes of one setting. */
export interface Judgement {
  readonly status: Status;
  readonly to?: string;
  readonly why?: string;
  readonly remedy?: string;
  readonly partial?: true;
  readonly weaker?: true;
  readonly places: readonly Place[];
}

/** A setting with what the ruleset makes of it. */
export interface Judged {
  readonly entry: Entry;
  readonly judgement: Judgement;
}

type Wanted = Extract<Verdict, { readonly kind: 'wanted' }>;
type Unknown = Extract<Verdict, { readonly kind: 'unknown' }>;

const BY_HAND = 'add it to the ruleset by hand, if it is still needed';

/** Judges a setting whose demands are known, or that has none. */
export function judgeSetting(
  { verdict }: Entry,
  view: KnownRuleset,
  coverage: Coverage,
): Judgement {
  switch (verdict.kind) {
    case 'wanted':
      return judgeWanted(verdict, view, coverage);
    case 'inert':
      return { status: 'without-effect', why: verdict.why, places: madeOf(verdict, view) };
    case 'unknown': {
      const { why, remedy } = verdict;
      return { status: 'lost', why, remedy, places: madeOf(verdict, view) };
    }
  }
}

/** The exceptions that somebody else made of a setting that asks for nothing here. */
function madeOf({ exception: expression }: Exclude<Verdict, Wanted>, view: RulesetView): Place[] {
  const made = expression === undefined ? [] : exceptionsLike({ expression }, view);
  return made.map(({ index }) => ({ rule: index }));
}

function judgeWanted(
  { wants, missing }: Omit<Wanted, 'kind'>,
  view: KnownRuleset,
  coverage: Coverage,
): Judgement {
  const answers = wants.map((want) => answerWant(want, view, coverage));
  const status = statusOf(answers, missing !== undefined);
  const whys = [
    ...answers.flatMap(({ why }) => why ?? []),
    ...(missing === undefined ? [] : [`not carried: ${missing}`]),
  ];
  const short = [...new Set(whys)].slice(0, 3).join('; ');
  const part = answers.some(({ met }) => met === 'no') || missing !== undefined;
  const [remedy = part ? BY_HAND : ''] = answers.flatMap((answer) => answer.remedy ?? []);
  return {
    status,
    to: describeAnswers(wants, answers),
    ...(short === '' ? {} : { why: short }),
    ...(remedy === '' ? {} : { remedy }),
    ...(answers.some(({ partial }) => partial) ? { partial: true } : {}),
    ...(answers.some(({ weaker }) => weaker) ? { weaker: true } : {}),
    places: answers.flatMap(({ places }) => places),
  };
}

function statusOf(answers: readonly Answer[], incomplete: boolean): Status {
  if (answers.every(({ met }) => met === 'no')) return 'lost';
  return answers.every(({ met }) => met === 'same') && !incomplete ? 'kept' : 'changed';
}

/** What became of many rules for which all the same is wanted. */
function doneTo(wants: readonly Want[]): string {
  const all = (asked: Want['kind']): boolean => wants.every(({ kind }) => kind === asked);
  if (all('rule-off')) return 'off';
  return all('skip') ? 'exempted' : 'as they were';
}

/** A group is dozens of rules: counted, not listed. */
function describeAnswers(wants: readonly Want[], answers: readonly Answer[]): string {
  const distinct = [...new Set(answers.map(({ to }) => to))];
  if (distinct.length <= 3) return distinct.join(', ');
  const met = answers.filter((answer) => answer.met === 'same').length;
  const odd = answers.find((answer) => answer.met !== 'same');
  const rest = odd === undefined ? '' : `, and ${answers.length - met} not (${odd.to})`;
  return `${met} rules ${doneTo(wants)}${rest}`;
}

/**
 * Judges a setting whose new rule is not known for sure, against a ruleset that somebody else made:
 * where it overrides one of the rules that the old one may have become, and no other setting claims
 * that override, it is taken to be the answer.
 *
 * @param free the overridden rules that no other setting claims, by their last eight digits
 */
export function judgeCandidates(
  { candidates }: Unknown,
  view: KnownRuleset,
  coverage: Coverage,
  free: ReadonlyMap<string, string>,
): Judgement | undefined {
  if (candidates === undefined) return undefined;
  const found = candidates.ids.flatMap((candidate) => {
    const id = free.get(candidate.slice(-8));
    return id?.endsWith(candidate) === true ? [id] : [];
  });
  if (found.length === 0) return undefined;
  const { meaning } = candidates;
  const wants = found.map((id): Want =>
    meaning.kind === 'act'
      ? { kind: 'rule-acts', id, action: meaning.action }
      : { kind: 'rule-off', id },
  );
  const judgement = judgeWanted({ wants }, view, coverage);
  const note = 'told by the override in the ruleset, because the new rule is not known for sure';
  return {
    ...judgement,
    why: [note, judgement.why ?? ''].filter((part) => part !== '').join('; '),
  };
}
