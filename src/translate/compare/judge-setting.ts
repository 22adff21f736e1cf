import { type KnownRuleset } from '../../ruleset/view-ruleset';
import { type Entry } from '../reading/read-context';
import { type Unknown, type Want, type Wanted, wantOfRule } from '../reading/setting';
import { type Answer, type Place } from './answer';
import { answerWant, exceptionsLike } from './answer-want';
import { type Coverage } from './coverage';
import { type Status } from './parity';

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

const BY_HAND = 'add it to the ruleset by hand, if it is still needed';

/** Judges a setting by its verdict. */
export function judgeSetting(
  { verdict }: Entry,
  view: KnownRuleset,
  coverage: Coverage,
): Judgement {
  if (verdict.kind === 'wanted') return judgeWanted(verdict, view, coverage);
  const { why, exception: expression } = verdict;
  // another author may have made an exception of a setting that asks for nothing here
  const made = expression === undefined ? [] : exceptionsLike({ expression }, view);
  const places = made.map(({ index }) => ({ rule: index }));
  return verdict.kind === 'inert'
    ? { status: 'without-effect', why, places }
    : { status: 'lost', why, remedy: verdict.remedy, places };
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
 * Judges a setting whose new rule is not known for sure, against a ruleset of another author: where it
 * overrides one of the rules that the legacy one may have become, and no other setting claims that
 * override, it is taken to be the answer.
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
  const wants = found.map((id) => wantOfRule(id, candidates.meaning));
  const judgement = judgeWanted({ wants }, view, coverage);
  const note = 'told by the override in the ruleset, because the new rule is not known for sure';
  return {
    ...judgement,
    why: [note, judgement.why ?? ''].filter((part) => part !== '').join('; '),
  };
}
