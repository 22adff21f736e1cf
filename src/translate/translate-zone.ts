import { type Finding } from '../core/finding';
import { listed } from '../core/lists';
import { type Ruleset } from '../core/ruleset';
import { CLOUDFLARE_RULESET } from '../ruleset/known-rulesets';
import { strongestEffect } from '../ruleset/protection';
import { viewRuleset } from '../ruleset/view-ruleset';
import { buildRuleset } from './build-ruleset';
import { type Answer, type Place } from './compare/answer';
import { answerWant } from './compare/answer-want';
import { Coverage } from './compare/coverage';
import {
  listNewRules,
  type SettingRow,
  type Status,
  summarise,
  type ZoneComparison,
} from './compare/parity';
import { type LegacySettings } from './source/legacy-settings';
import { type TranslateOptions } from './reading/legacy-zone';
import { readZone, type ZoneReading } from './reading/read-zone';
import { type Setting, type Verdict, type Want, type Wanted, wantsOf } from './reading/setting';

/** The new ruleset of a zone, and what happens to each legacy setting. */
export interface Translation extends ZoneComparison {
  /** As the migration configuration would propose it, without ids. */
  readonly ruleset: Ruleset;
}

/**
 * Translates the legacy WAF settings of a zone into an entry point ruleset (spec: "OWASP settings mapping",
 * docs/report.md). Nothing is guessed: a setting without a translation is a row of the parity with its
 * reason, and a finding if the user can decide. Pure; the order of the input does not matter.
 *
 * @example translateZone(settings, { catalogue: builtInCatalogue() }).ruleset.rules
 */
export function translateZone(legacy: LegacySettings, options: TranslateOptions): Translation {
  const reading = readZone(legacy, options);
  const ruleset = buildRuleset(reading.draft);
  return { ...compareSettings(legacy.zoneId, reading, ruleset), ruleset };
}

/**
 * Compares the legacy WAF settings of a zone with any entry point ruleset. Pure.
 *
 * @example compareZone(settings, parseRuleset(answer).ruleset, { catalogue: builtInCatalogue() })
 */
export function compareZone(
  legacy: LegacySettings,
  ruleset: Ruleset,
  options: TranslateOptions,
): ZoneComparison {
  return compareSettings(legacy.zoneId, readZone(legacy, options), ruleset);
}

interface Judgement extends Omit<SettingRow, keyof Setting | 'rules'> {
  readonly places: readonly Place[];
}

/**
 * Compares legacy settings with a translated, proposed or live ruleset: each setting becomes one row, and
 * each rule of the ruleset is traced back to its settings.
 */
function compareSettings(
  zoneId: string,
  { entries, findings }: Pick<ZoneReading, 'entries' | 'findings'>,
  ruleset: Ruleset,
): ZoneComparison {
  const view = viewRuleset(ruleset);
  const wants = entries.flatMap(({ verdict }) => wantsOf(verdict));
  const coverage = new Coverage(wants, view);
  const judged = entries.map(({ setting, verdict }) => ({
    setting,
    ...judgeVerdict(verdict, coverage),
  }));
  const rules = listNewRules(ruleset, view, judged);
  const settings = judged.map(({ setting, places, ...said }): SettingRow => {
    const positions = [...new Set(places.map(({ rule }) => rule))].sort((a, b) => a - b);
    return { ...setting, ...said, rules: positions };
  });
  const mustBeOff = wants.some(
    (want) => want.kind === 'not-deployed' && want.ruleset === CLOUDFLARE_RULESET,
  );
  const missing = mustBeOff ? [] : missingProtection(zoneId, coverage, ruleset);
  const parity = { settings, rules, summary: summarise(settings, rules) };
  return { zoneId, parity, findings: [...findings, ...missing, ...findingsOf(zoneId, settings)] };
}

function judgeVerdict(verdict: Verdict, coverage: Coverage): Judgement {
  switch (verdict.kind) {
    case 'inert':
      return { status: 'without-effect', why: verdict.why, places: [] };
    case 'unknown':
      return { status: 'lost', why: verdict.why, remedy: verdict.remedy, places: [] };
    case 'wanted':
      return judgeWanted(verdict, coverage);
  }
}

