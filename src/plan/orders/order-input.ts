import { type ConfigBlock } from '../../tfconfig/config-file';
import { type FileEdit, planNewFile } from '../../tfconfig/plan-edit';
import { isSynthesised } from '../../tfconfig/generated-blocks';
import { withoutKeys } from '../../tfconfig/resource-address';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { type ProviderFacts, providerMajors } from '../../core/provider-majors';
import { parseAddress } from '../../tfstate/address';
import { backupFile } from '../backup-file';
import { type ChosenOrder } from '../order';
import { type PlannedRemoval } from '../edit-configuration';
import { type OrderInput, type PlannedImport } from './steps';
import { type OwnedRuleset, type PlannedState, type PlannedZone } from '../planned-state';
import { majorOf } from '../provider-version';

/**
 * Method blocks is one edit: a part of it that only the user can do leaves nothing to review.
 * @throws MigrationError `METHOD_UNSUITABLE`
 */
export function requireEdits(input: OrderInput): void {
  const { removal, imports, isSynthesised: isWritten } = input;
  const refuse = (why: string, hint: string): never => {
    const message = `method blocks does not work: ${printable(why, 500)}`;
    throw new MigrationError('METHOD_UNSUITABLE', message, { hint });
  };
  const foreign = foreignImport(input);
  if (foreign !== undefined) {
    refuse(
      `the import block in ${foreign.file}:${foreign.range.startLine} takes another object in where the ruleset is to be`,
      'where another workspace of a local backend has taken that one in, plan that workspace once more and carry the plan out: it takes the block out, and leaves the removed blocks that others need; else take this block alone out yourself, or leave out --method',
    );
  }
  // there the user makes the change, and pull requests hold it all the same
  if (isWritten) return;
  const reference = removal?.findings.find(({ code }) => code === 'BLOCK_REFERENCED');
  if (reference !== undefined) {
    refuse(
      `in ${reference.subject} ${reference.message}`,
      'change or delete each such reference, then plan again; without --method all of them are named, and the order is chosen by facts',
    );
  }
  const [byHand] = removal?.manual ?? [];
  if (byHand !== undefined)
    refuse(`${byHand} has to be taken out by hand`, 'leave out --method, then plan again');
  const undeclared = imports.find(({ edit, declared }) => edit === undefined && !declared);
  if (undeclared !== undefined) {
    refuse(
      `the plan cannot declare ${undeclared.address}`,
      'leave out --ruleset-id, or pass another --address where its file is there, or declare it first with generate --source live',
    );
  }
}

/**
 * The `import` block that takes another object in at the address of a ruleset; one by an expression may be the own,
 * and `zones/` is `zone/` to provider 3 (3.35, measured).
 */
function foreignImport({ imports, configuration }: OrderInput): ConfigBlock | undefined {
  const foreign = configuration?.project.rootModule.stateBlocks.find(({ to, id }) =>
    imports.some(
      ({ address, importId }) =>
        address === to &&
        /^\w+\/\w+\/\w+$/.test(String(id)) &&
        String(id).replace('zones/', 'zone/') !== importId,
    ),
  );
  return foreign?.block;
}

function isCdktf({ configuration }: PlannedState): boolean {
  return configuration !== undefined && isSynthesised(configuration.project);
}

/** What leaves and what enters a state. */
interface Moving {
  /** Addresses that leave the state. */
  readonly leaving: readonly string[];
  readonly staying: OrderInput['staying'];
  readonly imports: readonly PlannedZone[];
  readonly removal: PlannedRemoval | undefined;
}

/**
 * What the orders arrange, for one state.
 * @throws MigrationError `ADDRESS_INVALID`
 */
export function orderInput(
  state: PlannedState,
  { from, to, reimported }: ChosenOrder,
  moving: Moving,
): OrderInput {
  const { leaving, staying, imports, removal } = moving;
  // Terraform lists names that begin with a digit, and removes none of them
  for (const address of leaving) parseAddress(address);
  const { importId } = providerMajors[majorOf(to)];
  return {
    exists: state.exists,
    dir: state.dir,
    configuration: state.configuration,
    isSynthesised: isCdktf(state),
    backup: backupFile(state, state.serial),
    leaving: [...leaving, ...reimported.map(({ address }) => address)],
    staying,
    blocks: [...new Set(leaving.map(withoutKeys))],
    removal,
    imports: [
      ...reimported.map((ruleset) => again(ruleset, importId)),
      ...imports.map((zone) => ({
        ...zone,
        importId: importId(zone.zoneId, zone.rulesetId),
        declared: state.declared.some(({ address }) => address === zone.address),
        edit: declarationEdit(state, zone),
      })),
    ],
    provider: majorOf(to),
    upgradeTo: majorOf(to) > majorOf(from) ? to : undefined,
  };
}

/** A ruleset that is imported again at its address, where the configuration declares it. */
function again(
  { address, id = '', zoneId, accountId = '' }: OwnedRuleset,
  ofZone: ProviderFacts['importId'],
): PlannedImport {
  const importId = zoneId === undefined ? `accounts/${accountId}/${id}` : ofZone(zoneId, id);
  return { zoneId: zoneId ?? accountId, rulesetId: id, address, importId, declared: true };
}

/** The edit that writes the ruleset, where its text is known and no file of the name is there. */
function declarationEdit(
  state: PlannedState,
  { declaration, address }: PlannedZone,
): FileEdit | undefined {
  const { dir, configuration, declared } = state;
  if (isCdktf(state)) return undefined;
  if (declared.some((one) => one.address === address)) return undefined;
  if (declaration === undefined || configuration === undefined) return undefined;
  const path = dir === '.' ? declaration.path : `${dir}/${declaration.path}`;
  const { files } = configuration.project.rootModule;
  return files.some((file) => file.path === path) ? undefined : planNewFile(path, declaration.text);
}
