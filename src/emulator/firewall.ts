import * as z from 'zod';
import { faultsOf } from './refusal';
import { checkExpression } from './expression/parse';
import { IDENTIFIER } from './identifiers';

const identifier = z.string().regex(IDENTIFIER, 'is not 32 hexadecimal digits');

/** Actions of a firewall rule: specification (`block`) and the providers' own lists. */
const FIREWALL_ACTIONS = [
  'block',
  'challenge',
  'js_challenge',
  'managed_challenge',
  'allow',
  'log',
  'bypass',
] as const;

/** What a rule with action `bypass` may bypass; `waf` is the previous managed rules. */
const BYPASS_PRODUCTS = [
  'zoneLockdown',
  'uaBlock',
  'bic',
  'hot',
  'securityLevel',
  'rateLimit',
  'waf',
] as const;

/** A filter as a scenario has it. `inline`: created together with its rule. */
export const filterSeed = z.strictObject({
  id: identifier,
  expression: z.string(),
  paused: z.boolean().default(false),
  description: z.string().optional(),
  ref: z.string().optional(),
  inline: z.boolean().default(false),
});

/** A firewall rule as a scenario has it; `filter` is the id of one. */
export const firewallRuleSeed = z.strictObject({
  id: identifier,
  filter: identifier,
  action: z.enum(FIREWALL_ACTIONS),
  paused: z.boolean().default(false),
  priority: z.int().nullable().default(null),
  description: z.string().optional(),
  ref: z.string().optional(),
  products: z.array(z.enum(BYPASS_PRODUCTS)).optional(),
});

/** A filter: a match expression that several rules may share. */
export type Filter = z.infer<typeof filterSeed>;
/** A firewall rule: an action for the requests that its filter matches. */
export type FirewallRule = z.infer<typeof firewallRuleSeed>;

/** An expression that parses; the message is the service's way of saying where it does not. */
export const filterExpression = z
  .string()
  .min(1)
  .superRefine((text, context) => {
    const message = checkExpression(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

const readOnly = z.unknown().optional();
const text = (max: number) =>
  z
    .string()
    .max(max)
    .nullish()
    .transform((given) => given ?? undefined);

/** Fields of a filter that a write sets. */
const filterFields = {
  expression: filterExpression,
  paused: z.boolean().default(false),
  description: text(500),
  ref: text(50),
};

/** A filter that is to be created; an id is the service's to give. */
export const newFilter = z.strictObject(filterFields);

/** A filter that is to be changed, sent as it was read. */
export const changedFilter = z.strictObject({
  ...filterFields,
  id: z.string(),
  created_on: readOnly,
  modified_on: readOnly,
});

/** A reference: what else is sent of the filter is not looked at. */
const reference = z.looseObject({ id: z.string().min(1) }).transform(({ id }) => ({ id }));

/** A filter in a rule: by its id, or inline where a rule is created. */
const newFilterOf = z
  .unknown()
  .transform((value, context): z.infer<typeof newFilter> | { id: string } => {
    const refers = typeof value === 'object' && value !== null && 'id' in value;
    const parsed = refers ? reference.safeParse(value) : newFilter.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues.flatMap(faultsOf)) {
      context.addIssue({ code: 'custom', path: [...path], message });
    }
    return z.NEVER;
  });

const fields = {
  action: z.enum(FIREWALL_ACTIONS),
  paused: z.boolean().default(false),
  priority: z.int().min(0).max(2_147_483_647).nullable().default(null),
  description: text(500),
  ref: text(50),
  products: z
    .array(z.enum(BYPASS_PRODUCTS))
    .nullish()
    .transform((given) => given ?? undefined),
  created_on: readOnly,
  modified_on: readOnly,
};

/** Products belong to `bypass`, which bypasses nothing without them. */
const fitting = <T extends { action: string; products?: string[] | undefined }>(
  shape: z.ZodType<T>,
): z.ZodType<T> =>
  shape.superRefine(({ action, products = [] }, context) => {
    if ((action === 'bypass') === products.length > 0) return;
    const message =
      action === 'bypass' ? 'products are required for bypass' : `products are not for ${action}`;
    context.addIssue({ code: 'custom', path: ['products'], message });
  });

/** A rule that is to be created. */
export const newFirewallRule = fitting(z.strictObject({ ...fields, filter: newFilterOf }));

/** A rule that is to be changed: its filter is a reference. */
export const changedFirewallRule = (id: z.ZodType<string>) =>
  fitting(z.strictObject({ ...fields, id, filter: reference }));

/** What `PATCH` changes of a rule: its priority alone. */
export const patchedFirewallRule = (id: z.ZodType<string>) =>
  z.strictObject({ id, priority: fields.priority });
