import { isIdentifier } from '../../core/identifier';
import { parseAddress, withoutKeys } from '../../core/resource-address';
import { quoteHcl } from '../../core/terraform-syntax';
import { onlyState, referenceIn, SELECTOR } from '../../project/declared-rulesets';
import {
  type ConfigObject,
  type ConfigValue,
  Expression,
  type ModuleCall,
  stringOf,
  textOfBlock,
} from '../../tfconfig/config';
import { findBlocks, isSynthesised } from '../../tfconfig/find-blocks';
import { type StateFacts } from './facts';

/** Whether other workspaces of the folder have, or may have, legacy resources or rulesets. */
export function sharesFiles({
  workspace,
  otherWorkspaces,
  importedElsewhere,
}: Pick<StateFacts, 'workspace' | 'otherWorkspaces' | 'importedElsewhere'>): boolean {
  // those of a remote backend are not read
  if (importedElsewhere === undefined) return workspace !== 'default';
  return otherWorkspaces.length + importedElsewhere.length > 0;
}

/** Whether the backend is local, so that the states of its other workspaces were read. */
export const isLocalBackend = ({ importedElsewhere }: StateFacts): boolean =>
  importedElsewhere !== undefined;

/**
 * Whether a state is that of one of several environments, which have other zones: `terraform init -backend-config`, or a
 * workspace of a remote backend, whose others are not read.
 */
export function isOneEnvironment(state: StateFacts): boolean {
  const isRemoteWorkspace = !isLocalBackend(state) && sharesFiles(state);
  return (state.hasBackendConfig === true || isRemoteWorkspace) && openZones(state).length > 0;
}

/**
 * The `count` that keeps the ruleset of a zone in this state, if others share its files, and the legacy blocks have
 * another zone in each; undefined if none do, or if it needs a function.
 */
export function countOf(state: StateFacts, zoneId: string): string | undefined {
  const selector = selectorOf(state, zoneId);
  const value = selector === 'terraform.workspace' ? state.workspace : zoneId;
  return selector && `${selector} == ${quoteHcl(value)} ? 1 : 0`;
}

/** The variable that the `count` of a zone compares, if it has another value here: Terraform could not import the ruleset. */
export function variableOfOtherZone(state: StateFacts, zoneId: string): string | undefined {
  const selector = selectorOf(state, zoneId) ?? '';
  const value = stringOf(state.values?.get(selector));
  return value === undefined || value === zoneId ? undefined : selector;
}

function selectorOf(state: StateFacts, zoneId: string): string | undefined {
  const isShared = sharesFiles(state);
  if (!isShared && state.hasBackendConfig !== true) return undefined;
  const zones = openZones(state, zoneId);
  if (zones.length === 0) return undefined;
  if (isShared) return 'terraform.workspace';
  const resources = state.configuration?.project.rootModule.resources ?? [];
  const counts = resources.flatMap(({ block }) => onlyState(block.body) ?? []);
  // those of the environments that were migrated before
  const others = counts.flatMap(({ selector, value }) => (isIdentifier(value) ? selector : []));
  return [...zones, ...others].find((one) => SELECTOR.test(one));
}

/**
 * The zones of legacy blocks that another state can give another value: expressions of the root module, and `''` for
 * those that only another module can evaluate, and for blocks that are gone, as after the plan of another state.
 */
function openZones(state: StateFacts, zoneId?: string): readonly string[] {
  const { configuration, legacyResources } = state;
  if (configuration === undefined || isSynthesised(configuration.project)) return [];
  const { project } = configuration;
  const own = legacyResources.filter((one) => zoneId === undefined || one.zoneId === zoneId);
  return [...new Set(own.map(({ address }) => withoutKeys(address)))].flatMap((address) => {
    const [one] = findBlocks(project, address);
    if (one === undefined) return '';
    const calls = project.paths.get(parseAddress(address).module)?.calls ?? [];
    const { value, body, isOfRoot } = inRoot(one.block.body, 'zone_id', calls);
    if (!(value instanceof Expression)) return [];
    // each instance gets its zone from for_each
    const each = /\beach\./.test(value.text) ? body.get('for_each') : undefined;
    const texts = [value, each].map((one) => (one instanceof Expression ? one.text : ''));
    if (!texts.some((text) => isOpen(text, state))) return [];
    return isOfRoot ? value.text : '';
  });
}

interface ZoneArgument {
  readonly value: ConfigValue | undefined;
  /** The block that has it. */
  readonly body: ConfigObject;
  readonly isOfRoot: boolean;
}

/** What the calls of a module pass for an argument of a block that is a variable, and whether the root module passes it. */
function inRoot(body: ConfigObject, argument: string, calls: readonly ModuleCall[]): ZoneArgument {
  const value = body.get(argument);
  const call = calls.at(-1);
  const [kind, name = ''] = referenceIn(value)?.split('.') ?? [];
  if (call === undefined || kind !== 'var') return { value, body, isOfRoot: call === undefined };
  return inRoot(call.block.body, name, calls.slice(0, -1));
}

const REFERENCES = /\bterraform\.workspace\b|\b(?:var|local|data\.[\w-]+|cloudflare_zone)\.[\w-]+/g;
/** Names that are read to find a variable. */
const MOST_READ = 1_000;

/** Whether an expression of the root module depends on the workspace, or on a variable that the files do not set. */
function isOpen(text: string, state: StateFacts, seen = new Set<string>()): boolean {
  const { values, givenValues, configuration } = state;
  const { declarations } = configuration?.project.rootModule ?? {};
  return (text.match(REFERENCES) ?? []).some((name) => {
    if (name === 'terraform.workspace' || seen.size > MOST_READ) return true;
    if (seen.has(name)) return false;
    seen.add(name);
    if (name.startsWith('var.'))
      return values?.has(name) !== true || givenValues?.has(name) === true;
    const value = values?.get(name);
    if (value instanceof Expression) return isOpen(value.text, state, seen);
    const [zone] = declarations?.get(`managed.${name}`) ?? [];
    const domain = zone?.block.body.get('zone') ?? zone?.block.body.get('name');
    if (domain instanceof Expression) return isOpen(domain.text, state, seen);
    const [source] = declarations?.get(name) ?? [];
    return source !== undefined && isOpen(textOfBlock(source.file, source.block), state, seen);
  });
}
