import * as z from 'zod';
import { type Finding, findingCodes, isBlocker, titleOf } from '../core/finding';
import { canonicalJson, sha256 } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { counted } from '../core/printable';
import { isRulesetAddress } from '../core/resource-address';
import { isCheck, kindOf, type Step, stepSchema } from './steps/step-kinds';
import { planFlagsOf } from './steps/terraform-flags';

export type { Method } from './facts/facts';
export type { Expects, Run, Step, StepDraft, StepKind } from './steps/step-kinds';

const text = z.string();

const zone = z.strictObject({
  zoneId: text,
  name: text.exactOptional().describe('its domain, where it is known'),
  ruleset: z.strictObject({ id: text, address: text, importId: text, state: text }),
});

const state = z.strictObject({
  name: text,
  dir: text.describe('folder of its configuration, relative to the folder of the plan'),
  workspace: text.regex(/^(?!\.{1,2}$)[^/\\]*$/, 'a workspace has no path separator'),
  dataDir: text.exactOptional().describe('TF_DATA_DIR, where it was set'),
  lineage: text,
  serial: z.int(),
  terraformVersion: text,
  provider: z.strictObject({ from: text, to: text }),
  method: z.enum(['commands', 'blocks']),
  because: text,
});

const finding = z.strictObject({
  code: text.regex(/^[A-Z][A-Z0-9_]*$/),
  title: text.exactOptional(),
  severity: z.enum(['info', 'decision', 'blocker']),
  subject: text,
  message: text,
  remedy: text,
  command: z
    .array(text)
    .readonly()
    .exactOptional()
    .describe('the command at the end of the remedy, as an argument vector'),
});

/** The source of the plan types, of the check in `parsePlan`, and of docs/plan.schema.json. */
export const planSchema = z
  .strictObject({
    format: z.literal('cf-waf-migrate/plan'),
    formatVersion: z.literal(1),
    digest: text.describe(
      'sha256 of the plan without this field: a plan that was edited is refused',
    ),
    zones: z.array(zone).readonly(),
    states: z.array(state).readonly(),
    steps: z.array(stepSchema).min(1).readonly(),
    findings: z.array(finding).readonly(),
  })
  .readonly();

/** A migration plan: plain JSON, as docs/plan-format.md specifies. */
export type Plan = z.infer<typeof planSchema>;

/** A zone of the plan and the entry point ruleset that replaces its legacy resources. */
export type PlanZone = Readonly<z.infer<typeof zone>>;

/** A Terraform state that the plan changes, with its facts when the plan was made. */
export type PlanState = Readonly<z.infer<typeof state>>;

/** The plan format as JSON Schema, the text of docs/plan.schema.json. */
export function renderPlanJsonSchema(): string {
  const schema = z.toJSONSchema(planSchema, { target: 'draft-2020-12', reused: 'ref' });
  const title = { title: 'Migration plan of cf-waf-migrate, format version 1' };
  return `${JSON.stringify({ ...title, ...schema }, null, 2)}\n`;
}

/** Adds the digest after the version, where a reader expects it. */
export function withDigest(plan: Omit<Plan, 'digest'>): Plan {
  const { format, formatVersion, zones, states, steps, findings } = plan;
  return { format, formatVersion, digest: digestOf(plan), zones, states, steps, findings };
}

/** Sha256 in hexadecimal of the plan without its digest, as JSON with sorted keys. */
export function digestOf(plan: { readonly [Field in keyof Plan]?: unknown }): string {
  return sha256(canonicalJson({ ...plan, digest: undefined }));
}

/** Returns a state of a plan; parsing a plan checks that each of its steps and rulesets has one. */
export function plannedState({ states }: Pick<Plan, 'states'>, name: string): PlanState {
  const planned = states.find((one) => one.name === name);
  if (planned === undefined) throw new TypeError(`no state ${name}`);
  return planned;
}

/** What is true of a state after all steps of a plan. */
export interface Promised {
  readonly gone: readonly string[];
  readonly present: readonly string[];
  /** All that the steps remove, imported again or not. */
  readonly removed: readonly string[];
  /** The flags of the last checks: with each of these lists, `terraform plan` is then empty. */
  readonly checks: readonly (readonly string[])[];
}

/** The addresses that steps remove from the states. */
export const goneFrom = (steps: readonly Step[]): string[] =>
  steps.flatMap(({ expects }) => expects?.gone ?? []);

