import * as z from 'zod';
import { MigrationError } from '../core/migration-error';

/** What a Terraform plan may contain: nothing, or only imports and forgets. */
export type Allowance = 'empty' | 'import-and-forget';

/** A planned change that is not allowed, or that the user should see. */
export interface PlannedChange {
  /** Address of a resource, or `output.<name>`. */
  readonly address: string;
  /** As Terraform names them: `create`, `delete`, `update`, `forget`, `import`, `move` … */
  readonly actions: readonly string[];
  /** Paths of the attributes that differ, never their values; empty if the whole object differs. */
  readonly attributes: readonly string[];
  /** Whether it is an output, which exists only in the state and not in the Cloudflare API. */
  readonly isOutput?: true;
  /** The id by which it is imported. */
  readonly importId?: string;
}

export interface Verdict {
  readonly differences: readonly PlannedChange[];
  readonly allowed: readonly PlannedChange[];
  /**
   * Whether the apply reads data, for example of a `check` block, or opens an ephemeral resource. Terraform
   * counts the read as a change; OpenTofu counts the ephemeral resource.
   */
  readonly reads: boolean;
  readonly addresses: PlannedAddresses;
  /** Addresses that the apply refreshes from the Cloudflare API in any case. */
  readonly drifted: readonly string[];
}

const change = z.looseObject({
  // they are printed, and the plan can come from other users
  actions: z.array(z.string().regex(/^[\w-]+$/)),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  importing: z.looseObject({ id: z.string().optional() }).nullish(),
});
const resourceChange = z.looseObject({
  address: z.string(),
  previous_address: z.string().optional(),
  change,
});
/** An action of Terraform 1.14, which a provider runs and no resource shows. */
const invocation = z.looseObject({ address: z.string() });
/** Every plan has the required fields, even without resources; a state has `values` instead. */
const planSchema = z.looseObject({
  format_version: z.string().regex(/^1\./),
  terraform_version: z.string(),
  planned_values: z.looseObject({}),
  configuration: z.looseObject({}),
  errored: z.boolean().default(false),
  resource_changes: z.array(resourceChange).default([]),
  resource_drift: z.array(resourceChange).default([]),
  output_changes: z.record(z.string(), change).default({}),
  deferred_changes: z.array(z.unknown()).default([]),
  action_invocations: z.array(invocation).default([]),
  deferred_action_invocations: z.array(z.unknown()).default([]),
});

/** OpenTofu 1.11 uses `open` for an ephemeral resource, which is not stored in the state. */
const READS = new Set(['read', 'open']);
const HARMLESS = new Set(['no-op', ...READS]);

/**
 * Judges `terraform show -json <plan>`.
 * @throws MigrationError `TERRAFORM_PLAN_INVALID` if it is not the JSON of a plan
 */
export function judgePlan(document: unknown, allowance: Allowance): Verdict {
  const { data: plan } = planSchema.safeParse(document);
  if (plan === undefined) {
    throw new MigrationError('TERRAFORM_PLAN_INVALID', 'not the JSON of a Terraform plan');
  }
  const all = [
    ...plan.resource_changes.map(describeResource),
    ...Object.entries(plan.output_changes).map(([name, planned]): PlannedChange => ({
      ...describe(`output.${name}`, planned),
      isOutput: true,
    })),
    ...plan.action_invocations.map(({ address }) => whole(address, 'invoke')),
    ...[...plan.deferred_changes, ...plan.deferred_action_invocations].map(() =>
      whole('deferred', 'deferred'),
    ),
    ...(plan.errored ? [whole('plan', 'errored')] : []),
  ].filter(({ actions }) => !actions.every((action) => HARMLESS.has(action)));
  const isAllowed = ({ actions }: PlannedChange): boolean =>
    allowance === 'import-and-forget' &&
    actions.every((action) => action === 'import' || action === 'forget');
  return {
    differences: all.filter((planned) => !isAllowed(planned)),
    allowed: all.filter(isAllowed),
    addresses: addressesOf(plan.resource_changes),
    reads: plan.resource_changes.some(({ change: { actions } }) =>
      actions.some((action) => READS.has(action)),
    ),
    drifted: plan.resource_drift.map(({ address }) => address),
  };
}

/** The verdict of a plan without any change. */
export const NO_CHANGES: Verdict = {
  differences: [],
  allowed: [],
  reads: false,
  addresses: addressesOf([]),
  drifted: [],
};

const whole = (address: string, action: string): PlannedChange => ({
  address,
  actions: [action],
  attributes: [],
});

/** A `moved` block changes the address, in addition to any other change. */
function describeResource(planned: z.infer<typeof resourceChange>): PlannedChange {
  const { address, previous_address: before = address } = planned;
  const described = describe(address, planned.change);
  if (before === address) return described;
  const others = described.actions.filter((action) => action !== 'no-op');
  return { ...described, actions: ['move', ...others] };
}

function describe(address: string, planned: z.infer<typeof change>): PlannedChange {
  const { actions, importing, before, after } = planned;
  return {
    address,
    actions: importing ? ['import', ...actions.filter((action) => action !== 'no-op')] : actions,
    attributes: differingPaths(before, after),
    ...(importing?.id !== undefined && { importId: importing.id }),
  };
}

/** Paths at which two values differ, without the values, which can be secrets. */
function differingPaths(before: unknown, after: unknown, path = ''): string[] {
  if (Object.is(before, after)) return [];
  if (
    !isContainer(before) ||
    !isContainer(after) ||
    Array.isArray(before) !== Array.isArray(after)
  ) {
    return path === '' ? [] : [path];
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const below = Array.isArray(before) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    return differingPaths(before[key], after[key], below);
  });
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Addresses of resources in the JSON of a plan. A plan with `-target` names only the targets. */
export interface PlannedAddresses {
  /** All of them, including unchanged ones. */
  readonly named: ReadonlySet<string>;
  /** Those in the state after the apply. */
  readonly after: ReadonlySet<string>;
  /** What is imported, with its id. */
  readonly imported: ReadonlyMap<string, string | undefined>;
  /** What is in the state after the apply without an import, with its id before. */
  readonly held: ReadonlyMap<string, string | undefined>;
  /** What leaves the state without being destroyed, with the id of its zone if it has one. */
  readonly forgotten: ReadonlyMap<string, string>;
}

function addressesOf(changes: readonly z.infer<typeof resourceChange>[]): PlannedAddresses {
  const kept = changes.filter(
    ({ change: { actions } }) => !['delete', 'forget'].includes(actions.join()),
  );
  const held = kept.filter(({ change: { importing } }) => !importing);
  return {
    named: new Set(changes.map(({ address }) => address)),
    after: new Set(kept.map(({ address }) => address)),
    imported: new Map(
      changes.flatMap(({ address, change: { importing } }) =>
        importing ? [[address, importing.id] as const] : [],
      ),
    ),
    held: new Map(
      held.map(({ address, change: { before } }) => [address, attributesOf(before).id]),
    ),
    forgotten: new Map(
      changes.flatMap(({ address, change: { actions, before } }) =>
        actions.join() === 'forget' ? [[address, attributesOf(before).zone_id ?? ''] as const] : [],
      ),
    ),
  };
}

const text = z.string().optional().catch(undefined);
const attributes = z.object({ id: text, zone_id: text });

const attributesOf = (before: unknown): z.infer<typeof attributes> =>
  attributes.safeParse(before).data ?? {};
