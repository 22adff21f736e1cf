import { createHash } from 'node:crypto';
import * as z from 'zod';
import { type Step, stepSchema } from './steps';

export type { Method } from './facts';
export type { Expects, Run, Step, StepDraft, StepKind } from './steps';

const text = z.string();

const zone = z.strictObject({
  zoneId: text,
  name: text.exactOptional().describe('its domain, where it is known'),
  ruleset: z.strictObject({ id: text, address: text, importId: text, state: text }),
});

const state = z.strictObject({
  name: text,
  dir: text.describe('folder of its configuration, relative to the folder of the plan'),
  workspace: text,
  dataDir: text.exactOptional().describe('TF_DATA_DIR, where it was set'),
  lineage: text,
  serial: z.int(),
  terraformVersion: text,
  provider: z.strictObject({ from: text, to: text }),
  method: z.enum(['commands', 'blocks']),
  because: text,
});

const finding = z.strictObject({
  code: text,
  title: text.exactOptional(),
  severity: z.enum(['info', 'decision', 'blocker']),
  subject: text,
  message: text,
  remedy: text,
});

/** The plan format: the types, what `parsePlan` accepts, and docs/plan.schema.json come from it. */
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

/** A migration plan: plain JSON, the contract of docs/plan-format.md. */
export type Plan = z.infer<typeof planSchema>;

/** A zone of the plan and the entry point ruleset that replaces its legacy resources. */
export type PlanZone = Readonly<z.infer<typeof zone>>;

/** A Terraform state that the plan changes, with its facts at the time of the plan. */
export type PlanState = Readonly<z.infer<typeof state>>;

/** The plan format as JSON Schema: the text of docs/plan.schema.json. */
export function renderPlanJsonSchema(): string {
  const schema = z.toJSONSchema(planSchema, { target: 'draft-2020-12', reused: 'ref' });
  const title = { title: 'Migration plan of cf-waf-migrate, format version 1' };
  return `${JSON.stringify({ ...title, ...schema }, null, 2)}\n`;
}

/** The plan with its digest behind the version, where a reader looks for it. */
export function withDigest(plan: Omit<Plan, 'digest'>): Plan {
  const { format, formatVersion, zones, states, steps, findings } = plan;
  return { format, formatVersion, digest: digestOf(plan), zones, states, steps, findings };
}

/** Sha256, in hexadecimal, of the plan without its digest: of its JSON with sorted keys. */
export function digestOf(plan: { readonly [Field in keyof Plan]?: unknown }): string {
  const { format, formatVersion, zones, states, steps, findings } = plan;
  const content = sorted({ format, formatVersion, zones, states, steps, findings });
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

/** Equal objects give the same text, whatever the order of their keys. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // long lists of addresses, as they are
  if (Array.isArray(value)) return value.every(isText) ? value : value.map(sorted);
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, one]): [string, unknown] => [key, sorted(one)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** What holds of a state once every step of a plan is done. */
export interface Promised {
  readonly gone: readonly string[];
  readonly present: readonly string[];
  /**
   * Flags with which `terraform plan` then shows nothing: those of the last check; undefined where
   * no step checks.
   */
  readonly flags: readonly string[] | undefined;
}

/** The sum of what the steps of one state expect: a later step wins over an earlier one. */
export function promisedBy(steps: readonly Step[], state: string): Promised {
  const own = steps.filter((step) => step.state === state);
  const addresses = new Map<string, 'gone' | 'present'>();
  for (const { expects } of own) {
    for (const address of expects?.gone ?? []) addresses.set(address, 'gone');
    for (const address of expects?.present ?? []) addresses.set(address, 'present');
  }
  const named = (what: string): string[] =>
    [...addresses].filter(([, one]) => one === what).map(([address]) => address);
  return { gone: named('gone'), present: named('present'), flags: checkFlags(own) };
}

/** Those that say what and with which inputs is planned; how it ends is for who runs it. */
function checkFlags(steps: readonly Step[]): string[] | undefined {
  const last = steps.findLast(({ kind }) => kind === 'check')?.expects?.plan;
  if (last === undefined) return undefined;
  // the rulesets are checked one by one, where a full plan does not work
  const checks =
    last === 'empty'
      ? steps.filter(({ kind }) => kind === 'check').slice(-1)
      : steps.filter(({ expects }) => expects?.plan === last);
  const flags = checks.flatMap(({ runs = [] }) =>
    runs.flatMap(({ argv }) => argv.slice(argv.indexOf('plan') + 1)),
  );
  return [...new Set(flags)].filter((flag) => !/^-(input|detailed-exitcode|out)\b/.test(flag));
}
