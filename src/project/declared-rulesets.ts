import { isIdentifier } from '../core/identifier';
import { PROVIDER_MAJORS, type ProviderMajor, providerMajors } from '../core/provider-majors';
import { MANAGED_PHASE } from '../core/ruleset';
import {
  type ConfigModule,
  type ConfigObject,
  type ConfigProject,
  type ConfigValue,
  Expression,
  objectsOf,
  type ResourceBlock,
  stringOf,
  textOfBlock,
} from '../tfconfig/config';
import { inModule } from '../tfconfig/find-blocks';
import { type Configuration } from './read-configuration';

/** An argument, as far as it is known without Terraform. */
export interface Argument {
  readonly text: string | undefined;
  /** Whether the text is certain; a variable, for example, may have another value. */
  readonly isFixed: boolean;
}

/** A ruleset that is, or may be, the entry point of the managed phase in a zone. */
export interface EntryPoint {
  readonly name: string;
  /** The zone id; for a ruleset of an account, fixed and without text. */
  readonly zone: Argument;
  /** Whether the phase is known to be the managed phase. */
  readonly isManaged: boolean;
}

/** A `cloudflare_ruleset` that the configuration declares. */
export interface DeclaredRulesetAddress {
  readonly address: string;
  /** The folder of its module, relative to the folder of the plan; default: the folder of the state. */
  readonly dir?: string | undefined;
  /** Undefined if the zone or the phase is unknown. */
  readonly zoneId: string | undefined;
  /**
   * Only without `zoneId`: the only zone whose entry point it can be, undefined for any zone, and null for none: it is of
   * an account, or has another phase.
   */
  readonly mayBeOf?: string | null | undefined;
  /** Whether its address has instance keys: it, or a call of its module, has `count` or `for_each`. */
  readonly isRepeated?: boolean | undefined;
  /** Whether its `count` is 1 in one state, and 0 in others that share the files. */
  readonly isOfOneState?: boolean | undefined;
  /** Whether it has no rules, and does not ignore the live ones: an apply would remove them. */
  readonly hasNoRules?: boolean | undefined;
  /** The provider versions that accept its syntax. */
  readonly majors?: readonly number[] | undefined;
}

/**
 * Whether a declared ruleset is, or can be, the entry point of the managed phase: only Terraform can tell where its zone
 * or phase is an expression.
 * @param zone undefined for any zone
 */
export function canBeEntryPoint(
  { zoneId, mayBeOf }: Pick<DeclaredRulesetAddress, 'zoneId' | 'mayBeOf'>,
  zone?: string,
): boolean {
  if (mayBeOf === null) return false;
  const only = zoneId ?? mayBeOf;
  return zone === undefined || only === undefined || only.toLowerCase() === zone;
}

/** Whether a provider version refuses the syntax of a declared ruleset, or ignores a part of it. */
export function isOfOtherProvider(
  { majors = [] }: Pick<DeclaredRulesetAddress, 'majors'>,
  major: number,
): boolean {
  return majors.length > 0 && !majors.includes(major);
}

/** The latest provider version that a declared ruleset is written for, if another one is too early for it. */
export function laterMajor(
  declared: Pick<DeclaredRulesetAddress, 'majors'>,
  major: number,
): ProviderMajor | undefined {
  if (!isOfOtherProvider(declared, major)) return undefined;
  return PROVIDER_MAJORS.findLast((one) => one > major && declared.majors?.includes(one));
}

/** What tells a state from others that share its files. */
export interface StatePlace {
  readonly workspace: string;
  /** The zones that it has resources of. */
  readonly zones: ReadonlySet<string>;
  /** What is known of the variables. */
  readonly values?: NamedValues;
}

/**
 * The rulesets that a configuration declares, one for each of their addresses.
 * @param place leaves out those that only another state has; undefined leaves out none
 */
