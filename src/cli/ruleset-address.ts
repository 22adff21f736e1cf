import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';

const ADDRESS = /^cloudflare_ruleset\.([A-Za-z_][A-Za-z0-9_-]*)$/;

/** Where the ruleset is declared when `--address` does not say. */
export const DEFAULT_ADDRESS = 'cloudflare_ruleset.managed_rules';

/**
 * Checks what `--address` says: a resource of the root module without a key, as a generated stack
 * declares it.
 * @returns the name of the resource
 * @throws MigrationError `USAGE`
 */
export function parseRulesetAddress(text: string): string {
  const name = ADDRESS.exec(text)?.[1];
  if (name !== undefined) return name;
  const given = printable(text, 100);
  throw new MigrationError('USAGE', `--address "${given}" is not cloudflare_ruleset.<name>`);
}
