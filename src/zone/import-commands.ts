import { posixQuote } from '../core/posix-quote';
import { providerMajors } from '../core/provider-majors';

/**
 * What takes the ruleset of a zone into a Terraform state, one for each form of the id: provider 5
 * wants another one than 3 and 4, and takes theirs for that of an account.
 */
export function importCommands(zoneId: string, rulesetId: string, address: string): string[] {
  const majorsOf = new Map<string, string[]>();
  for (const [major, facts] of Object.entries(providerMajors)) {
    const id = facts.importId(zoneId, rulesetId);
    majorsOf.set(id, [...(majorsOf.get(id) ?? []), major]);
  }
  return [...majorsOf].map(
    ([id, majors]) =>
      `terraform import ${posixQuote(address)} ${id}   # provider ${majors.join(', ')}`,
  );
}