function judgeWanted({ wants, missing }: Wanted, coverage: Coverage): Judgement {
  const answers = wants.map((want) => answerWant(want, coverage));
  const status = statusOf(answers, missing !== undefined);
  const whys = [
    ...answers.flatMap(({ why }) => why ?? []),
    ...(missing === undefined ? [] : [`not translated: ${missing.why}`]),
  ];
  const short = [...new Set(whys)].slice(0, 3).join('; ');
  const isLacking = answers.some(({ met }) => met === 'no');
  const byHand = isLacking ? 'add it to the ruleset by hand, if you still need it' : '';
  const toAdd = [...exceptionsToAdd(wants, answers), missing?.remedy].filter(Boolean).join('; ');
  const [remedy = toAdd || byHand] = answers.flatMap((answer) => answer.remedy ?? []);
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

/** What to add for the exceptions that the ruleset lacks. Those of one setting have the same expression. */
function exceptionsToAdd(wants: readonly Want[], answers: readonly Answer[]): string[] {
  const lacking = wants.flatMap((want, at) =>
    want.kind === 'skip' && answers[at]?.places.length === 0 ? want : [],
  );
  const [first] = lacking;
  if (first === undefined) return [];
  const rules = lacking.flatMap(({ rule }) => rule ?? []);
  // the row names a single rule, and has the expression of a firewall rule, which is untrusted text
  const what =
    rules.length === 0
      ? 'one from all managed rules'
      : `one where ${first.expression}, from ${rules.length === 1 ? 'this rule' : `the rules ${rules.join(', ')}`}`;
  return [
    `compare the exceptions of the ruleset, which can be written in another way; if you still need it, and none does the same, add ${what}`,
  ];
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

/** Reports that the Cloudflare Managed Ruleset does not block for all requests: no row need show this. */
function missingProtection(subject: string, coverage: Coverage, { rules }: Ruleset): Finding[] {
  const effect = strongestEffect(rules, CLOUDFLARE_RULESET);
  const where = coverage.limitOf(CLOUDFLARE_RULESET);
  if (effect === 'acts' && where === undefined) return [];
  const said =
    effect === 'logs'
      ? {
          code: 'NEW_RULES_LOG',
          message:
            'the Cloudflare Managed Ruleset only logs: it blocks nothing, and no row of the report shows this',
          remedy: 'remove the action of its override, or check that you want to log only',
        }
      : {
          code: 'MANAGED_RULES_LEFT_OUT',
          message:
            effect === 'acts'
              ? `the Cloudflare Managed Ruleset is only known to run where ${where}: other requests may lose its protection`
              : 'the Cloudflare Managed Ruleset does nothing for any request: all requests lose its protection',
          remedy:
            effect === 'acts'
              ? 'check that the exceptions are wanted, for example those of page rules; otherwise deploy it for all requests'
              : 'deploy it for all requests, or check that you want this',
        };
  return [{ ...said, severity: 'decision', subject }];
}

function findingsOf(zoneId: string, settings: readonly SettingRow[]): Finding[] {
  const partial = settings.filter((row) => row.partial).length;
  const lost = settings.filter(({ status }) => status === 'lost').map(nameOfRow);
  const weaker = settings.filter((row) => row.weaker);
  const owasp = weaker.filter(({ kind }) => kind === 'package');
  const others = weaker.filter(({ kind }) => kind !== 'package').map(nameOfRow);
  const found: (Finding | false)[] = [
    partial > 0 && {
      code: 'SETTINGS_PARTIAL',
      severity: 'decision',
      subject: zoneId,
      message: `${partial} of ${settings.length} legacy settings are not known to be kept for all requests`,
      remedy: 'compare the report with what the zone needs',
    },
    ...[...new Set(owasp.map(({ from }) => from))].map((subject): Finding => ({
      code: 'OWASP_WEAKER',
      severity: 'decision',
      subject,
      message:
        'the OWASP ruleset stops less, or may stop less, than the mapping table of the migration requires',
      remedy:
        'set the levels, the threshold and the action of the mapping table, or check that you want less; the report shows both',
    })),
    others.length > 0 && {
      code: 'SETTINGS_WEAKER',
      severity: 'decision',
      subject: zoneId,
      message: `with the ruleset, ${others.length} of ${settings.length} legacy settings protect less than before: ${listed(others)}`,
      remedy: 'correct the override or the exception of each of them, or check that you want less',
    },
    lost.length > 0 && {
      code: 'SETTINGS_LOST',
      severity: 'decision',
      subject: zoneId,
      message: `${lost.length} of ${settings.length} legacy settings have no known equivalent in the ruleset: ${listed(lost)}`,
      remedy: 'read the reason for each of them in the report',
    },
  ];
  return found.filter((one) => one !== false);
}

const nameOfRow = ({ from, attribute }: SettingRow): string => `${from}.${attribute}`;
