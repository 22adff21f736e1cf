import * as z from 'zod';
import { faultsOf } from './accept';
import { filterFields } from './filter-body';
import { BYPASS_PRODUCTS, FIREWALL_ACTIONS } from './firewall';

const readOnly = z.unknown().optional();
const text = (max: number) =>
  z
    .string()
    .max(max)
    .nullish()
    .transform((given) => given ?? undefined);

/** A reference: what else is sent of the filter is not looked at. */
const reference = z.looseObject({ id: z.string().min(1) }).transform(({ id }) => ({ id }));
const inline = z.strictObject(filterFields);

/** A filter in a rule: by its id, or inline where a rule is created. */
const newFilterOf = z
  .unknown()
  .transform((value, context): z.infer<typeof inline> | { id: string } => {
    const refers = typeof value === 'object' && value !== null && 'id' in value;
    const parsed = refers ? reference.safeParse(value) : inline.safeParse(value);
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
