import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { findProviderMajor, type ProviderMajor, providerMajors } from '../model/provider-majors';
import { blocks } from './orders/blocks';
import { commands } from './orders/commands';
import { type TerraformVersion } from '../model/terraform-version';
import { commandsRemovingFirst } from './orders/commands-removing-first';
import { type OrderInput } from './orders/order';
import { type Method, type StepDraft } from './plan';
import { oldDataSources } from './old-data-sources';
import { orphanedProvider } from './orphaned-provider';
import { type OwnedRuleset, type PlannedState } from './planned-state';
import { majorOf, precedes } from './provider-version';

/** An order of the steps, the facts that chose it, and what follows from them. */
export interface ChosenOrder {
  readonly steps: (input: OrderInput) => StepDraft[];
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

/** Earlier ones refuse it: `Import is not yet supported for Rulesets`. */
const FIRST_WITH_IMPORT = '3.29.0';

const upgradeHint = `set the provider version to ${providerMajors[3].last} (or a supported 4 or 5) in required_providers, run \`terraform init -upgrade\`, then plan again`;

/** @throws MigrationError `METHOD_UNSUITABLE` where the provider that is to import a ruleset cannot */
export function requireImport({ name }: PlannedState, { to }: ChosenOrder): void {
  if (!precedes(to, FIRST_WITH_IMPORT)) return;
  throw new MigrationError(
    'METHOD_UNSUITABLE',
    `state ${printable(name, 80)}: provider ${to} cannot import rulesets, ${FIRST_WITH_IMPORT} and later can`,
    { hint: upgradeHint },
  );
}

/** The version that declared the old resources: no later one knows them. */
const LAST_WITH_OLD_WAF = providerMajors[3].last;

/**
 * Chooses the order for one state by facts (docs/plan-format.md lists them).
 * @throws MigrationError `METHOD_UNSUITABLE`
 */
export function chooseOrder(state: PlannedState, method: Method | 'auto' = 'auto'): ChosenOrder {
  const from = state.installed ?? LAST_WITH_OLD_WAF;
  if (findProviderMajor(from) === undefined) {
    throw new MigrationError(
      'METHOD_UNSUITABLE',
      `state ${printable(state.name, 80)} uses provider ${from}, which is not supported`,
      { hint: upgradeHint },
    );
  }
  const to = state.wanted ?? from;
  if (majorOf(to) < majorOf(from)) {
    throw new MigrationError(
      'METHOD_UNSUITABLE',
      `there is no way from provider ${majorOf(from)} back to ${majorOf(to)}: a later major has changed the entries of the state`,
      { hint: 'pass --to with the major that is installed, or a later one' },
    );
  }
  if (method === 'blocks') return blocksOrder(state, from, to);
  const reimported = rulesetsToImportAgain(state, from, to);
  const removing = (because: string): ChosenOrder => ({
    steps: commandsRemovingFirst,
    method: 'commands',
    because,
    from,
    to,
    leavesAll: true,
    reimported,
  });
  if (state.installed === undefined) {
    return removing(
      'which provider is installed is not known, and removing first works with each of them',
    );
  }
  const major = majorOf(from);
  const target = majorOf(to);
  if (target > major && reimported.length > 0) {
    return removing(
      `the provider changes to ${target}: rulesets are removed from the state and imported again, which depends on no state upgrade`,
    );
  }
  if (reimported.length > 0) {
    return removing(
      `provider 3 or 4 wrote rulesets of this state, which not every provider ${target} can read: they are removed and imported again`,
    );
  }
  if (!knowsOldWaf(major)) {
    return removing(
      `provider ${major} is installed, which cannot plan while old resources are in the state`,
    );
  }
  if (!knowsOldWaf(target)) {
    return removing(
      `the provider changes to ${target}, which cannot plan while old resources are in the state`,
    );
  }
  if (state.oldResources.length === 0) return removing('this state holds nothing old');
  const orphan = orphanedProvider(state);
  if (orphan !== undefined) {
    return removing(
      `the configuration of ${printable(orphan, 200)} is gone, and terraform import needs it for what is bound to it`,
    );
  }
  const data = state.oldResources.filter(({ mode }) => mode === 'data').length;
  const declared = state.configuration === undefined ? 0 : oldDataSources(state.configuration);
  if (data + declared > 0) {
    const order = removing(
      data > 0
        ? `the state holds ${data} legacy data sources, and terraform import reads every data source`
        : `the configuration declares ${declared} legacy data sources, and terraform import reads every data source`,
    );
    // import reads nothing else (3.35, measured)
    return { ...order, leavesAll: false };
  }
  return {
    steps: commands,
    method: 'commands',
    because: 'provider 3 is installed and stays, and no old data source is in the way',
    from,
    to,
    leavesAll: false,
    reimported,
  };
}

function knowsOldWaf(major: ProviderMajor): boolean {
  return providerMajors[major].knowsOldWaf;
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

/**
 * The order of blocks, where every fact allows it.
 * @throws MigrationError `METHOD_UNSUITABLE` with the fact that does not
 */
function blocksOrder(state: PlannedState, from: string, to: string): ChosenOrder {
  const obstacle = obstacleToBlocks(state, from, to);
  if (obstacle !== undefined) {
    const place = `state ${printable(state.name, 80)}`;
    throw new MigrationError(
      'METHOD_UNSUITABLE',
      `method blocks does not work for ${place}: ${obstacle}`,
      majorOf(to) === majorOf(from) ? {} : { hint: twoSteps(to) },
    );
  }
  const because =
    'it was asked for, and provider 3 forgets old resources without asking the old interfaces';
  return { steps: blocks, because, method: 'blocks', from, to, leavesAll: true, reimported: [] };
}

/** Blocks are planned under the provider that knows the legacy types; the next major follows. */
function twoSteps(to: string): string {
  return `run plan --method blocks without --to, and merge and apply its pull request; then change the provider: cf-waf-migrate plan --to ${to}`;
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

function obstacleToBlocks(state: PlannedState, from: string, to: string): string | undefined {
  if (state.installed === undefined) return 'which provider is installed is not known: pass --from';
  if (!knowsOldWaf(majorOf(from)) || !knowsOldWaf(majorOf(to)))
    return `provider ${majorOf(to)} does not know the types that are to go`;
  const binary = binaryObstacle(state.binary);
  if (binary !== undefined) return binary;
  if (state.configuration === undefined)
    return 'its configuration is not known: pass --dir with a folder of .tf or .tf.json files';
  const orphan = orphanedProvider(state);
  return orphan === undefined
    ? undefined
    : `the configuration of ${printable(orphan, 200)} is gone, which its resources are bound to`;
}