/** Combines what the steps of one state expect. A later step overrides an earlier one. */
export function promisedBy(steps: readonly Step[], state: string): Promised {
  const own = steps.filter((step) => step.state === state);
  const addresses = new Map<string, 'gone' | 'present'>();
  for (const { expects } of own) {
    for (const address of expects?.gone ?? []) addresses.set(address, 'gone');
    for (const address of expects?.present ?? []) addresses.set(address, 'present');
  }
  const named = (what: string): string[] =>
    [...addresses].filter(([, one]) => one === what).map(([address]) => address);
  return {
    gone: named('gone'),
    present: named('present'),
    removed: goneFrom(own),
    checks: lastChecks(own),
  };
}

/** The states that a step of the plan changes, or whose configuration it or the user edits. */
export function changedStates({ states, steps }: Plan): PlanState[] {
  const changing = steps.filter((step) => kindOf(step).changes !== 'nothing');
  const names = new Set(changing.flatMap(({ state, states = [] }) => [state, ...states]));
  return states.filter(({ name }) => names.has(name));
}

/**
 * The flags of the last checks. One of the whole plan, with a refresh, is enough; otherwise the checks of single rulesets,
 * as one, come before it.
 */
function lastChecks(steps: readonly Step[]): string[][] {
  const all = steps.filter(isCheck);
  const last = all.at(-1);
  if (last?.expects?.plan === undefined) return [];
  const whole = last.expects.plan === 'empty' ? [planFlagsOf(last)] : [];
  if (whole.some((flags) => !flags.includes('-refresh=false'))) return whole;
  const ofRulesets = all.filter(({ expects }) => expects?.plan === 'target-empty');
  return [
    ...(ofRulesets.length === 0 ? [] : [[...new Set(ofRulesets.flatMap(planFlagsOf))]]),
    ...whole,
  ];
}

/**
 * Decisions about what Terraform would create, replace, destroy or refuse. An empty full plan answers them. It does not
 * answer decisions about zones, page rules, workspaces or provider configurations.
 */
export const ANSWERED_BY_EMPTY_PLAN: ReadonlySet<string> = new Set([
  'BLOCK_ALREADY_GONE',
  'BLOCK_REFERENCED',
  'MODULE_NOT_EDITED',
  'LEGACY_BLOCKS_DECLARED',
  'RULESET_OF_OTHER_PROVIDER',
]);

/**
 * The decisions of a plan that its completed steps have not answered.
 * @param done ids of the completed steps; default: none
 */
export function openDecisions(
  { findings, states, steps }: Plan,
  done: ReadonlySet<string> = new Set(),
): readonly Finding[] {
  // of the whole state: a check with targets expects `target-empty`
  const empty = new Set(
    steps
      .filter(({ id, expects }) => done.has(id) && expects?.plan === 'empty')
      .map(({ state }) => state),
  );
  const isProven = states.every(({ name }) => empty.has(name));
  const manual = steps.filter(
    ({ kind, addresses = [] }) => kind === 'manual' && !addresses.some(isRulesetAddress),
  );
  const isDoneByHand = manual.length > 0 && manual.every(({ id }) => done.has(id));
  return findings.filter(
    ({ severity, code }) =>
      severity === 'decision' &&
      !(isProven && ANSWERED_BY_EMPTY_PLAN.has(code)) &&
      !(isDoneByHand && code === 'BLOCK_REFERENCED'),
  );
}

/** @throws MigrationError `PLAN_INVALID` */
export function refuseBlockers(plan: Plan): void {
  const error = blockedBy(plan);
  if (error !== undefined) throw error.withPrefix('Nothing was changed');
}

/** Why a plan cannot be run; undefined if it has no blocker. */
export function blockedBy({ findings }: Plan): MigrationError | undefined {
  const blockers = findings.filter(isBlocker);
  const [first, second] = blockers;
  if (first === undefined) return undefined;
  const what = `${counted(blockers.length, 'blocker')} (${findingCodes(blockers)})`;
  if (second === undefined) {
    const message = `${what}: ${[titleOf(first), first.message].filter(Boolean).join(': ')}`;
    return new MigrationError('PLAN_INVALID', message, { hint: first.remedy });
  }
  return new MigrationError('PLAN_INVALID', what, {
    hint: 'resolve each blocker, then plan again',
    findings: blockers,
  });
}

/** Whether a plan changes nothing, because there is nothing to migrate. */
export const hasOnlyChecks = ({ steps }: Plan): boolean => steps.every(isCheck);
