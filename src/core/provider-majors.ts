/**
 * What is known of one major of the Cloudflare provider, apart from how it writes a ruleset, which
 * is its dialect (src/generate/dialects).
 */
export interface ProviderFacts {
  /** The last version that was measured: what `--from 4` and `--to 5` mean. */
  readonly last: string;
  /** The first major release of `@cdktf/provider-cloudflare` that is made from it. */
  readonly firstBindings: number;
  /** Whether it knows the resources of the old WAF: one that does not cannot plan while one is there. */
  readonly knowsOldWaf: boolean;
  /** Whether it can plan with filters and firewall rules in the state. */
  readonly plansFirewallRules: boolean;
  /** The identifier that `terraform import` takes for a ruleset of a zone (4 refuses `zones/`, 5 `zone/`). */
  importId(zoneId: string, rulesetId: string): string;
}

/** The one list of provider majors; measured with the last version of each. */
export const providerMajors = {
  3: {
    last: '3.35.0',
    firstBindings: 0,
    knowsOldWaf: true,
    plansFirewallRules: true,
    importId: (zoneId, rulesetId) => `zone/${zoneId}/${rulesetId}`,
  },
  4: {
    last: '4.52.8',
    firstBindings: 6,
    knowsOldWaf: false,
    plansFirewallRules: true,
    importId: (zoneId, rulesetId) => `zone/${zoneId}/${rulesetId}`,
  },
  5: {
    last: '5.22.0',
    firstBindings: 12,
    knowsOldWaf: false,
    plansFirewallRules: false,
    importId: (zoneId, rulesetId) => `zones/${zoneId}/${rulesetId}`,
  },
} as const satisfies Readonly<Record<number, ProviderFacts>>;

/** A major of the Cloudflare provider. */
export type ProviderMajor = keyof typeof providerMajors;

/** The majors, oldest first. */
export const PROVIDER_MAJORS: readonly ProviderMajor[] = Object.keys(providerMajors)
  .map(Number)
  .filter(isProviderMajor);

/** The newest major, which is taken where nothing tells another one. */
export const NEWEST_MAJOR: ProviderMajor = PROVIDER_MAJORS.at(-1) ?? 5;

/** Whether a number is a major that is known here. */
export function isProviderMajor(major: number): major is ProviderMajor {
  return Object.hasOwn(providerMajors, major);
}

/** The major of a version or range (`4.52.8`, `~> 4.52`), undefined where it is not known here. */
export function findProviderMajor(version: string): ProviderMajor | undefined {
  const major = Number(/\d+/.exec(version)?.[0] ?? Number.NaN);
  return isProviderMajor(major) ? major : undefined;
}

/** A list in words: `3, 4 or 5`. */
export function listedMajors(): string {
  return `${PROVIDER_MAJORS.slice(0, -1).join(', ')} or ${NEWEST_MAJOR}`;
}
