import { listed } from '../../core/lists';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { withoutKeys } from '../../core/resource-address';
import { blocksObstacle } from '../../terraform/terraform-version';
import { type ConfigBlock, placeOfBlock } from '../../tfconfig/config';
import { findProviderMajor, listedMajors, providerMajors } from '../../core/provider-majors';
import { isUpgradedOnly } from '../facts/derive-facts';
import { type Facts } from '../facts/facts';
import { isOneEnvironment } from '../facts/one-state';
import { knowsLegacyWaf, majorOf, precedes } from '../facts/provider-versions';
import { WITHOUT_LEGACY, reasonsToRemoveAll } from '../facts/remove-all';
import { type OrderName } from './orders';

/** The majors with the legacy WAF, in words. */
const WITH_LEGACY = listedMajors((major) => providerMajors[major].knowsLegacyWaf);

/** A row of the table in docs/plan-format.md. */
interface Row {
  readonly when: string;
  readonly holds: (facts: Facts) => boolean;
  readonly order: OrderName;
  /** The reason after "because". `{…}` is a word that {@link chooseOrder} replaces for each state. */
  readonly because: string;
}

/** All cases and their orders. The first matching row applies. */
export const orderTable: readonly Row[] = [
  {
    when: 'Only the bindings of a CDKTF program change',
    holds: isUpgradedOnly,
    order: 'upgrade',
    because: 'all stacks of a program use the bindings of one provider version',
  },
  {
    when: 'Nothing is imported or removed',
    holds: ({ isIdle }) => isIdle,
    order: 'nothing',
    because: 'nothing is imported into this state or removed from it',
  },
  {
    when: '`--method blocks`',
    holds: ({ method }) => method === 'blocks',
    order: 'blocks',
    because: `method blocks was selected, and provider ${WITH_LEGACY} forgets legacy resources without calling the legacy API`,
  },
  {
    when: 'The state has no legacy resource and imports a ruleset',
    holds: ({ state, entering }) => state.legacyResources.length === 0 && entering.length > 0,
    order: 'remove first',
    because: 'this state has no legacy resources, and imports the rulesets',
  },
  ...reasonsToRemoveAll.map(({ holds, ...reason }): Row => ({
    ...reason,
    holds: ({ state }) => holds(state),
    order: 'remove first',
  })),
  {
    when: 'The state or the configuration has legacy data sources',
    holds: ({ state, legacyBlocks }) =>
      [...state.legacyResources, ...legacyBlocks].some(({ mode }) => mode === 'data'),
    order: 'remove first',
    because: 'there are legacy data sources, and terraform import reads every data source',
  },
  {
    when: 'The ruleset refers to a legacy block',
    holds: ({ own, removal: { references } = { references: [] } }) =>
      references.some(({ from }) => own.some(({ address }) => withoutKeys(address).endsWith(from))),
    order: 'remove first',
    because: 'the ruleset refers to a legacy block, so its check would call the legacy API',
  },
  {
    when: `Provider ${WITH_LEGACY} is installed and stays`,
    holds: () => true,
    order: 'import first',
    because: `provider ${WITH_LEGACY} is installed and stays, and there is no legacy data source`,
  },
];

export function chooseOrder(facts: Facts): Pick<Row, 'order' | 'because'> {
  const row = orderTable.find(({ holds }) => holds(facts));
  if (row === undefined) throw new Error('the last row always matches');
  const { order, because } = row;
  const to = because.replace('{from}', facts.from).replace('{to}', String(majorOf(facts.to)));
  return { order, because: to.replace('{orphan}', () => firstOrphan(facts)) };
}

const UPGRADE = `set the provider version to ${providerMajors[3].last} (or a supported ${WITHOUT_LEGACY}) in required_providers, run \`terraform init -upgrade\`, then plan again`;

/** Earlier versions fail with `Import is not yet supported for Rulesets`. */
const FIRST_WITH_IMPORT = '3.29';

/** @throws MigrationError `METHOD_UNSUITABLE` if no order works for a state */
export function refuse(facts: Facts): void {
  const { state, from, to, entering, method } = facts;
  const name = `state ${printable(state.name, 80)}`;
  if (findProviderMajor(from) === undefined)
    throw unsuitable(`${name} uses provider ${from}, which is not supported`, UPGRADE);
  if (majorOf(to) < majorOf(from))
    throw unsuitable(
      `provider ${majorOf(from)} cannot go back to ${majorOf(to)}: the later version has changed the state`,
      'pass --to with the major that is installed, or a later one',
    );
  if (method === 'blocks') refuseStateOfBlocks(facts);
  if (entering.length > 0 && precedes(to, FIRST_WITH_IMPORT))
    throw unsuitable(
      `${name}: provider ${to} cannot import rulesets, ${FIRST_WITH_IMPORT} and later can`,
      UPGRADE,
    );
  if (method === 'blocks') refuseEditOfBlocks(facts);
}

