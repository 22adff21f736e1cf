import { PROVIDER_MAJORS, type ProviderMajor } from './provider-majors';
import { overlap, versionRange } from './version-range';

/**
 * The provider majors of which a version constraint allows any version.
 * @param constraint as Terraform takes it: `~> 3.35`, `>= 4.0, < 5.0`
 */
export function allowedMajors(constraint: string): ProviderMajor[] {
  const range = versionRange(constraint);
  return PROVIDER_MAJORS.filter((major) => overlap(range, { from: [major], below: [major + 1] }));
}
