import { OWASP_PACKAGE, OWASP_RULESET } from '../../ruleset/known-rulesets';
import { type OwaspDraft } from '../build-ruleset';
import { type PackageSetting } from '../source/legacy-settings';
import { byPlace, type Entry, type LegacyZone, packageKind } from './legacy-zone';
import { contradiction } from './read-rules';
import {
  actionOf,
  inert,
  type PackageKind,
  readMode,
  type Setting,
  unknown,
  type Verdict,
  wanted,
} from './setting';

/** The verdicts on the two settings of the OWASP package, and how it is deployed. */
interface OwaspDecision {
  readonly sensitivity: Verdict;
  readonly action: Verdict;
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
  const [first, ...others] = packages.filter(({ packageId }) => packageId === OWASP_PACKAGE);
  const owasp = first && decideOwasp(zone, first, others);
  if (owasp === undefined) reportMissing(zone);
  const entries = packages.flatMap((one): Entry[] => {
    const { from, packageId: subject, sensitivity, actionMode } = one;
    const kind = packageKind(subject);
    const settingOf = (attribute: string, value: string): Setting => ({
      kind: 'package',
      from,
      attribute,
      subject,
      value,
      package: kind,
      title: kind && titles[kind],
    });
    const verdicts = (kind === 'owasp' && owasp) || OTHER;
    return [
      { setting: settingOf('sensitivity', sensitivity), verdict: verdicts.sensitivity },
      { setting: settingOf('action_mode', actionMode), verdict: verdicts.action },
    ];
  });
  return { entries, owasp: owasp?.draft };
}

function both(verdict: Verdict): OwaspDecision {
  return { sensitivity: verdict, action: verdict };
}

/** A traditional package in state has the provider's defaults, which the API refuses (1027). */
const OTHER = both(inert('only the OWASP package has a sensitivity and an action'));

/** Paranoia level and threshold by sensitivity (spec: "OWASP settings mapping applied by the migration"). */
const owaspLevels: ReadonlyMap<string, Pick<OwaspDraft, 'level' | 'threshold'>> = new Map([
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
  const { sensitivity, actionMode } = first;
  const differs = others.some(
    (other) =>
      other.sensitivity !== sensitivity ||
      // the action of a package that is off has no effect
      (sensitivity !== 'off' && other.actionMode !== actionMode),
  );
  if (differs) return both(contradiction('package', [first, ...others]));
  if (sensitivity === 'off') {
    const off = wanted([{ kind: 'not-deployed', ruleset: OWASP_RULESET }]);
    return { sensitivity: off, action: inert('the package is off') };
  }
  const mapped = owaspLevels.get(sensitivity);
  if (mapped === undefined) {
    const why = `the sensitivity "${sensitivity}" is unknown: nothing is translated for OWASP`;
    const remedy = 'deploy the OWASP ruleset by hand, with the level and threshold that you choose';
    return both(unknown(why, remedy));
  }
  const { level, threshold } = mapped;
  zone.report(
    'info',
    'OWASP_MAPPING_UNCLEAR',
    zone.settings.zoneId,
    'Cloudflare documents the paranoia level of Medium and Low in two ways, and its table makes Medium (threshold 25) stricter than High (threshold 40). The translation follows the table',
    'after the migration, check the level of the live ruleset, and adjust the threshold to the security events',
  );
  const action = actionOf(readMode(actionMode));
  return {
    sensitivity: wanted([
      { kind: 'paranoia', level },
      { kind: 'threshold', threshold },
    ]),
    action:
      action === undefined
        ? unknown(
            `the action "${actionMode}" is unknown, so the scoring rule keeps its default: block`,
            'set the action of the scoring rule by hand before the ruleset is deployed',
          )
        : wanted([{ kind: 'score-action', action }]),
    draft: { level, threshold, action },
  };
}

function reportMissing(zone: LegacyZone): void {
  const { zoneId } = zone.settings;
  zone.report(
    'decision',
    'PACKAGE_MISSING',
    zoneId,
    `the sensitivity of the OWASP package (${OWASP_PACKAGE}) of zone ${zoneId} is not in the settings: nothing is translated for OWASP`,
    'look up the sensitivity, add the package to the state, and translate again; or deploy the OWASP ruleset by hand',
  );
}
