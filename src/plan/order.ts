import { calledFolder } from '../tfconfig/config';
import { findOldBlocks } from '../tfconfig/find-blocks';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { findProviderMajor, providerMajors, type TerraformVersion } from '../core/provider-majors';
import { oldWafTypes } from '../tfstate/legacy-waf-types';
import { blocks, commands, commandsRemovingFirst, type Order } from './orders';
import { type Method } from './plan';
import { type Configuration } from '../project/read-configuration';
import { type OwnedRuleset, type PlannedState } from './facts';
import { majorOf, precedes } from './provider-versions';

/** An order of the steps, the facts that chose it, and what follows from them. */
export interface ChosenOrder {
  readonly steps: Order;
  readonly because: string;
  readonly method: Method;
  readonly from: string;
  readonly to: string;
  /**
   * Whether every legacy resource of the state has to be removed, also those of zones that were not selected:
   * a provider from 4 on cannot plan while one is there. Else data sources and those of the selected zones.
   */
  readonly leavesAll: boolean;
  /** Rulesets of the state that are removed, and imported again by the provider of the plan. */
  readonly reimported: readonly OwnedRuleset[];
}

interface Facts {
  readonly state: PlannedState;
  readonly from: string;
  readonly to: string;
  readonly reimported: readonly OwnedRuleset[];
}

interface Row {
  readonly when: (facts: Facts) => boolean;
  readonly because: (facts: Facts) => string;
  readonly steps: Order;
  readonly leavesAll: boolean;
}

const removeFirst = { steps: commandsRemovingFirst, leavesAll: true };

/** The orders of commands: the first row that holds is taken. */
const table: readonly Row[] = [
  {
    ...removeFirst,
    when: ({ state }) => state.installed === undefined,
    because: () =>
      'which provider is installed is not known, and removing first works with each of them',
  },
  {
    ...removeFirst,
    when: ({ from, to, reimported }) => majorOf(to) > majorOf(from) && reimported.length > 0,
    because: ({ to }) =>
      `the provider changes to ${majorOf(to)}: rulesets are removed from the state and imported again, which depends on no state upgrade`,
  },
  {
    ...removeFirst,
    when: ({ reimported }) => reimported.length > 0,
    because: ({ to }) =>
      `provider 3 or 4 wrote rulesets of this state, which not every provider ${majorOf(to)} can read: they are removed and imported again`,
  },
  {
    ...removeFirst,
    when: ({ from }) => !knowsOldWaf(from),
    because: ({ from }) =>
      `provider ${majorOf(from)} is installed, which cannot plan while old resources are in the state`,
  },
  {
    ...removeFirst,
    when: ({ to }) => !knowsOldWaf(to),
    because: ({ to }) =>
      `the provider changes to ${majorOf(to)}, which cannot plan while old resources are in the state`,
  },
  {
    ...removeFirst,
    when: ({ state }) => state.oldResources.length === 0,
    because: () => 'this state holds nothing old',
  },
  {
    ...removeFirst,
    when: ({ state }) => orphanedProviders(state).size > 0,
    because: ({ state }) =>
      `the configuration of ${firstOrphan(state)} is gone, and terraform import needs it for what is bound to it`,
  },
  {
    ...removeFirst,
    // import reads data sources, and nothing else (3.35, measured)
    leavesAll: false,
    when: ({ state }) => dataSources(state).length > 0,
    because: ({ state }) =>
      `the state holds ${dataSources(state).length} legacy data sources, and terraform import reads every data source`,
  },
  {
    ...removeFirst,
    leavesAll: false,
    when: ({ state }) => declaredDataSources(state) > 0,
    because: ({ state }) =>
      `the configuration declares ${declaredDataSources(state)} legacy data sources, and terraform import reads every data source`,
  },
  {
    steps: commands,
    leavesAll: false,
    when: () => true,
    because: () => 'provider 3 is installed and stays, and no old data source is in the way',
  },
];

