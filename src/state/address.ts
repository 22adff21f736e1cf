import { MigrationError } from '../model/migration-error';
import { parseTraversal, type TraversalPart } from './parse-traversal';
import { quoteKey } from './quote-key';
import { rememberLast } from './remember-last';
import { type InstanceKey, type ResourceMode } from './state';

/** The address of one resource instance, taken apart. */
export interface Address {
  /** In canonical form; empty at the root. */
  readonly module: string;
  readonly mode: ResourceMode;
  readonly type: string;
  readonly name: string;
  readonly key: InstanceKey;
}

/** Canonical already: only such characters as are printed the way they are read. */
const canonical =
  /^(?!\.)(?:(?:^|\.)module\.[A-Za-z_][\w-]*(?:\[(?:0|[1-9]\d{0,14}|"[\w ./:@+=,-]*")\])?)*$/;

/** The address of an instance, from that of its resource, and its key. */
export function withKey(resource: string, key: InstanceKey): string {
  if (key === undefined) return resource;
  return typeof key === 'number' ? `${resource}[${key}]` : `${resource}[${quoteKey(key)}]`;
}

/** How many of the parts, from the first on, are `module` and a name. */
function moduleLength(parts: readonly TraversalPart[]): number {
  let length = 0;
  while (parts[length]?.name === 'module' && length + 1 < parts.length) length += 2;
  return length;
}

function invalid(text: string): MigrationError {
  return new MigrationError('ADDRESS_INVALID', `${quoteKey(text)} is no resource address`);
}

/**
 * A module path of a state as Terraform prints it: keys in Unicode's form C (Terraform's strings
 * are; a hand-written state may differ), escapes only where needed.
 *
 * @throws MigrationError ADDRESS_INVALID when Terraform would not read it either
 */
export const canonicalModule = rememberLast((module) => {
  if (canonical.test(module)) return module;
  const parts = parseTraversal(module);
  if (parts === undefined || moduleLength(parts) !== parts.length) throw invalid(module);
  return printParts(parts, true);
});

function printParts(parts: readonly TraversalPart[], normalised = false): string {
  return parts
    .map(({ name, key }, position) => {
      if (position % 2 === 0) {
        if (key !== undefined) throw invalid(name);
        return name;
      }
      return withKey(name, normalised && typeof key === 'string' ? key.normalize('NFC') : key);
    })
    .join('.');
}

/**
 * The address of a resource instance, exactly as `terraform state list` prints it (1.11.4).
 *
 * @param module the path as it stands in the state, empty at the root
 * @throws MigrationError ADDRESS_INVALID when the module is no module path
 */
export function printAddress(
  module: string,
  mode: ResourceMode,
  type: string,
  name: string,
  key: InstanceKey,
): string {
  const prefix = module === '' ? '' : `${canonicalModule(module)}.`;
  return withKey(`${prefix}${mode === 'data' ? 'data.' : ''}${type}.${name}`, key);
}

/**
 * Takes an address apart that `terraform state list` printed.
 *
 * @throws MigrationError ADDRESS_INVALID when it is no address of a resource instance
 * @example parseAddress('module.a["x"].data.cloudflare_waf_rules.r[0]').key // 0
 */
export function parseAddress(text: string): Address {
  const parts = parseTraversal(text) ?? [];
  const length = moduleLength(parts);
  const rest = parts.slice(length);
  const isData = rest[0]?.name === 'data' && rest[0].key === undefined;
  const [type, resource, ...more] = isData ? rest.slice(1) : rest;
  if (type === undefined || resource === undefined || more.length > 0 || type.key !== undefined) {
    throw invalid(text);
  }
  return {
    module: printParts(parts.slice(0, length)),
    mode: isData ? 'data' : 'managed',
    type: type.name,
    name: resource.name,
    key: resource.key,
  };
}