function unsuitable(message: string, hint: string | undefined): MigrationError {
  return new MigrationError('METHOD_UNSUITABLE', message, { hint });
}

/** Refuses a state whose resources method blocks cannot remove. */
function refuseStateOfBlocks(facts: Facts): void {
  const { state, from, to } = facts;
  const obstacle = obstacleToBlocks(facts);
  if (obstacle === undefined) return;
  const message = `method blocks does not work for state ${printable(state.name, 80)}: ${obstacle}`;
  // method blocks needs the provider that knows the legacy types, so the major changes in a later plan
  if (majorOf(to) !== majorOf(from))
    throw unsuitable(
      message,
      `run plan --method blocks without --to, and merge and apply its pull request; then change the provider:\ncf-waf-migrate plan --to ${to}`,
    );
  const isUnknown = state.installed === undefined || state.configuration === undefined;
  throw unsuitable(message, isUnknown ? 'add this option, or omit --method' : undefined);
}

/** Refuses a change that is not one edit of the files. In a CDKTF stack the user makes the change. */
function refuseEditOfBlocks(facts: Facts): void {
  const foreign = foreignImport(facts);
  if (foreign !== undefined)
    throw unsuitable(
      `method blocks does not work: the import block in ${printable(placeOfBlock(foreign), 400)} has another id than the ruleset`,
      'remove this block, once it is applied if another workspace imports that object; or leave out --method',
    );
  if (facts.isSynthesised) return;
  const { manual = [], references = [] } = facts.removal ?? {};
  // once nothing else refers to the blocks, the edits remove their outputs too
  const others = references.filter(({ from }) => !from.startsWith('output.'));
  const named = others.length > 0 ? others : references;
  const places = new Set(named.map(({ file, line, from }) => `${from} (${file}:${line})`));
  const because = places.size === 0 ? '' : `, because of ${printable(listed([...places]), 400)}`;
  if (manual.length > 0)
    throw unsuitable(
      `method blocks does not work: these blocks must be removed by hand: ${printable(listed(manual), 400)}${because}`,
      'leave out --method; or change what refers to them, then plan again',
    );
  const undeclared = facts.imports.find(({ edit, declared }) => !edit && !declared);
  if (undeclared !== undefined)
    throw unsuitable(
      `method blocks does not work: the plan cannot declare ${printable(undeclared.address, 400)}`,
      'leave out --ruleset-id, pass another --address if its file exists, or declare the ruleset first with generate --source live',
    );
}

/** Why method blocks does not work for a state. Returns undefined if it works. */
function obstacleToBlocks(facts: Facts): string | undefined {
  const { state, from, to, orphans, isIdle, checkedAlone } = facts;
  if (state.installed === undefined) return 'the installed provider is unknown: pass --from';
  if (!knowsLegacyWaf(from) || !knowsLegacyWaf(to))
    return `provider ${majorOf(to)} does not support the legacy types`;
  const binary = blocksObstacle(state.binary);
  if (binary !== undefined) return binary;
  if (state.configuration === undefined)
    return 'its configuration is unknown: pass --dir with a folder of .tf or .tf.json files';
  if (isOneEnvironment(state))
    return 'its zone depends on the workspace or a variable, or whether it has legacy blocks, and an apply in another environment with the same files would import the rulesets there too; if there is no other, write the values into the files';
  if (!isIdle && checkedAlone !== undefined)
    return 'legacy resources of other zones stay in it, and a plan reads them';
  return orphans.length === 0
    ? undefined
    : `the configuration of ${firstOrphan(facts)} is gone, which its resources use`;
}

/** Returns the `import` block that may import another object at the address of a ruleset. */
function foreignImport({ imports, configuration }: Facts): ConfigBlock | undefined {
  return configuration?.project.rootModule.stateBlocks.find(
    ({ kind, to, id }) =>
      kind === 'import' &&
      imports.some(({ address, importId }) => address === to && importId !== id),
  )?.block;
}

function firstOrphan({ orphans: [first = ''] }: Facts): string {
  return printable(first, 200);
}
