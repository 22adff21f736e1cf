import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Client } from '../../cloudflare/client';
import { readEntryPoint } from '../../cloudflare/rulesets';
import { mapConcurrently } from '../../core/lists';
import { MigrationError, writing } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { type Plan, type PlanState, type PlanZone, promisedBy } from '../../plan/plan-schema';
import { allowsVersion } from '../../core/provider-majors';
import { majorOf, precedes } from '../../plan/facts/provider-versions';
import { versionOverride } from '../../project/cdktf-project';
import { lockedVersion, requiredVersion } from '../../project/provider-version';
import { parseRuleset } from '../../ruleset/parse-ruleset';
import { PULLS_AT_ONCE } from '../../terraform/subcommands';
import { loadHclGrammar } from '../../tfconfig/hcl-grammar';
import { type ApplyRequest } from '../apply-context';
import { type JournalEntry } from '../journal/journal';
import {
  type LiveState,
  otherRulesets,
  pullState,
  requireNotElsewhere,
  requireState,
} from '../live-state';
import { withTemporaryFolder } from '../../terraform/temporary-folder';
import { requirePlannedFiles } from '../steps/edit';
import { isApplied } from '../promised-state';

/**
 * Checks the states, the rulesets to import, and the files, before anything is changed.
 * Needs the lock of the plan.
 * @returns the states by name
 * @throws MigrationError `PLAN_INVALID`, `STATE_CHANGED`, `RULESET_NOT_LIVE`, `CONFIG_CHANGED`, `FILE_UNWRITABLE`, those of
 *   Terraform
 */
export async function preflight(
  request: ApplyRequest,
  entries: readonly JournalEntry[],
): Promise<ReadonlyMap<string, LiveState>> {
  const { plan, checkRulesets } = request;
  const isFirstRun = !entries.some(({ event }) => event === 'start');
  // Terraform runs while the client of the API is loaded
  const states = readStates(request, isFirstRun);
  const rulesets = isFirstRun ? checkRulesets?.() : undefined;
  // loading takes 60 ms, while the API answers; the edit reports a failure
  if (plan.steps.some(({ edits }) => edits)) states.then(loadHclGrammar).catch(() => undefined);
  // both run at once; if both fail, the first is thrown
  await Promise.allSettled([states, rulesets]);
  const live = await states;
  await rulesets;
  requireImports(plan, live);
  requireNotElsewhere(plan, live);
  requireOwnZones(plan, live);
  // earlier runs may have had no credentials for this check
  if (!isFirstRun && dueImports(plan, live).length > 0) await checkRulesets?.();
  // `--only edits` checks only the edits that it makes
  if (request.only === undefined) {
    await requirePlannedFiles(plan.steps, { ...request, journal: { entries } });
  }
  requireWritable(request);
  // the checks of the plan need one
  await withTemporaryFolder('cf-waf-migrate-', request.terraform, () => Promise.resolve());
  return live;
}

async function readStates(
  request: ApplyRequest,
  isFirstRun: boolean,
): Promise<Map<string, LiveState>> {
  const { plan, folder } = request;
  const pulled = await mapConcurrently(plan.states, PULLS_AT_ONCE, async (planned) => ({
    planned,
    state: await pullState(planned, request),
  }));
  const live = new Map<string, LiveState>();
  for (const { planned, state } of pulled) {
    requirePlanned(state, planned, plan, isFirstRun);
    requireProvider(planned, folder);
    await requireTarget(planned, plan, folder);
    const [other] = otherRulesets(state, plan, planned.name);
    if (other !== undefined) {
      throw stateChanged(
        `state ${printable(planned.name, 80)} has another ruleset at ${printable(other, 200)} than the plan expects`,
        'plan again: the new plan uses a free address',
      );
    }
    live.set(planned.name, state);
  }
  return live;
}

/** Checks the lineage of a state, and on a first run also its serial, unless the state is as the plan leaves it. */
function requirePlanned(
  live: LiveState,
  planned: PlanState,
  plan: Plan,
  isFirstRun: boolean,
): void {
  const name = `state ${printable(planned.name, 80)}`;
  requireState(live, planned);
  if (live.lineage !== planned.lineage && (isFirstRun || planned.lineage !== '')) {
    throw stateChanged(
      `${name} is not the state that the plan was made for: its lineage differs`,
      // without a file, `plan` refuses because of the interrupted run
      'select the backend and workspace of the plan; or plan the present state:\ncf-waf-migrate plan --out <file>',
    );
  }
  if (isFirstRun && live.serial !== planned.serial && !isApplied(live, planned, plan)) {
    throw stateChanged(
      `${name} changed after the plan was made: its serial is ${live.serial}, the plan expects ${planned.serial}`,
      // a rollback raises the serial too
      'run `verify`: it shows whether another process has applied the plan. If not, plan again, with the same options',
    );
  }
  if (live.serial < planned.serial) {
    throw stateChanged(`${name} is older than the plan: serial ${live.serial}`);
  }
}

/**
 * Checks that the provider is still the one that the plan was made for, or on the way to its target. The order of
 * the steps, and what has to leave the state, depend on it.
 */
