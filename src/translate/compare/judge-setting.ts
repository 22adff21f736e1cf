import { CLOUDFLARE_RULESET } from '../../ruleset/known-rulesets';
import { type KnownRuleset } from '../../ruleset/view-ruleset';
import { type Entry } from '../reading/legacy-zone';
import {
  type Setting,
  type SettingKind,
  type Unknown,
  type Want,
  type Wanted,
  wantOfRule,
} from '../reading/setting';
import { type Answer, type Place } from './answer';
import { answerWant, exceptionsLike } from './answer-want';
import { type Coverage } from './coverage';
import { type SettingRow, type Status } from './parity';

/** What happens to one setting in a ruleset. */
export interface Judgement extends Omit<SettingRow, keyof Setting | 'rules'> {
  readonly places: readonly Place[];
}

/** A setting with its judgement. */
export interface Judged {
  readonly entry: Entry;
  readonly judgement: Judgement;
}

const BY_HAND = 'add it to the ruleset by hand, if you still need it';

/**
 * Judges each setting against a ruleset. Settings with an unknown new rule come last, because they may have
 * become an override that no other setting claims.
 */
export function judgeSettings(
  entries: readonly Entry[],
  view: KnownRuleset,
  coverage: Coverage,
): Judged[] {
  const judged = entries.map((entry) => ({
    entry,
    judgement: judgeSetting(entry, view, coverage),
  }));
  const claimed = new Set(
    judged.flatMap(({ judgement: { places } }) => places.map(({ override }) => override)),
  );
  const free = new Set(
    view.executes
      .filter(({ ruleset }) => ruleset === CLOUDFLARE_RULESET)
      .flatMap(({ rules }) => [...rules.keys()].filter((id) => !claimed.has(`rules/${id}`))),
  );
  const byEnding = new Map([...free].map((id) => [id.slice(-8), id]));
  return judged.map(({ entry, judgement }) => {
    const { setting, verdict } = entry;
    if (verdict.kind !== 'unknown' || !OF_RULES.has(setting.kind)) return { entry, judgement };
    // an override for all requests cannot come from a URI override, which is for some
    const isForAll = setting.kind !== 'override';
    const found = isForAll ? judgeCandidates(verdict, view, coverage, byEnding) : undefined;
    return { entry, judgement: found ?? { ...judgement, why: unsure(verdict.why, free.size) } };
  });
}

/** The settings that may become overrides of rules. */
const OF_RULES: ReadonlySet<SettingKind> = new Set(['group', 'rule', 'override']);

/** Cloudflare may know the new rule of a setting, even if no source states one. */
function unsure(why: string, free: number): string {
  if (free === 0) return why;
  const which = free === 1 ? 'the one override' : `one of the ${free} overrides`;
  return `${why}; ${which} without a known origin may replace it`;
}

/** Judges a setting only by its verdict. */
function judgeSetting({ verdict }: Entry, view: KnownRuleset, coverage: Coverage): Judgement {
  if (verdict.kind === 'wanted') return judgeWanted(verdict, view, coverage);
  const { why, exception: expression } = verdict;
  // another author may have written an exception for a setting that needs none here
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
    ...(missing === undefined ? [] : [`not translated: ${missing}`]),
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

/** Counts the answers instead of listing them if there are many: a group has dozens of rules. */
function describeAnswers(wants: readonly Want[], answers: readonly Answer[]): string {
  const distinct = [...new Set(answers.map(({ to }) => to))];
  if (distinct.length <= 3) return distinct.join(', ');
  const met = answers.filter((answer) => answer.met === 'same').length;
  const odd = answers.find((answer) => answer.met !== 'same');
  const rest = odd === undefined ? '' : `, and ${answers.length - met} not (${odd.to})`;
  const done = wants.every(({ kind }) => kind === 'skip') ? 'exempted' : 'off';
  return `${met} rules ${done}${rest}`;
}

/**
 * Judges a setting with an uncertain new rule against a ruleset of another author. If the ruleset overrides a
 * candidate and no other setting claims that override, it counts as the answer.
 *
 * @param free the overridden rules that no other setting claims, by their last eight digits
 */
function judgeCandidates(
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
  const note =
    'concluded from an override in the ruleset, because the new rule is not known for sure';
  return {
    ...judgement,
    why: [note, judgement.why ?? ''].filter((part) => part !== '').join('; '),
  };
}
