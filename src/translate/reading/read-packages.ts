import { listed } from '../../core/lists';
import { OWASP_PACKAGE, OWASP_RULESET } from '../../ruleset/known-rulesets';
import { type OwaspDraft } from '../build-ruleset';
import { type PackageSetting } from '../legacy-settings';
import { byPlace } from './legacy-index';
import { type ReadContext } from './read-context';
import { refusePackage } from './read-rules';
import {
  actionOf,
  CHALLENGE_NOTE,
  inert,
  type PackageKind,
  readMode,
  type Setting,
  type Verdict,
  wanted,
} from './setting';

/** The verdicts on the two settings of the OWASP package, and how it is deployed. */
interface OwaspDecision {
  readonly sensitivity: Verdict;
  readonly action: Verdict;
  /** Undefined: not deployed. */
  readonly draft?: OwaspDraft;
}

/** As the legacy API calls its packages. */
const titles: Readonly<Record<PackageKind, string>> = {
  cloudflare: 'CloudFlare',
  owasp: 'OWASP ModSecurity Core Rule Set',
  user: 'USER',
};

/** Reads the packages, and returns how OWASP is deployed: only that package has settings. */
export function readPackages(context: ReadContext): OwaspDraft | undefined {
  const owasp: { one: PackageSetting; sensitivity: Setting; action: Setting }[] = [];
  for (const one of byPlace(context.legacy.packages)) {
    const kind = context.index.kindOfPackage(one.packageId);
    const add = (attribute: string, value: string): Setting =>
      context.add({
        kind: 'package',
        from: one.from,
        attribute,
        subject: one.packageId,
        value,
        package: kind,
        title: kind === undefined ? undefined : titles[kind],
      });
    const sensitivity = add('sensitivity', one.sensitivity);
    const action = add('action_mode', one.actionMode);
    if (kind === 'owasp') owasp.push({ one, sensitivity, action });
    else {
      const verdict = decideOther(context, one, sensitivity);
      context.decide(sensitivity, verdict);
      context.decide(action, verdict);
    }
  }
  const [first, ...others] = owasp.map(({ one }) => one);
  if (first === undefined) {
    reportMissing(context);
    return undefined;
  }
  const differs = others.some(
    ({ sensitivity, actionMode }) =>
      sensitivity !== first.sensitivity ||
      // the action of a package that is off has no effect
      (sensitivity !== 'off' && actionMode !== first.actionMode),
  );
  const decision = differs
    ? refuseContradiction(context, [first, ...others])
    : decideOwasp(context, first);
  for (const { sensitivity, action } of owasp) {
    context.decide(sensitivity, decision.sensitivity);
    context.decide(action, decision.action);
  }
  return decision.draft;
}

/** A traditional package in state holds the provider's defaults, which the API refuses (1027). */
function decideOther(
  context: ReadContext,
  { packageId, sensitivity, actionMode }: PackageSetting,
  setting: Setting,
): Verdict {
  return setting.package === undefined && (sensitivity !== '' || actionMode !== '')
    ? refusePackage(context, setting, packageId)
    : inert('only the OWASP package has a sensitivity and an action');
}

function refuseContradiction(context: ReadContext, all: readonly PackageSetting[]): OwaspDecision {
  const places = listed(all.map(({ from }) => from));
  const why = `the OWASP package has different settings in ${places}: nothing is translated for OWASP`;
  const remedy = 'keep the setting that applies in the zone, then translate again';
  for (const { from } of all) context.refuse('CONTRADICTING_SETTINGS', from, why, remedy);
  const verdict: Verdict = { kind: 'unknown', why, remedy };
  return { sensitivity: verdict, action: verdict };
}

/** Paranoia level and threshold by sensitivity (spec: "OWASP settings mapping applied by the migration"). */
const levels: ReadonlyMap<string, Pick<OwaspDraft, 'level' | 'threshold'>> = new Map([
  ['high', { level: 2, threshold: 40 }],
  ['medium', { level: 1, threshold: 25 }],
  ['low', { level: 1, threshold: 40 }],
  ['default', { level: 2, threshold: 40 }],
]);

