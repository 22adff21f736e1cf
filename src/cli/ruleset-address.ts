import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';

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

/** A resource, and the module that it is in. */
export interface ModuleAddress {
  /** `module.waf.module.zone["shop"].`; empty for the root module. */
  readonly modulePath: string;
  readonly resourceName: string;
}

const IN_MODULE =
  /^((?:module\.[A-Za-z_][A-Za-z0-9_-]*(?:\[\d+\]|\["(?:[^"\\\p{Cc}\p{Cf}]|\\.)*"\])?\.)*)(cloudflare_ruleset\..*)$/u;

/**
 * The same for `generate`, which can write files for a module, and `finish`, which takes such a file.
 * @throws MigrationError `USAGE`
 */
export function parseModuleAddress(text: string): ModuleAddress {
  const [, modulePath = '', resource = text] = IN_MODULE.exec(text) ?? [];
  return { modulePath, resourceName: parseRulesetAddress(resource) };
}
