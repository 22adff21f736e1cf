import { listed } from '../../core/lists';
import { OWASP_PACKAGE, OWASP_RULESET } from '../../ruleset/known-rulesets';
import { type OwaspDraft } from '../build-ruleset';
import { type PackageSetting } from '../legacy-settings';
import { byPlace, type Entry, type LegacyZone } from './legacy-zone';
import { contradiction, unknownPackage } from './read-rules';
import { actionOf, readMode } from '../legacy-actions';
import { inert, type PackageKind, type Setting, unknown, type Verdict, wanted } from './setting';

/** The verdicts on the two settings of the OWASP package, and how it is deployed. */
interface OwaspDecision {
  readonly sensitivity: Verdict;
  readonly action: Verdict;
  /** Undefined if it is not deployed. */
  readonly draft?: OwaspDraft;
}

/** The package names of the legacy API. */
const titles: Readonly<Record<PackageKind, string>> = {
  cloudflare: 'CloudFlare',
  owasp: 'OWASP ModSecurity Core Rule Set',
  user: 'USER',
};

/** Reads the packages, and returns how to deploy OWASP, the only package with settings. */
export function readPackages(zone: LegacyZone): {
  entries: Entry[];
  owasp: OwaspDraft | undefined;
} {
  const packages = byPlace(zone.settings.packages);
  const isOwasp = ({ packageId }: PackageSetting): boolean =>
    zone.kindOfPackage(packageId) === 'owasp';
  const [first, ...others] = packages.filter(isOwasp);
  const owasp = first && decideOwasp(zone, first, others);
  if (owasp === undefined) reportMissing(zone);
  const entries = packages.flatMap((one): Entry[] => {
    const { from, packageId: subject, sensitivity, actionMode } = one;
    const kind = zone.kindOfPackage(subject);
    const settingOf = (attribute: string, value: string): Setting => ({
      kind: 'package',
      from,
      attribute,
      subject,
      value,
      package: kind,
      title: kind && titles[kind],
    });
    const level = settingOf('sensitivity', sensitivity);
    const verdicts = isOwasp(one) && owasp ? owasp : decideOther(one, kind);
    return [
      { setting: level, verdict: verdicts.sensitivity },
      { setting: settingOf('action_mode', actionMode), verdict: verdicts.action },
    ];
  });
  return { entries, owasp: owasp?.draft };
}

/** A traditional package in state has the provider's defaults, which the API refuses (1027). */
function decideOther(
  { packageId, sensitivity, actionMode }: PackageSetting,
  kind: PackageKind | undefined,
): OwaspDecision {
  return both(
    kind === undefined && (sensitivity !== '' || actionMode !== '')
      ? unknownPackage(packageId)
      : inert('only the OWASP package has a sensitivity and an action'),
  );
}

function both(verdict: Verdict): OwaspDecision {
  return { sensitivity: verdict, action: verdict };
}

/** Paranoia level and threshold by sensitivity (spec: "OWASP settings mapping applied by the migration"). */
const levels: ReadonlyMap<string, Pick<OwaspDraft, 'level' | 'threshold'>> = new Map([
  ['high', { level: 2, threshold: 40 }],
  ['medium', { level: 1, threshold: 25 }],
  ['low', { level: 1, threshold: 40 }],
  ['default', { level: 2, threshold: 40 }],
]);

/** @param others more settings of the package, because several states can contain it */
function decideOwasp(
  zone: LegacyZone,
  first: PackageSetting,
  others: readonly PackageSetting[],
): OwaspDecision {
  const { packageId: subject, sensitivity, actionMode } = first;
  const differs = others.some(
    (other) =>
      other.sensitivity !== sensitivity ||
      // the action of a package that is off has no effect
      (sensitivity !== 'off' && other.actionMode !== actionMode),
  );
  if (differs) {
    return both(contradiction({ kind: 'package', subject }, [first, ...others]));
  }
  if (sensitivity === 'off') {
    const off = wanted([{ kind: 'not-deployed', ruleset: OWASP_RULESET }]);
    return { sensitivity: off, action: inert('the package is off') };
  }
  const mapped = levels.get(sensitivity);
  if (mapped === undefined) {
    const why = `the sensitivity "${sensitivity}" is unknown: nothing is translated for OWASP`;
    const remedy = 'deploy the OWASP ruleset by hand, with the level and threshold that you choose';
    return both(unknown(why, remedy));
  }
  const { level, threshold } = mapped;
  const wants = wanted([
    { kind: 'paranoia', level },
    { kind: 'threshold', threshold },
  ]);
  zone.report(
    'info',
    'OWASP_MAPPING_UNCLEAR',
    zone.settings.zoneId,
    'the mapping table of the migration contradicts its remark, which says paranoia level 2 for Medium and Low too; and Medium (threshold 25) is stricter than High (threshold 40)',
    'compare the level with the live ruleset, and choose the threshold by the security events; the translation follows the table',
  );
  const action = actionOf(readMode(actionMode));
  const verdict =
    action === undefined
      ? unknown(
          `the action "${actionMode}" is unknown, so the scoring rule keeps its default: block`,
          'set the action of the scoring rule by hand before the ruleset is deployed',
        )
      : wanted([{ kind: 'score-action', action }]);
  return { sensitivity: wants, action: verdict, draft: { level, threshold, action } };
}

function reportMissing(zone: LegacyZone): void {
  const { groups, rules, zoneId } = zone.settings;
  const places = [
    ...groups.filter((one) => zone.kindOfGroup(one.groupId, one.packageId) === 'owasp'),
    ...rules.filter((one) => zone.kindOfRule(one.ruleId, one.packageId) === 'owasp'),
  ].map(({ from }) => from);
  const users = places.length === 0 ? '' : `, although ${listed(places.sort())} belong to it`;
  zone.report(
    'decision',
    'PACKAGE_MISSING',
    places[0] ?? zoneId,
    `the sensitivity of the OWASP package (${OWASP_PACKAGE}) of zone ${zoneId} is not in the settings${users}: nothing is translated for OWASP`,
    'look up the sensitivity, add the package to the state, and translate again; or deploy the OWASP ruleset by hand',
  );
}
