import { isIdentifier } from '../../core/identifier';
import { parseAddress, withoutKeys } from '../../core/resource-address';
import { quoteHcl } from '../../core/terraform-syntax';
import {
  namedValues,
  type NamedValues,
  onlyState,
  referenceIn,
  SELECTOR,
} from '../../project/declared-rulesets';
import {
  type ConfigObject,
  type ConfigProject,
  type ConfigValue,
  Expression,
  isList,
  isObject,
  type ReachedModule,
} from '../../tfconfig/config';
import { findBlocks, inModule, isSynthesised } from '../../tfconfig/find-blocks';
import { type StateFacts } from './facts';

/** Whether other workspaces of the folder have, or may have, legacy resources or rulesets. */
export const sharesFiles = ({
  workspace,
  hasWorkspaces = workspace !== 'default',
}: StateFacts): boolean => hasWorkspaces;

/**
 * Whether a state is, or may be, that of one of several environments: its backend has other workspaces, or its zones
 * depend on the workspace, or on what `terraform init -backend-config` selects.
 */
export function isOneEnvironment(state: StateFacts): boolean {
  if (state.hasWorkspaces === true) return true;
  const zones = openZones(state);
  return zones.length > 0 && (state.hasBackendConfig === true || isOfWorkspace(state, zones));
}

/** Another workspace can have what depends on the workspace, also if this is the default one. */
const isOfWorkspace = (state: StateFacts, zones: readonly OpenZone[]): boolean =>
  sharesFiles(state) || zones.some((one) => one.isOfWorkspace);

/**
 * The `count` that keeps the ruleset of a zone in this state, if others share its files, and the legacy blocks have
 * another zone in each; undefined if none do, or if it needs a function.
 */
export function countOf(state: StateFacts, zoneId: string): string | undefined {
  const selector = selectorOf(state, zoneId);
  const value = selector === 'terraform.workspace' ? state.workspace : zoneId;
  return selector && `${selector} == ${quoteHcl(value)} ? 1 : 0`;
}

function selectorOf(state: StateFacts, zoneId: string): string | undefined {
  const zones = openZones(state, zoneId);
  if (zones.length === 0) return undefined;
  if (isOfWorkspace(state, zones)) return WORKSPACE;
  if (state.hasBackendConfig !== true) return undefined;
  const resources = state.configuration?.project.rootModule.resources ?? [];
  const counts = resources.flatMap(({ block }) => onlyState(block.body) ?? []);
  // those of the environments that were migrated before
  const others = counts.flatMap(({ selector, value }) => (isIdentifier(value) ? selector : []));
  const own = zones.flatMap(({ selector }) => selector ?? []);
  return [...own, ...others].find((one) => SELECTOR.test(one));
}

/** A zone of legacy blocks that another state can give another value, or has no blocks of. */
interface OpenZone {
  /**
   * An expression of the root module that gives it. Absent if only another module can evaluate it, if the zone is the
   * same everywhere, and if its blocks are gone, as after the plan of another state.
   */
  readonly selector?: string | undefined;
  readonly isOfWorkspace: boolean;
}

function openZones(state: StateFacts, zoneId?: string): readonly OpenZone[] {
  const { configuration, legacyResources } = state;
  if (configuration === undefined || isSynthesised(configuration.project)) return [];
  const { project } = configuration;
  const { paths } = project;
  const own = legacyResources.filter((one) => zoneId === undefined || one.zoneId === zoneId);
  const names = openNames(project, state);
  return [...new Set(own.map(({ address }) => withoutKeys(address)))].flatMap((address) => {
    const [one] = findBlocks(project, address);
    const place = paths.get(parseAddress(address).module);
    if (one === undefined || place === undefined) return { isOfWorkspace: false };
    const { body } = one.block;
    const ofZone = argumentOf(body, 'zone_id', place).flatMap(names);
    const open = [...ofZone, ...conditionsOf(body, place, paths).flatMap(names)];
    if (open.length === 0) return [];
    const selector = ofZone.length > 0 ? inRoot(body.get('zone_id'), place.calls) : undefined;
    return { selector, isOfWorkspace: open.includes(WORKSPACE) };
  });
}

/** The conditions in `count` and `for_each` of a block, and of the calls of its module: elsewhere, it can have none. */
function conditionsOf(
  body: ConfigObject,
  place: ReachedModule,
  paths: ConfigProject['paths'],
): PlacedExpression[] {
  const calls = place.calls.flatMap(({ block }, at) => {
    const caller = paths.get(pathOf(place.calls.slice(0, at)));
    return caller === undefined ? [] : { body: block.body, caller };
  });
  return [{ body, caller: place }, ...calls].flatMap((one) =>
    ['count', 'for_each']
      .flatMap((name) => placed(one.body.get(name), one.caller))
      .filter(({ text }) => text.includes('?')),
  );
}

