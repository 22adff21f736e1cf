import { type Finding } from '../core/finding';
import { providerMajors } from '../core/provider-majors';
import { planRemoval } from './edit-configuration';
import * as finding from './findings';
import { folderHazards } from './hazards';
import {
  blockingFirewallRules,
  chooseOrder,
  declaredDataSources,
  oldResourceBlocks,
  orphanedProviders,
} from './order';
import { orderStates, sharedWithOthers, type StateSteps } from './order-states';
import { orderInput } from './orders/order-input';
import { commandsRemovingFirst } from './orders/orders';
import { checkAll } from './orders/steps';
import { type Plan, type PlanState } from './plan';
import { withDigest } from './plan-digest';
import { planStateOf } from './plan-migration';
import { type PlannedState } from './planned-state';
import { majorOf, retiredTypes } from './provider-version';
import { counted, newerThanTested, typesUnknownToProvider } from './state-findings';

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
