import { PROVIDER_MAJORS, type ProviderMajor } from './provider-majors';

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
