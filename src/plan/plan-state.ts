import { type Finding } from '../core/finding';
import { providerMajors, type ProviderFacts } from '../core/provider-majors';
import { planRemoval, type PlannedRemoval } from './edit-configuration';
import * as finding from './findings';
import { folderHazards, counted, newerThanTested, typesUnknownToProvider } from './report-facts';
import {
  blockingFirewallRules,
  chooseOrder,
  declaredDataSources,
  oldResourceBlocks,
  orphanedProviders,
  type ChosenOrder,
} from './order';
import { orderStates, sharedWithOthers, type StateSteps } from './order-states';
import { commandsRemovingFirst } from './orders';
import { checkAll, type OrderInput, type PlannedImport } from './steps';
import { type Plan, type PlanState, withDigest, backupFile } from './plan';
import { type PlannedState, type OwnedRuleset, type PlannedZone } from './facts';
import { majorOf, retiredTypes } from './provider-versions';
import { type ConfigBlock } from '../tfconfig/config';
import { type FileEdit, planNewFile } from '../tfconfig/plan-edit';
import { isSynthesised } from '../tfconfig/synthesised';
import { withoutKeys, parseAddress } from '../core/resource-address';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';

/**
 * Without a zone: what in these states keeps Terraform from planning, and the shortest way out. Only
 * that leaves; no ruleset is imported but those that have to be read anew. Pure.
 */
export function planUnblocking(states: readonly PlannedState[]): Plan {
  const planned = states.map((state) => unblock(state, states.length === 1));
  return withDigest({
    format: 'cf-waf-migrate/plan',
    formatVersion: 1,
    zones: [],
    states: planned.map(({ planned: state }) => state),
    steps: orderStates(planned),
    findings: [...planned.flatMap(({ findings }) => findings), ...sharedWithOthers(planned)],
  });
}

interface Unblocked extends StateSteps {
  readonly planned: PlanState;
  readonly findings: readonly Finding[];
}

function unblock(state: PlannedState, isAlone: boolean): Unblocked {
  const { configuration, oldResources } = state;
  const { from, ...order } = chooseOrder({ ...state, wanted: undefined });
  const chosen = { ...order, from, to: from };
  const blockages = blockedBy(state);
  const unknown = typesUnknownToProvider(state, from);
  if (blockages.length === 0) {
    const because = 'nothing in it keeps Terraform from planning';
    return {
      state,
      planned: planStateOf(state, { ...chosen, method: 'commands', because }),
      steps: [],
      checks: [checkAll(state)],
      findings: unknown.length > 0 ? unknown : [finding.nothingBlocks(state.name)],
    };
  }
  // a firewall rule refers to its filter: they leave together
  const retired = blockingFirewallRules(state, from).length === 0 ? [] : state.retired;
  const leaving = [...new Set([...oldResources, ...retired].map(({ address }) => address))];
  const types = retired.length === 0 ? [] : retiredTypes(from);
  const departure = { leaving, kept: new Set<string>(), all: true, retired: types, isAlone };
  const removal = configuration && planRemoval(configuration, departure);
  const because = 'no zone was asked for: only what keeps Terraform from planning leaves the state';
  return {
    state,
    planned: planStateOf(state, { ...chosen, method: 'commands', because }),
    steps: commandsRemovingFirst(
      orderInput(state, chosen, { leaving, staying: undefined, imports: [], removal }),
    ),
    checks: [],
    findings: [
      finding.planningBlocked(state.name, { names: blockages }),
      ...newerThanTested(state, chosen),
      ...folderHazards(state),
      ...(removal?.findings ?? []),
      ...(retired.length === 0
        ? []
        : [finding.firewallRulesLeave(retired.map(({ address }) => address).join(', '))]),
      ...unknown,
    ],
  };
}

/** What keeps Terraform from planning (measured, 3.35 to 5.22). */
function blockedBy(state: PlannedState): string[] {
  const { oldResources, installed, configuration, rulesets } = state;
  const managed = oldResources.filter(({ mode }) => mode === 'managed');
  // provider 3 takes what is declared alone for resources to create, and asks nobody before that
  const isUnknown = installed !== undefined && !providerMajors[majorOf(installed)].knowsOldWaf;
  const declared = isUnknown && managed.length === 0 ? oldResourceBlocks(configuration) : [];
  const data = declaredDataSources(state);
  const isFive = installed !== undefined && majorOf(installed) === 5;
  const unread = [
    ...(installed === undefined ? [] : blockingFirewallRules(state, installed)),
    ...(isFive ? rulesets.filter(({ precedesFive }) => precedesFive) : []),
  ];
  return [
    ...(declared.length === 0
      ? []
      : [`${declared.length} legacy resources that only files declare`]),
    ...counted(managed.map(({ type }) => type)),
    ...(data === 0 ? [] : [`${data} legacy data sources`]),
    ...(unread.length === 0 ? [] : [finding.shortList(unread.map(({ address }) => address))]),
    ...[...orphanedProviders(state)].map(
      ([provider, { length }]) => `${length} resources bound to ${provider}, which is gone`,
    ),
  ];
}

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

/** A state as it was when the plan was made. */
export function planStateOf(
  { name, dir, workspace, dataDir, lineage, serial, terraformVersion }: PlannedState,
  { from, to, because, method }: Pick<ChosenOrder, 'from' | 'to' | 'because' | 'method'>,
): PlanState {
  const data = dataDir === undefined ? {} : { dataDir };
  const place = { name, dir, workspace, ...data, lineage, serial, terraformVersion };
  return { ...place, provider: { from, to }, method, because };
}