/** The expression of the root module that an argument is, if variables pass it from there. */
function inRoot(value: ConfigValue | undefined, calls: ReachedModule['calls']): string | undefined {
  const call = calls.at(-1);
  if (call === undefined) return value instanceof Expression ? value.text : undefined;
  const [kind, name = ''] = referenceIn(value)?.split('.') ?? [];
  return kind === 'var' ? inRoot(call.block.body.get(name), calls.slice(0, -1)) : undefined;
}

/** An expression, and the module that evaluates it. */
interface PlacedExpression {
  readonly text: string;
  readonly place: ReachedModule;
}

const WORKSPACE = 'terraform.workspace';
const REFERENCES =
  /\bterraform\.workspace\b|\b(?:var|local|data\.[\w-]+|cloudflare_zone|module\.[\w-]+)\.[\w-]+/g;
const INNERMOST_KEY = /\[[^[\]]*\]/g;
/** `module.zones[var.envs[0]].id` has the names `var.envs` and `module.zones.id`. */
function namesIn(text: string): string[] {
  const withoutKey = text.replace(INNERMOST_KEY, '');
  const texts = [text, withoutKey, withoutKey.replace(INNERMOST_KEY, '')];
  return [...new Set(texts.flatMap((one) => one.match(REFERENCES) ?? []))];
}

/** Names that are followed to a variable, one after another. */
const LONGEST_CHAIN = 1_000;

/** Finds the names that an expression depends on, and that another state can give another value. */
function openNames(
  project: ConfigProject,
  { values = new Map(), givenValues }: Pick<StateFacts, 'values' | 'givenValues'>,
): (expression: PlacedExpression) => readonly string[] {
  // each name is read once
  const known = new Map<string, readonly string[]>();
  const find = ({ text, place }: PlacedExpression, depth = 0): readonly string[] =>
    namesIn(text).flatMap((name) => {
      if (name === WORKSPACE || depth > LONGEST_CHAIN) return name;
      const address = inModule(pathOf(place.calls), name);
      if (address.startsWith('var.'))
        return values.has(name) && givenValues?.has(name) !== true ? [] : name;
      const found = known.get(address);
      if (found !== undefined) return found;
      known.set(address, []);
      const definitions = definitionOf(name, place, project, values);
      const names = [...new Set(definitions.flatMap((one) => find(one, depth + 1)))];
      known.set(address, names);
      return names;
    });
  return (expression) => find(expression);
}

/** The expressions that define a name. A zone is defined by its domain, a module that cannot be read by its arguments. */
function definitionOf(
  name: string,
  place: ReachedModule,
  { paths }: ConfigProject,
  ofRoot: NamedValues,
): PlacedExpression[] {
  const { module, calls } = place;
  const [kind = '', label = ''] = name.split('.');
  const last = name.slice(name.lastIndexOf('.') + 1);
  if (kind === 'var') {
    const caller = paths.get(pathOf(calls.slice(0, -1)));
    return caller ? argumentOf(calls.at(-1)?.block.body, last, caller) : [];
  }
  if (kind === 'local')
    return placed((calls.length === 0 ? ofRoot : namedValues(module)).get(name), place);
  if (kind === 'module') {
    const called = paths.get(inModule(pathOf(calls), `module.${label}`));
    const blocks = called?.module.files.flatMap((file) => file.blocks);
    const output = blocks?.find(({ address }) => address === `output.${last}`);
    const call = module.calls.find((one) => one.name === label);
    return called ? argumentOf(output?.body, 'value', called) : placed(call?.block.body, place);
  }
  const [source] = module.declarations.get(kind === 'data' ? name : `managed.${name}`) ?? [];
  return kind === 'data'
    ? placed(source?.block.body, place)
    : ['zone', 'name'].flatMap((domain) => argumentOf(source?.block.body, domain, place));
}

/** The expressions in an argument of a block, with those from which each instance of the block gets it. */
function argumentOf(
  body: ConfigObject | undefined,
  name: string,
  place: ReachedModule,
): PlacedExpression[] {
  const found = placed(body?.get(name), place);
  const isOfEach = found.some(({ text }) => /\beach\./.test(text));
  return isOfEach ? [...found, ...placed(body?.get('for_each'), place)] : found;
}

function placed(value: ConfigValue | undefined, place: ReachedModule): PlacedExpression[] {
  if (value instanceof Expression) return [{ text: value.text, place }];
  if (isObject(value)) return [...value.values()].flatMap((one) => placed(one, place));
  return isList(value) ? value.flatMap((one) => placed(one, place)) : [];
}

const pathOf = (calls: ReachedModule['calls']): string =>
  calls.map(({ name }) => `module.${name}`).join('.');