/**
 * Chooses the order for one state by facts (docs/plan-format.md lists them).
 * @throws MigrationError `METHOD_UNSUITABLE`
 */
export function chooseOrder(state: PlannedState, method: Method | 'auto' = 'auto'): ChosenOrder {
  // the version that declared the old resources: no later one knows them
  const from = state.installed ?? providerMajors[3].last;
  const to = state.wanted ?? from;
  if (findProviderMajor(from) === undefined) {
    throw unsuitable(`${named(state)} uses provider ${from}, which is not supported`, upgradeHint);
  }
  if (majorOf(to) < majorOf(from)) {
    throw unsuitable(
      `there is no way from provider ${majorOf(from)} back to ${majorOf(to)}: a later major has changed the entries of the state`,
      'pass --to with the major that is installed, or a later one',
    );
  }
  if (method === 'blocks') return blocksOrder(state, from, to);
  const reimported = rulesetsToImportAgain(state, from, to);
  const facts = { state, from, to, reimported };
  const row = table.find(({ when }) => when(facts));
  if (row === undefined) throw new Error('the last row holds always');
  const { steps, leavesAll, because } = row;
  return { steps, leavesAll, because: because(facts), method: 'commands', from, to, reimported };
}

/** Earlier ones refuse it: `Import is not yet supported for Rulesets`. */
const FIRST_WITH_IMPORT = '3.29.0';

const upgradeHint = `set the provider version to ${providerMajors[3].last} (or a supported 4 or 5) in required_providers, run \`terraform init -upgrade\`, then plan again`;

/** @throws MigrationError `METHOD_UNSUITABLE` where the provider that is to import a ruleset cannot */
export function requireImport(state: PlannedState, { to }: ChosenOrder): void {
  if (!precedes(to, FIRST_WITH_IMPORT)) return;
  throw unsuitable(
    `${named(state)}: provider ${to} cannot import rulesets, ${FIRST_WITH_IMPORT} and later can`,
    upgradeHint,
  );
}

/**
 * The order of blocks, where every fact allows it.
 * @throws MigrationError `METHOD_UNSUITABLE` with the fact that does not
 */
function blocksOrder(state: PlannedState, from: string, to: string): ChosenOrder {
  const obstacle = obstacleToBlocks(state, from, to);
  if (obstacle !== undefined) {
    throw unsuitable(
      `method blocks does not work for ${named(state)}: ${obstacle}`,
      // blocks are planned under the provider that knows the legacy types; the next major follows
      majorOf(to) === majorOf(from)
        ? undefined
        : `run plan --method blocks without --to, and merge and apply its pull request; then change the provider: cf-waf-migrate plan --to ${to}`,
    );
  }
  const because =
    'it was asked for, and provider 3 forgets old resources without asking the old interfaces';
  return { steps: blocks, because, method: 'blocks', from, to, leavesAll: true, reimported: [] };
}

function obstacleToBlocks(state: PlannedState, from: string, to: string): string | undefined {
  if (state.installed === undefined) return 'which provider is installed is not known: pass --from';
  if (!knowsOldWaf(from) || !knowsOldWaf(to))
    return `provider ${majorOf(to)} does not know the types that are to go`;
  const binary = binaryObstacle(state.binary);
  if (binary !== undefined) return binary;
  if (state.configuration === undefined)
    return 'its configuration is not known: pass --dir with a folder of .tf or .tf.json files';
  return orphanedProviders(state).size === 0
    ? undefined
    : `the configuration of ${firstOrphan(state)} is gone, which its resources are bound to`;
}

/** Terraform has `removed` since 1.7. OpenTofu reads what it forgets (1.12.6, measured), and the legacy API is gone. */
export function binaryObstacle(binary: TerraformVersion | undefined): string | undefined {
  if (binary === undefined) return undefined;
  const { product, major, minor, text } = binary;
  if (product === 'OpenTofu')
    return `${product} ${text} reads a resource before \`removed\` forgets it, and the legacy API does not answer after the migration`;
  return major > 1 || (major === 1 && minor >= 7)
    ? undefined
    : `${product} ${text} does not support \`removed\` blocks (1.7 or later does)`;
}