export function declaredRulesets(
  { project }: Configuration,
  place?: StatePlace,
): DeclaredRulesetAddress[] {
  return [...project.modules.values()].flatMap((module) => {
    const values = namedValues(module);
    return module.resources
      .filter(({ mode, type }) => mode === 'managed' && type === 'cloudflare_ruleset')
      .flatMap((resource) =>
        declaredRuleset(project, module, values, resource).filter(({ zoneId }) =>
          isOfState(resource.block.body, zoneId, place),
        ),
      );
  });
}

/**
 * The zones whose ruleset a configuration declares for other states, by its `count`.
 * @param own those of this state
 */
export function zonesOfOtherStates(
  configuration: Configuration,
  own: readonly DeclaredRulesetAddress[],
): string[] {
  const addresses = new Set(own.map(({ address }) => address));
  return declaredRulesets(configuration).flatMap(({ address, zoneId }) =>
    zoneId === undefined || addresses.has(address) ? [] : zoneId,
  );
}

function isOfState(body: ConfigObject, zoneId?: string, place?: StatePlace): boolean {
  const only = onlyState(body);
  if (only === undefined || place === undefined) return true;
  if (only.selector === 'terraform.workspace') return only.value === place.workspace;
  const isZone = isIdentifier(only.value);
  const value = stringOf(place.values?.get(only.selector));
  if (!isZone && value === only.value) return true;
  const zone = isZone ? only.value : zoneId;
  // an empty state may have had the zone
  return zone === undefined || place.zones.size === 0 || place.zones.has(zone);
}

