import { type Finding } from '../model/finding';
import { printable } from '../model/printable';
import { blockedBy, blockingFirewallRules } from './blocked-by';
import { chooseOrder, type ChosenOrder } from './choose-order';
import { type Departure, planRemoval, type PlannedRemoval } from './edit-configuration';
import { folderHazards } from './folder-hazards';
import { orderInput } from './order-input';
import { checkAll } from './orders/draft-steps';
import { commandsRemovingFirst } from './orders/commands-removing-first';
import { orderStates } from './order-states';
import { type Plan, type PlanState } from './plan';
import * as finding from './plan-findings';
import { withDigest } from './plan-digest';
import { type PlannedState } from './planned-state';
import { sharedWithOthers, type StateSteps } from './shared-files';
import { retiredTypes } from './retired-types';
import { withoutForgotten } from './without-forgotten';

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
  const chosen = chooseOrder({ ...state, wanted: undefined });
  const blockages = blockedBy(state);
  const unknown = finding.typesUnknownToProvider(state, chosen.to);
  if (blockages.length === 0) {
    return {
      state,
      planned: planStateOf(state, chosen, 'nothing in it keeps Terraform from planning'),
      steps: [],
      checks: [checkAll(state)],
      findings: unknown.length > 0 ? unknown : [nothingBlocks(state)],
    };
  }
  // a firewall rule refers to its filter: they leave together
  const retired = blockingFirewallRules(state, chosen.to).length === 0 ? [] : state.retired;
  const leaving = [...new Set([...state.oldResources, ...retired].map(({ address }) => address))];
  const types = retired.length === 0 ? [] : retiredTypes(chosen.to);
  const removal = removalOf(state, { leaving, isAlone, retired: types });
  const input = orderInput(state, chosen, { leaving, staying: undefined, imports: [], removal });
  const steps = commandsRemovingFirst(input);
  return {
    state,
    planned: planStateOf(
      state,
      chosen,
      'no zone was asked for: only what keeps Terraform from planning leaves the state',
    ),
    steps,
    checks: [],
    findings: [
      ...blockages.map(({ what, why }): Finding => ({
        code: 'PLANNING_BLOCKED',
        severity: 'decision',
        subject: state.name,
        message: printable(`${what}: ${why}`, 1000),
        remedy: 'carry the steps out, and nothing of this keeps Terraform from planning',
      })),
      ...finding.newerThanTested(state, chosen),
      ...folderHazards(state),
      ...(removal?.findings ?? []),
      ...(retired.length === 0 ? [] : [finding.retiredLeave(retired)]),
      ...unknown,
    ],
  };
}

function removalOf(
  { configuration }: PlannedState,
  departure: Pick<Departure, 'leaving' | 'isAlone' | 'retired'>,
): PlannedRemoval | undefined {
  if (configuration === undefined) return undefined;
  const rest = { kept: new Set<string>(), all: true };
  return withoutForgotten(configuration, planRemoval(configuration, { ...departure, ...rest }));
}

function nothingBlocks({ name }: PlannedState): Finding {
  return {
    code: 'NOTHING_BLOCKS',
    severity: 'info',
    subject: name,
    message: 'nothing of the previous WAF in this state keeps Terraform from planning',
    remedy: 'read what `terraform plan` says: it is about something else',
  };
}

function planStateOf(state: PlannedState, { from }: ChosenOrder, because: string): PlanState {
  const { name, dir, workspace, dataDir, lineage, serial, terraformVersion } = state;
  const data = dataDir === undefined ? {} : { dataDir };
  const place = { name, dir, workspace, ...data, lineage, serial, terraformVersion };
  return { ...place, provider: { from, to: from }, method: 'commands', because };
}