function decideOwasp(
  context: ReadContext,
  { from, sensitivity, actionMode }: PackageSetting,
): OwaspDecision {
  if (sensitivity === 'off') {
    const off = wanted([{ kind: 'not-deployed', ruleset: OWASP_RULESET }]);
    return { sensitivity: off, action: inert('the package is off') };
  }
  const mapped = levels.get(sensitivity);
  if (mapped === undefined) {
    const why = `the sensitivity "${sensitivity}" is unknown: nothing is translated for OWASP`;
    const remedy = 'deploy the OWASP ruleset by hand, with the level and threshold that you choose';
    const verdict = context.refuse('UNKNOWN_SENSITIVITY', from, why, remedy);
    return { sensitivity: verdict, action: verdict };
  }
  const { level, threshold } = mapped;
  const wants = wanted([
    { kind: 'paranoia', level },
    { kind: 'threshold', threshold },
  ]);
  const action = actionOf(readMode(actionMode));
  const verdict = decideAction(context, from, actionMode);
  reportDoubts(context);
  return { sensitivity: wants, action: verdict, draft: { level, threshold, action } };
}

function decideAction(context: ReadContext, from: string, actionMode: string): Verdict {
  const action = actionOf(readMode(actionMode));
  if (action === undefined) {
    const why = `the action "${actionMode}" is unknown, so the scoring rule keeps its default: block`;
    const remedy = 'set the action of the scoring rule by hand before the ruleset is deployed';
    return context.refuse('UNKNOWN_ACTION_MODE', from, why, remedy);
  }
  if (action === 'challenge') {
    const remedy =
      'do nothing, or set the action to `challenge` if every visitor must solve a challenge';
    context.report('info', 'CHALLENGE_IS_MANAGED', from, CHALLENGE_NOTE, remedy);
  }
  return wanted([{ kind: 'score-action', action }]);
}

function reportMissing(context: ReadContext): void {
  const { index, legacy } = context;
  const { groups, rules, zoneId } = legacy;
  const places = [
    ...groups.filter((one) => index.kindOfGroup(one) === 'owasp'),
    ...rules.filter((one) => index.kindOfRule(one) === 'owasp'),
  ].map(({ from }) => from);
  const users = places.length === 0 ? '' : `, although ${listed(places.sort())} belong to it`;
  context.report(
    'decision',
    'PACKAGE_MISSING',
    places[0] ?? zoneId,
    `the sensitivity of the OWASP package (${OWASP_PACKAGE}) of zone ${zoneId} is not in the settings${users}: nothing is translated for OWASP`,
    'look up the sensitivity, add the package to the state, and translate again; or deploy the OWASP ruleset by hand',
  );
}

/** Contradictions in Cloudflare's documentation of the mapping: reported, never decided here. */
function reportDoubts(context: ReadContext): void {
  const { zoneId } = context.legacy;
  context.report(
    'info',
    'OWASP_DEFAULT_LEVEL_UNCLEAR',
    zoneId,
    'Cloudflare documents two defaults of the OWASP ruleset: paranoia level 1, and all four levels on',
    'do nothing if all four levels are explicit, as in a translation; otherwise set them',
  );
  context.report(
    'info',
    'OWASP_LEVEL_CONTRADICTED',
    zoneId,
    'for Medium and Low, the mapping table of the migration has paranoia level 1, but its remark says that the migration sets level 2',
    'compare the level with the live ruleset; the translation follows the table',
  );
  context.report(
    'info',
    'OWASP_MEDIUM_STRICTER',
    zoneId,
    'in the mapping table of the migration, Medium (threshold 25) is stricter than High (threshold 40)',
    'choose the threshold again after the migration, by the security events',
  );
}