const OF_ONE_STATE = /^(\S+)\s*==\s*"([^"]+)"\s*\?\s*1\s*:\s*0$/;
/** References with indexes, which call no function, and are not of one instance of a block. */
export const SELECTOR = /^(?!.*\b(?:each|count)\.)[\w.-]+(?:\[[\w."-]+\][\w.-]*)*$/;

/** What the `count` of a resource compares, if only one of the states with its files has it (docs/plan-format.md). */
export function onlyState(body: ConfigObject) {
  const count = body.get('count');
  const found = count instanceof Expression ? OF_ONE_STATE.exec(count.text) : null;
  const [, selector = '', value = ''] = found ?? [];
  return SELECTOR.test(selector) ? { selector, value } : undefined;
}

function declaredRuleset(
  project: ConfigProject,
  module: ConfigModule,
  values: NamedValues,
  resource: ResourceBlock,
): DeclaredRulesetAddress[] {
  const { type, name, block } = resource;
  const { body } = block;
  // Terraform refuses it
  if (!body.has('phase')) return [];
  const entryPoint = entryPointOf(name, body, values);
  const isRepeated = body.has('count') || body.has('for_each');
  const places = [...project.paths].filter(([, reached]) => reached.module === module);
  return places.map(([path, { calls }]) => ({
    address: inModule(path, `${type}.${name}`),
    dir: module.dir,
    ...zoneOf(entryPoint),
    isRepeated: isRepeated || calls.some((call) => call.isRepeated),
    isOfOneState: onlyState(body) !== undefined,
    hasNoRules: !declaresRules(body),
    majors: writtenFor(resource, entryPoint !== undefined),
  }));
}

function zoneOf(
  entryPoint: EntryPoint | undefined,
): Pick<DeclaredRulesetAddress, 'zoneId' | 'mayBeOf'> {
  if (entryPoint === undefined) return { zoneId: undefined, mayBeOf: null };
  const { zone, isManaged } = entryPoint;
  if (!zone.isFixed) return { zoneId: undefined };
  return isManaged && zone.text !== undefined
    ? { zoneId: zone.text }
    : { zoneId: undefined, mayBeOf: zone.text ?? null };
}

function declaresRules(body: ConfigObject): boolean {
  const ignores = objectsOf(body.get('lifecycle')).some((one) => one.has('ignore_changes'));
  return ignores || body.has('rules') || hasDynamicRules(body);
}

function hasDynamicRules(body: ConfigObject): boolean {
  return objectsOf(body.get('dynamic')).some((one) => one.has('rules'));
}

/** Local values and defaults of variables by reference: `local.zone_id`, `var.zone_id`. */
export type NamedValues = ReadonlyMap<string, ConfigValue | undefined>;

export function namedValues({ files }: ConfigModule): NamedValues {
  const blocks = files.flatMap((file) => file.blocks);
  return new Map(
    blocks.flatMap(({ type, labels, body }): [string, ConfigValue | undefined][] => {
      if (type === 'locals') return [...body].map(([name, value]) => [`local.${name}`, value]);
      const hasDefault = type === 'variable' && body.has('default');
      return hasDefault ? [[`var.${labels[0] ?? ''}`, body.get('default')]] : [];
    }),
  );
}

/** Undefined if the ruleset has another phase. */
export function entryPointOf(
  name: string,
  body: ConfigObject,
  values: NamedValues,
): EntryPoint | undefined {
  const [phase, zone] = ['phase', 'zone_id'].map((field) => readArgument(body.get(field), values));
  if (phase === undefined || zone === undefined) return undefined;
  const isManaged = phase.text === MANAGED_PHASE;
  if (phase.isFixed && !isManaged) return undefined;
  // any other text of a file could look like a command in what is printed
  const isZone = zone.text === undefined || isIdentifier(zone.text.toLowerCase());
  return { name, zone: isZone ? zone : { text: undefined, isFixed: false }, isManaged };
}

export function readArgument(value: ConfigValue | undefined, values: NamedValues): Argument {
  if (!(value instanceof Expression)) return { text: stringOf(value), isFixed: true };
  const reference = referenceIn(value) ?? '';
  const text = stringOf(values.get(reference));
  return { text, isFixed: reference.startsWith('local.') && text !== undefined };
}

const REFERENCE = /^(?:"?\$\{)?\s*((?:var|local)\.[\w-]+)\s*(?:\}"?)?$/;

/** The variable or local value that an argument is. */
export function referenceIn(value: ConfigValue | undefined): string | undefined {
  return value instanceof Expression ? REFERENCE.exec(value.text)?.[1] : undefined;
}

/** A nested block of rules, which later provider versions write as a list. */
const RULES_BLOCK = /^[ \t]*rules[ \t]*\{/m;

/** The provider versions that accept the syntax of a declared ruleset; all of them if nothing shows it. */
function writtenFor({ file, block }: ResourceBlock, mayBeManaged: boolean): ProviderMajor[] {
  const { body } = block;
  const rules = objectsOf(body.get('rules'));
  const nested = rules.flatMap((rule) => [rule.get('action_parameters'), rule.get('logging')]);
  const isBlock = RULES_BLOCK.test(textOfBlock(file, block));
  const hasBlocks = isBlock || hasDynamicRules(body) || nested.some(Array.isArray);
  // Terraform JSON may write a block as an object
  const hasObjects = file.syntax === 'hcl' && !isBlock && body.has('rules');
  const overrides = nested.flatMap(objectsOf).flatMap((one) => objectsOf(one.get('overrides')));
  const logging = rules.flatMap((rule) => objectsOf(rule.get('logging')));
  const rated = ['categories', 'rules'].flatMap((name) =>
    overrides.flatMap((one) => objectsOf(one.get(name))),
  );
  const switched = [...overrides, ...rated, ...logging];
  const hasStatus = switched.some((one) => one.has('status'));
  // provider 3 accepts it, and drops it from the request (measured)
  const hasEnabled = mayBeManaged && switched.some((one) => one.has('enabled'));
  const hasRefs = rules.some((rule) => rule.has('ref'));
  // the bindings of provider 5 drop `status`, and provider 5 refuses what is left (measured)
  const hasBare = !hasObjects && rated.some((one) => one.size === 1);
  return PROVIDER_MAJORS.filter((major) => {
    const { blocks, status, refs } = providerMajors[major].syntax;
    const isOfSyntax = blocks ? !hasObjects : !hasBlocks && !hasBare;
    return isOfSyntax && !(status ? hasEnabled : hasStatus) && (refs || !hasRefs);
  });
}
