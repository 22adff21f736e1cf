import { type Finding } from '../../core/finding';
import { type PackageSetting } from '../legacy-settings';
import { OWASP_PACKAGE, OWASP_RULESET } from '../../ruleset/known-rulesets';
import { type OwaspDraft } from './draft';
import { byPlace, type PackageKind } from './legacy-index';
import { listed, type ReadContext, report } from './read-context';
import {
  CHALLENGE_NOTE,
  readAction,
  type Setting,
  settingFacts,
  type Verdict,
  type Want,
} from './setting';

/** What the packages of a zone say of OWASP. */
interface OwaspReading {
  /** Undefined: not deployed. */
  readonly draft: OwaspDraft | undefined;
  /** Whether the zone surely had it off. */
  readonly off: boolean;
}

interface PackageSettings {
  readonly one: PackageSetting;
  readonly sensitivity: Setting;
  readonly action: Setting;
}

/** Reads the packages: the OWASP package alone has settings. */
export function readPackages(context: ReadContext): OwaspReading {
  const owasp: PackageSettings[] = [];
  for (const one of byPlace(context.old.packages)) {
    const kind = context.index.kindOfPackage(one.packageId);
    const settings = addSettings(context, one, kind);
    if (kind === 'owasp') owasp.push(settings);
    else decideOther(context, settings, kind === undefined);
  }
  const [first, ...others] = owasp;
  if (first === undefined) {
    reportMissing(context);
    return { draft: undefined, off: false };
  }
  const contradicting = others.filter(
    ({ one: { sensitivity, actionMode } }) =>
      sensitivity !== first.one.sensitivity ||
      // of a package that is off the action counts for nothing
      (sensitivity !== 'off' && actionMode !== first.one.actionMode),
  );
  if (contradicting.length > 0) return decideContradiction(context, owasp);
  return decideOwasp(context, first.one, owasp);
}

/** As the service calls its packages. */
const titles: Readonly<Record<PackageKind, string>> = {
  cloudflare: 'CloudFlare',
  owasp: 'OWASP ModSecurity Core Rule Set',
  user: 'USER',
};

function addSettings(
  { ledger }: ReadContext,
  one: PackageSetting,
  kind: PackageKind | undefined,
): PackageSettings {
  const { from, packageId: subject, sensitivity, actionMode } = one;
  const add = (attribute: string, value: string): Setting =>
    ledger.add({
      kind: 'package',
      from,
      attribute,
      subject,
      value,
      ...settingFacts(kind, kind === undefined ? undefined : titles[kind]),
    });
  return {
    one,
    sensitivity: add('sensitivity', sensitivity),
    action: add('action_mode', actionMode),
  };
}

function decideBoth({ ledger }: ReadContext, settings: PackageSettings, verdict: Verdict): void {
  ledger.decide(settings.sensitivity, verdict);
  ledger.decide(settings.action, verdict);
}

/** A traditional package in state holds the provider's defaults, which the service refuses (1027). */
function decideOther(context: ReadContext, settings: PackageSettings, unknown: boolean): void {
  const { from, packageId, sensitivity, actionMode } = settings.one;
  if (!unknown || (sensitivity === '' && actionMode === '')) {
    const why = 'only the OWASP package has a sensitivity and an action';
    decideBoth(context, settings, { kind: 'inert', why });
    return;
  }
  const why = `no source says what package "${packageId}" is`;
  const remedy = 'look the package up in the dashboard, or read the state with its data sources';
  decideBoth(context, settings, { kind: 'unknown', why, remedy });
  report(context, 'decision', 'UNKNOWN_PACKAGE', from, why, remedy);
}

function decideOwasp(
  context: ReadContext,
  { from, sensitivity, actionMode }: PackageSetting,
  all: readonly PackageSettings[],
): OwaspReading {
  if (sensitivity === 'off') {
    const why = 'the package is off';
    for (const one of all) {
      const wants = [{ kind: 'not-deployed', ruleset: OWASP_RULESET }] as const;
      context.ledger.decide(one.sensitivity, { kind: 'wanted', wants });
      context.ledger.decide(one.action, { kind: 'inert', why });
    }
    return { draft: undefined, off: true };
  }
  const level = owaspLevel(sensitivity);
  if (level === undefined) {
    const why = `the sensitivity "${sensitivity}" is not known: nothing is translated for OWASP`;
    const remedy = 'deploy the OWASP ruleset by hand, with the level and threshold that you choose';
    for (const one of all) decideBoth(context, one, { kind: 'unknown', why, remedy });
    report(context, 'decision', 'UNKNOWN_SENSITIVITY', from, why, remedy);
    return { draft: undefined, off: false };
  }
  const action = readAction(actionMode);
  for (const one of all) {
    const wants: Want[] = [
      { kind: 'paranoia', level: level.level },
      { kind: 'threshold', threshold: level.threshold },
    ];
    context.ledger.decide(one.sensitivity, { kind: 'wanted', wants });
    context.ledger.decide(one.action, actionVerdict(actionMode));
  }
  if (action === undefined) {
    const { why, remedy } = unknownAction(actionMode);
    report(context, 'decision', 'UNKNOWN_ACTION_MODE', from, why, remedy);
  }
  if (action === 'challenge') {
    const remedy = 'nothing, unless the visitor has to be asked every time: then set challenge';
    report(context, 'info', 'CHALLENGE_IS_MANAGED', from, CHALLENGE_NOTE, remedy);
  }
  context.findings.push(...owaspDoubts(context.old.zoneId));
  return { draft: { ...level, action }, off: false };
}

