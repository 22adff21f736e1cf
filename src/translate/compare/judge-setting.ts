import { CLOUDFLARE_RULESET } from '../../ruleset/known-rulesets';
import { type KnownRuleset } from '../../ruleset/view-ruleset';
import { type Entry } from '../reading/legacy-zone';
import { type Setting, type SettingKind, type Want, type Wanted } from '../reading/setting';
import { type Answer, type Place } from './answer';
import { answerWant } from './answer-want';
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

/** Judges each setting against a ruleset. */
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
  return judged.map(({ entry, judgement }) => {
    const { setting, verdict } = entry;
    if (verdict.kind !== 'unknown' || !OF_RULES.has(setting.kind)) return { entry, judgement };
    return { entry, judgement: { ...judgement, why: unsure(verdict.why, free.size) } };
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
  const { why } = verdict;
  return verdict.kind === 'inert'
    ? { status: 'without-effect', why, places: [] }
    : { status: 'lost', why, remedy: verdict.remedy, places: [] };
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
    ...(missing === undefined ? [] : [`not translated: ${missing.why}`]),
  ];
  const short = [...new Set(whys)].slice(0, 3).join('; ');
  const otherwise = missing?.remedy ?? (answers.some(({ met }) => met === 'no') ? BY_HAND : '');
  const [remedy = otherwise] = answers.flatMap((answer) => answer.remedy ?? []);
  return {
    status,
    to: describeAnswers(wants, answers),
    ...(short === '' ? {} : { why: short }),
    ...(remedy === '' ? {} : { remedy }),
    ...(missing !== undefined || answers.some(({ partial }) => partial) ? { partial: true } : {}),
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
