/**
 * What is known of one major of the Cloudflare provider, apart from how it writes a ruleset, which
 * is its dialect (src/generate/dialects).
 */
export interface ProviderFacts {
  /** The last version that was measured: what `--from 4` and `--to 5` mean. */
  readonly last: string;
  /** The version constraint that a generated stack carries. */
  readonly constraint: string;
  /** The first major release of `@cdktf/provider-cloudflare` that is made from it. */
  readonly firstBindings: number;
  /** The last release of those bindings. */
  readonly bindings: string;
  /** The release of CDKTF that they name as a peer on npm; they work with later ones. */
  readonly bindingsCore: string;
  /** Whether it knows the legacy WAF resources: one that does not cannot plan while one is there. */
  readonly knowsLegacyWaf: boolean;
  /** Whether it can plan with filters and firewall rules in the state. */
  readonly plansFirewallRules: boolean;
  /** The identifier that `terraform import` takes for a ruleset of a zone (4 refuses `zones/`, 5 `zone/`). */
  importId(zoneId: string, rulesetId: string): string;
}

/** The one list of provider majors; measured with the last version of each. */
export const providerMajors = {
  3: {
    last: '3.35.0',
    constraint: '~> 3.35',
    firstBindings: 0,
    bindings: '5.0.3',
    bindingsCore: '0.15',
    knowsLegacyWaf: true,
    plansFirewallRules: true,
    importId: (zoneId, rulesetId) => `zone/${zoneId}/${rulesetId}`,
  },
  4: {
    last: '4.52.8',
    // 4.52.5 is the least that provider 5 can be reached from
    constraint: '~> 4.52, >= 4.52.5',
    firstBindings: 6,
    bindings: '11.30.0',
    bindingsCore: '0.20',
    knowsLegacyWaf: false,
    plansFirewallRules: true,
    importId: (zoneId, rulesetId) => `zone/${zoneId}/${rulesetId}`,
  },
  5: {
    last: '5.22.0',
    // the bindings pin 5.14.0, which cannot read a state that 5.19 or later wrote (schema 500)
    constraint: '>= 5.19, < 6',
    firstBindings: 12,
    bindings: '13.9.1',
    bindingsCore: '0.21',
    knowsLegacyWaf: false,
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

/** The major of a version or range (`4.52.8`, `~> 4.52`), undefined for an unknown one. */
export function findProviderMajor(version: string): ProviderMajor | undefined {
  const major = Number(/\d+/.exec(version)?.[0] ?? Number.NaN);
  return isProviderMajor(major) ? major : undefined;
}

/** A list in words: `3, 4 or 5`. */
export function listedMajors(): string {
  return `${PROVIDER_MAJORS.slice(0, -1).join(', ')} or ${NEWEST_MAJOR}`;
}

/** The versions from one on and below another: `[4, 52, 5]` is 4.52.5. */
interface VersionRange {
  readonly from: readonly number[];
  readonly below: readonly number[];
}

/**
 * The least range that holds every version that a constraint allows.
 * @param constraint as Terraform takes it: `~> 3.35`, `>= 4.0, < 5.0`
 */
export function versionRange(constraint: string): VersionRange {
  return constraint
    .split(',')
    .map((part) => rangeOf(part.trim()))
    .reduce(intersection);
}

/** Whether there can be a version in both. */
export function overlap(one: VersionRange, other: VersionRange): boolean {
  const { from, below } = intersection(one, other);
  return isBefore(from, below);
}

function rangeOf(part: string): VersionRange {
  const [, operator = '=', text] = /^(>=|<=|!=|~>|>|<|=)?\s*v?(\d+(?:\.\d+)*)/.exec(part) ?? [];
  const version = text?.split('.').map(Number) ?? [];
  const [from, below] = [[0], [Infinity]];
  // what is no constraint forbids nothing, and one version that is left out little
  if (text === undefined || operator === '!=') return { from, below };
  switch (operator) {
    case '>=':
      return { from: version, below };
    case '>':
      return { from: next(version), below };
    case '<':
      return { from, below: version };
    case '<=':
      return { from, below: next(version) };
    case '~>':
      return { from: version, below: raised(version.slice(0, Math.max(1, version.length - 1))) };
    default:
      return { from: version, below: next(version) };
  }
}

function intersection(one: VersionRange, other: VersionRange): VersionRange {
  return {
    from: isBefore(one.from, other.from) ? other.from : one.from,
    below: isBefore(other.below, one.below) ? other.below : one.below,
  };
}

/** The version that follows: a version has three numbers. */
function next([major = 0, minor = 0, patch = 0]: readonly number[]): number[] {
  return [major, minor, patch + 1];
}

/** One more at the last number. */
function raised(version: readonly number[]): number[] {
  return [...version.slice(0, -1), (version.at(-1) ?? 0) + 1];
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const [first = 0, second = 0] = [one[index], other[index]];
    if (first !== second) return first < second;
  }
  return false;
}

/**
 * The provider majors of which a version constraint allows any version.
 * @param constraint as Terraform takes it: `~> 3.35`, `>= 4.0, < 5.0`
 */
export function allowedMajors(constraint: string): ProviderMajor[] {
  const range = versionRange(constraint);
  return PROVIDER_MAJORS.filter((major) => overlap(range, { from: [major], below: [major + 1] }));
}

/** Which program it is, and which version. */
export interface TerraformVersion {
  readonly product: 'Terraform' | 'OpenTofu';
  readonly major: number;
  readonly minor: number;
  /** `1.11.4`. */
  readonly text: string;
}