function unknownAction(actionMode: string): { why: string; remedy: string } {
  return {
    why: `the action "${actionMode}" is not known, so the scoring rule keeps its own: block`,
    remedy: 'set the action of the scoring rule by hand before the ruleset is deployed',
  };
}

function actionVerdict(actionMode: string): Verdict {
  const action = readAction(actionMode);
  if (action === undefined) return { kind: 'unknown', ...unknownAction(actionMode) };
  return { kind: 'wanted', wants: [{ kind: 'score-action', action }] };
}

function decideContradiction(context: ReadContext, all: readonly PackageSettings[]): OwaspReading {
  const places = listed(all.map(({ one }) => one.from));
  const why = `the OWASP package is set differently in ${places}: nothing is translated for OWASP`;
  const remedy = 'keep the one that holds in the zone, then translate again';
  for (const one of all) {
    decideBoth(context, one, { kind: 'unknown', why, remedy });
    report(context, 'decision', 'CONTRADICTING_SETTINGS', one.one.from, why, remedy);
  }
  return { draft: undefined, off: false };
}

function reportMissing(context: ReadContext): void {
  const { groups, rules, zoneId } = context.old;
  const places = [
    ...groups.filter((one) => context.index.kindOfGroup(one.groupId, one.packageId) === 'owasp'),
    ...rules.filter(
      (one) => context.index.kindOfRule(one.ruleId, one.packageId, one.groupId) === 'owasp',
    ),
  ].map(({ from }) => from);
  const users = places.length === 0 ? '' : `, although ${listed(places.sort())} belong to it`;
  report(
    context,
    'decision',
    'PACKAGE_MISSING',
    places[0] ?? zoneId,
    `nothing says which sensitivity the OWASP package (${OWASP_PACKAGE}) of zone ${zoneId} has${users}: nothing is translated for OWASP`,
    'look the sensitivity up, add the package to the state, and translate again; or deploy the OWASP ruleset by hand',
  );
}

/** Where an old sensitivity leads (spec: "OWASP settings mapping applied by the migration"). */
interface OwaspLevel {
  /** Rules up to this paranoia level run. */
  readonly level: number;
  readonly threshold: number;
}

const levels: ReadonlyMap<string, OwaspLevel> = new Map([
  ['high', { level: 2, threshold: 40 }],
  ['medium', { level: 1, threshold: 25 }],
  ['low', { level: 1, threshold: 40 }],
  ['default', { level: 2, threshold: 40 }],
]);

/** The new level of an old sensitivity; `off` has none, and neither has an unknown one. */
function owaspLevel(sensitivity: string): OwaspLevel | undefined {
  return levels.get(sensitivity);
}

/** What the documentation of the mapping says twice and differently: shown, never decided here. */
function owaspDoubts(zoneId: string): Finding[] {
  return [
    {
      code: 'OWASP_DEFAULT_LEVEL_UNCLEAR',
      severity: 'info',
      subject: zoneId,
      message:
        'Cloudflare documents two defaults of the OWASP ruleset: paranoia level 1, and all four levels on',
      remedy:
        'nothing where all four levels are set explicitly, as a translation does; otherwise set them',
    },
    {
      code: 'OWASP_LEVEL_CONTRADICTED',
      severity: 'info',
      subject: zoneId,
      message:
        'the table of the migration leads Medium and Low to paranoia level 1, and a remark beside it says that the migration sets level 2',
      remedy: 'compare the level with the live ruleset; the table is followed here',
    },
    {
      code: 'OWASP_MEDIUM_STRICTER',
      severity: 'info',
      subject: zoneId,
      message:
        'the table of the migration makes the old Medium stricter (threshold 25) than the old High (threshold 40)',
      remedy: 'choose the threshold anew after the migration, by the security events',
    },
  ];
}
