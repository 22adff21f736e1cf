import { PROVIDER_MAJORS, type ProviderMajor } from './provider-majors';

/**
 * The provider majors of which a version constraint allows any version.
 * @param constraint as Terraform takes it: `~> 3.35`, `>= 4.0, < 5.0`
 */
export function allowedMajors(constraint: string): ProviderMajor[] {
  const parts = constraint.split(',').map((part) => part.trim());
  return PROVIDER_MAJORS.filter((major) => parts.every((part) => allows(part, major)));
}

function allows(part: string, major: ProviderMajor): boolean {
  const [, operator = '', text] = /^(>=|<=|!=|~>|>|<|=)?\s*v?(\d+(?:\.\d+)*)/.exec(part) ?? [];
  // what is no constraint forbids nothing
  if (text === undefined) return true;
  const [first = 0, ...rest] = text.split('.').map(Number);
  switch (operator) {
    case '>':
    case '>=':
      return major >= first;
    case '<':
      return major < first || (major === first && rest.some((one) => one > 0));
    case '<=':
      return major <= first;
    case '!=':
      return true;
    default:
      return major === first;
  }
}