/**
 * All of them where the major changes, and those of an earlier major under provider 5: its state upgrade fails for
 * some versions (3.35.0 under 5.22.0, 4.52.8 under 5.19 to 5.21.1, 4.52.9 under 5.22.0).
 */
function rulesetsToImportAgain(
  { rulesets }: PlannedState,
  from: string,
  to: string,
): readonly OwnedRuleset[] {
  if (majorOf(to) > majorOf(from)) return rulesets;
  return majorOf(to) < 5 ? [] : rulesets.filter(({ precedesFive }) => precedesFive);
}

function knowsOldWaf(version: string): boolean {
  return providerMajors[majorOf(version)].knowsOldWaf;
}

/** Firewall rules whose entries a version of the provider cannot read; it reads filters (measured). */
export function blockingFirewallRules(
  { retired }: PlannedState,
  version: string,
): PlannedState['retired'] {
  return providerMajors[majorOf(version)].plansFirewallRules
    ? []
    : retired.filter(({ type }) => type === 'cloudflare_firewall_rule');
}

function dataSources({ oldResources }: PlannedState): PlannedState['oldResources'] {
  return oldResources.filter(({ mode }) => mode === 'data');
}

/** How many legacy data sources the configuration of a state declares. */
export function declaredDataSources({ configuration }: PlannedState): number {
  return declaredOld(configuration).filter(({ mode }) => mode === 'data').length;
}

/** Legacy resources that a configuration declares: what each is called in its module. */
export function oldResourceBlocks(configuration: Configuration | undefined): string[] {
  return declaredOld(configuration)
    .filter(({ mode }) => mode === 'managed')
    .map(({ block }) => block.address);
}

/** All that a later provider does not know: data sources too. */
export function allOldBlocks(configuration: Configuration | undefined): string[] {
  return declaredOld(configuration).map(({ block }) => block.address);
}

const declaredOld = (configuration: Configuration | undefined) =>
  configuration === undefined
    ? []
    : findOldBlocks(configuration.project, { old: oldWafTypes, retired: [] }).old;

/**
 * Provider configurations that legacy resources are bound to and that the configuration no longer has, by their
 * addresses in the state, with these resources: a `removed` block fails there ("Provider configuration not present",
 * measured).
 */
export function orphanedProviders({
  configuration,
  oldResources,
}: PlannedState): ReadonlyMap<string, readonly string[]> {
  const orphans = new Map<string, string[]>();
  if (configuration === undefined) return orphans;
  const { project } = configuration;
  for (const { address, provider, mode } of oldResources) {
    if (provider === undefined || mode === 'data') continue;
    const { module, alias, text } = provider;
    // the default configuration of the root exists also where no block declares it
    if (module === '' && alias === undefined) continue;
    const calls = module === '' ? [] : module.replace(/^module\./, '').split('.module.');
    const dir = calls.reduce<string | undefined>((at, name) => {
      if (at === undefined) return undefined;
      const call = project.modules.get(at)?.calls.find((one) => one.name === name);
      return call === undefined ? undefined : calledFolder(at, call.source);
    }, project.root);
    const providers = dir === undefined ? [] : (project.modules.get(dir)?.providers ?? []);
    if (providers.some((one) => one.alias === alias)) continue;
    const bound = orphans.get(text);
    if (bound === undefined) orphans.set(text, [address]);
    else bound.push(address);
  }
  return orphans;
}

function firstOrphan(state: PlannedState): string {
  return printable([...orphanedProviders(state).keys()][0] ?? '', 200);
}

function named({ name }: PlannedState): string {
  return `state ${printable(name, 80)}`;
}

function unsuitable(message: string, hint: string | undefined): MigrationError {
  return new MigrationError('METHOD_UNSUITABLE', message, hint === undefined ? {} : { hint });
}
