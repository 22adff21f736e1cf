import { attempt, MigrationError } from './migration-error';
import { printable } from './printable';
import { quoteHcl, unquoteHcl } from './terraform-syntax';

/** The two modes of a state: `managed` for a resource, `data` for a data source. */
export type ResourceMode = 'managed' | 'data';

/** The key of one instance: a number with `count`, a string with `for_each`, otherwise undefined. */
export type InstanceKey = string | number | undefined;

export function withKey(resource: string, key: InstanceKey): string {
  if (key === undefined) return resource;
  return typeof key === 'number' ? `${resource}[${key}]` : `${resource}[${quoteHcl(key)}]`;
}

/** The number of leading parts that are `module` and a module name. */
function moduleLength(parts: readonly TraversalPart[]): number {
  const isModule = (part: TraversalPart | undefined): boolean =>
    part?.name === 'module' && part.key === undefined;
  let length = 0;
  while (isModule(parts[length]) && length + 1 < parts.length) length += 2;
  return length;
}

function invalid(text: string): MigrationError {
  return new MigrationError('ADDRESS_INVALID', `${quoteHcl(text)} is not a resource address`);
}

/** Module paths whose keys have only characters that Terraform does not escape. */
const plainModule =
  /^(?!\.)(?:(?:^|\.)module\.[A-Za-z_][\w-]*(?:\[(?:0|[1-9]\d{0,14}|"[\w ./:@+=,-]*")\])?)*$/;

/** Whether Terraform can read a module path, and a terminal can show it. */
function isModulePath(text: string): boolean {
  if (plainModule.test(text)) return true;
  const parts = parseTraversal(text);
  return parts !== undefined && moduleLength(parts) === parts.length && printable(text) === text;
}

/**
 * The address of a resource instance, exactly as `terraform state list` prints it (1.11.4).
 * @param module the module path in the state, empty at the root
 * @throws MigrationError ADDRESS_INVALID if Terraform cannot read the module path either
 */
export function printAddress(
  module: string,
  mode: ResourceMode,
  type: string,
  name: string,
  key: InstanceKey,
): string {
  if (!isModulePath(module)) throw invalid(module);
  const prefix = module === '' ? '' : `${module}.`;
  return withKey(`${prefix}${mode === 'data' ? 'data.' : ''}${type}.${name}`, key);
}

/**
 * Parses an address that `terraform state list` printed.
 * @throws MigrationError ADDRESS_INVALID if it is not the address of a resource instance
 * @example parseAddress('module.a["x"].data.cloudflare_waf_rules.r[0]').key // 0
 */
export function parseAddress(text: string) {
  const parts = parseTraversal(text) ?? [];
  const length = moduleLength(parts);
  const rest = parts.slice(length);
  const isData = rest[0]?.name === 'data' && rest[0].key === undefined;
  const [type, resource, ...more] = isData ? rest.slice(1) : rest;
  if (type === undefined || resource === undefined || more.length > 0 || type.key !== undefined) {
    throw invalid(text);
  }
  const mode: ResourceMode = isData ? 'data' : 'managed';
  return {
    // as written; empty at the root
    module: text.slice(0, parts[length - 1]?.end ?? 0),
    mode,
    type: type.name,
    name: resource.name,
    key: resource.key,
  };
}

/** Whether an address is that of a managed resource of a type. */
export function isOfType(address: string, type: string): boolean {
  const parsed = attempt(() => parseAddress(address));
  return parsed?.mode === 'managed' && parsed.type === type;
}

export const isRulesetAddress = (address: string): boolean =>
  isOfType(address, 'cloudflare_ruleset');

interface TraversalPart {
  readonly name: string;
  readonly key: InstanceKey;
  /** The offset of its end, with the key. */
  readonly end: number;
}

/**
 * A name, an optional key in brackets, and a dot or the end. HCL identifiers are Unicode identifiers that may start with
 * an underscore and contain hyphens.
 */
const part =
  /([\p{ID_Start}_][\p{ID_Continue}-]*)(?:\[(?:(0|[1-9]\d{0,15})|("(?:[^"\\]|\\.)*"))\])?(\.|$)/uy;

/** Splits `a.b["c"].d` into parts; returns undefined if the text has another form. */
function parseTraversal(text: string): readonly TraversalPart[] | undefined {
  const parts: TraversalPart[] = [];
  part.lastIndex = 0;
  for (;;) {
    const [, name, number, quoted, dot = ''] = part.exec(text) ?? [];
    if (name === undefined) return undefined;
    const key = number === undefined ? quoted && unquoteHcl(quoted) : Number(number);
    if (quoted !== undefined && key === undefined) return undefined;
    if (typeof key === 'number' && !Number.isSafeInteger(key)) return undefined;
    parts.push({ name, key, end: part.lastIndex - dot.length });
    if (dot === '') return parts;
  }
}

const keys = /\[(?:\d+|"(?:[^"\\]|\\.)*")\]/gsu;

export function withoutKeys(text: string): string {
  return text.replace(keys, '');
}

/** An address, and each prefix of it that ends before a dot: these include its modules. */
export function partsBefore(text: string): readonly string[] {
  return [...[...text.matchAll(/\./g)].map(({ index }) => text.slice(0, index)), text];
}