function requireProvider({ dir, provider }: PlanState, folder: string): void {
  const locked = lockedVersion(join(folder, dir));
  if (locked === undefined) return;
  const { from, to } = provider;
  const major = majorOf(locked);
  if (major >= majorOf(from) && major <= majorOf(to)) return;
  throw new MigrationError(
    'PLAN_INVALID',
    `the lock file in ${printable(dir)} selects provider ${locked}, but the plan was made for ${printable(from, 20)}`,
  );
}

/**
 * Refuses a constraint that pins an earlier version than the target of an upgrade, as CDKTF bindings do: the steps would
 * remove the rulesets from the state, and could not import them again.
 */
async function requireTarget({ name, dir }: PlanState, { steps }: Plan, folder: string) {
  const to = steps.find(({ state, provider }) => state === name && provider)?.provider;
  if (to === undefined) return;
  const required = (await requiredVersion(join(folder, dir))) ?? '';
  const pins = required
    .split(',')
    .flatMap((one) => /^\s*(?:=|~>)?\s*(\d+\.\d+\.\d+)\s*$/.exec(one)?.[1] ?? []);
  if (!pins.some((pin) => majorOf(pin) === majorOf(to) && precedes(pin, to))) return;
  if (allowsVersion(required, to)) return;
  const override = versionOverride(to);
  throw new MigrationError(
    'PLAN_INVALID',
    `${printable(dir)} requires provider ${printable(required, 40)}, and the plan upgrades it to ${printable(to, 20)}`,
    {
      hint: `require ${printable(to, 20)} (in a CDKTF program: ${printable(override)}, then synthesise), then run the same command again`,
    },
  );
}

function stateChanged(message: string, hint?: string): MigrationError {
  return new MigrationError('STATE_CHANGED', message, { hint });
}

/**
 * Checks that each ruleset of a plan is in its state, or that a step imports it: without it, the next
 * `terraform apply` would create a ruleset.
 */
function requireImports(plan: Plan, live: ReadonlyMap<string, LiveState>): void {
  for (const { state, address } of dueImports(plan, live)) {
    if (promisedBy(plan.steps, state).present.includes(address)) continue;
    throw new MigrationError(
      'PLAN_INVALID',
      `no step of the plan imports ${printable(address, 200)}, and the state does not have it`,
    );
  }
}

function dueImports(
  { zones }: Pick<Plan, 'zones'>,
  live: ReadonlyMap<string, LiveState>,
): PlanZone['ruleset'][] {
  return zones
    .map(({ ruleset }) => ruleset)
    .filter(({ state, address }) => live.get(state)?.addresses.has(address) !== true);
}

/**
 * Checks that a plan removes resources of its zones only. `plan` has the blocker OTHER_ZONES for others, but anyone can
 * take a finding out of a plan.
 */
function requireOwnZones(plan: Plan, live: ReadonlyMap<string, LiveState>): void {
  const zones = new Set(plan.zones.map(({ zoneId }) => zoneId));
  for (const [state, { zoneIds }] of live) {
    for (const address of promisedBy(plan.steps, state).gone) {
      const zone = zoneIds.get(address) ?? '';
      if (zone === '' || zones.has(zone)) continue;
      throw new MigrationError(
        'PLAN_INVALID',
        `the plan removes ${printable(address, 200)} of zone ${printable(zone, 80)}, which is not a zone of the plan`,
      );
    }
  }
}

/** Checks the folders of the edited files; writing the lock has checked the folder of the plan. */
function requireWritable({ plan, folder }: ApplyRequest): void {
  const edits = plan.steps.flatMap((step) => step.edits ?? []);
  const places = new Set(edits.map(({ file }) => dirname(join(folder, file))));
  // a step may create a missing folder
  for (const place of [...places].filter((one) => existsSync(one))) {
    writing(`cannot write in ${printable(place)}`, () => {
      accessSync(place, constants.W_OK);
    });
  }
}

/**
 * Checks that each ruleset of a plan is the live entry point of its zone. Providers 3 to 5 import any other
 * ruleset without an error (measured). Sends one request for each zone.
 * @throws MigrationError `RULESET_NOT_LIVE`, and those of the client
 */
export async function requireLiveRulesets(
  zones: readonly PlanZone[],
  client: Client,
): Promise<void> {
  for (const { zoneId, ruleset } of zones) {
    const answer = await readEntryPoint(client, zoneId);
    const id = answer === undefined ? undefined : parseRuleset(answer).ruleset.id;
    if (id === ruleset.id) continue;
    const problem =
      answer === undefined
        ? 'the zone has no entry point ruleset'
        : `its entry point is ${id ?? 'without an id'}, but the plan has ${ruleset.id}`;
    const place = printable(ruleset.address, 200);
    const again =
      answer === undefined
        ? `without one, the zone may have no WAF: if the files declare ${place}, first create it again with \`terraform apply -target\`; if this plan has begun, roll it back. Then `
        : '';
    throw new MigrationError('RULESET_NOT_LIVE', `zone ${zoneId}: ${problem}`, {
      hint: `${again}plan again; if the state has the earlier ruleset at ${place}, first remove that with \`terraform state rm\`, which destroys nothing`,
    });
  }
}
