import * as z from 'zod';
import catalogue from '../catalogue/managed-rulesets.json';
import { accept, checkWith, expressionField, readOnly } from '../check-body';
import { identifier, isJsonObject, MANAGED_PHASE, type Ruleset } from '../world';

/** The phases of the WAF. The emulator accepts entry points only in these. */
export const phaseSchema = z.enum([
  'ddos_l7',
  'http_ratelimit',
  'http_request_firewall_custom',
  'http_request_firewall_managed',
]);

const LAST_UPDATED = '2024-02-19T16:00:00.000000Z';

/**
 * A sample of the managed rulesets. Identifiers and titles come from the public changelog of the
 * managed rules; a rule without a public title has an empty description.
 */
export const managedRulesets = catalogue.rulesets.map((ruleset) => ({
  id: ruleset.id,
  name: ruleset.name,
  description: ruleset.description,
  kind: 'managed' as const,
  version: ruleset.version,
  last_updated: LAST_UPDATED,
  phase: MANAGED_PHASE,
  rules: ruleset.rules.map(({ id, action, categories, description, enabled, ...row }) => ({
    ...{ id, version: '1', action, categories, description, enabled },
    ...{ last_updated: LAST_UPDATED, ref: id, ...row },
  })),
}));

/** A managed ruleset; every zone sees the same ones. */
export type ManagedRuleset = (typeof managedRulesets)[number];

/** The error code of invalid fields; the code of the Cloudflare API is not known. */
export const INVALID = 20000;
/** Logging on a rule other than a skip rule (public reports: provider issues 7377, 2851). */
const LOGGING_NOT_ALLOWED = 20018;

const absent = <T>(value: T | null | undefined): T | undefined => value ?? undefined;
const blank = z
  .string()
  .nullish()
  .transform((value) => value || undefined);
const optionalFlag = z.boolean().nullish().transform(absent);

const action = z.enum(['block', 'challenge', 'js_challenge', 'managed_challenge', 'log']);

const atLeast = (count: number, shape: z.ZodType): z.ZodType =>
  shape.refine(
    (value) => typeof value !== 'object' || Object.keys(value ?? {}).length >= count,
    'must have at least one property beside its key',
  );

const change = {
  action: action.optional(),
  enabled: z.boolean().optional(),
  sensitivity_level: z.enum(['default', 'medium', 'low', 'eoff']).optional(),
};

/** An override of one category or rule. It needs a property (public documentation). */
const override = (fields: z.ZodRawShape): z.ZodType =>
  atLeast(2, z.strictObject({ ...fields, ...change }));
const categoryOverride = override({ category: z.string().min(1) });
const ruleOverride = override({ id: identifier, score_threshold: z.int().min(0).optional() });

/** Parameters of a rule that executes a managed ruleset. */
const executeParameters = z.strictObject({
  id: identifier.refine(
    (id) => managedRulesets.some((ruleset) => ruleset.id === id),
    'is not the id of a managed ruleset',
  ),
  overrides: atLeast(
    1,
    z.strictObject({
      ...change,
      categories: z.array(categoryOverride).optional(),
      rules: z.array(ruleOverride).optional(),
    }),
  ).optional(),
  version: z.string().optional(),
});

/** Parameters of a skip rule: at least one of the five forms. */
const skipParameters = atLeast(
  1,
  z.strictObject({
    ruleset: z.literal('current').optional(),
    rulesets: z.array(identifier).min(1).optional(),
    rules: z.record(identifier, z.array(identifier).min(1)).optional(),
    phases: z.array(z.string().min(1)).min(1).optional(),
    products: z
      .array(z.enum(['bic', 'hot', 'rateLimit', 'securityLevel', 'uaBlock', 'waf', 'zoneLockdown']))
      .min(1)
      .optional(),
  }),
);

/** Validates a value but returns it unchanged: later responses keep the order of its keys. */
const asSent = (shape: z.ZodType) =>
  z
    .json()
    .optional()
    .superRefine((value, context) => {
      checkWith(shape, value, context);
    })
    .transform((value) => (isJsonObject(value) ? value : undefined));

const ruleFields = {
  id: blank,
  ref: blank,
  expression: expressionField,
  description: z.string().nullish().transform(absent),
  enabled: optionalFlag,
  version: readOnly,
  last_updated: readOnly,
  categories: readOnly,
};

const noLogging = z
  .unknown()
  .optional()
  .superRefine((value, context) => {
    if (value === undefined || value === null) return;
    const message = 'logging is only allowed on rules whose action is skip';
    context.addIssue({ code: 'custom', message, params: { code: LOGGING_NOT_ALLOWED } });
  })
  .transform(() => undefined);

const rule = z.discriminatedUnion('action', [
  z.strictObject({
    ...ruleFields,
    action: z.literal('execute'),
    logging: noLogging,
    action_parameters: asSent(executeParameters),
  }),
  z.strictObject({
    ...ruleFields,
    action: z.literal('skip'),
    logging: z.strictObject({ enabled: optionalFlag }).nullish().transform(absent),
    action_parameters: asSent(skipParameters),
  }),
  z.strictObject({
    ...ruleFields,
    action,
    logging: noLogging,
    // the emulator knows no parameters of these actions
    action_parameters: asSent(z.strictObject({}).nullish()),
  }),
]);

/** A rule in a request; empty and null fields count as absent (spec, "Ruleset rule"). */
export type RuleDraft = z.output<typeof rule>;

const fields = {
  id: readOnly,
  version: readOnly,
  last_updated: readOnly,
  name: z.string().min(1).optional(),
  description: z.string().nullish().transform(absent),
  rules: z
    .array(rule)
    .nullable()
    .transform((rules) => rules ?? [])
    .optional(),
};

/** The fields of a ruleset that a write can set; absent fields keep their values. */
export type RulesetDraft = Pick<
  z.output<z.ZodObject<typeof fields>>,
  'name' | 'description' | 'rules'
>;

/** The immutable fields of a ruleset: a write can repeat them but not change them. */
type Fixed = Pick<Ruleset, 'kind' | 'phase'>;

/** Parses the body of a PUT; `current` is the ruleset to replace, if any. @throws Refusal 400 */
export function parseRuleset(
  body: unknown,
  { kind, phase }: Fixed,
  current: Ruleset | undefined,
): RulesetDraft {
  const shape = z.strictObject({
    ...fields,
    kind: z.literal(kind).optional(),
    phase: z.literal(phase).optional(),
  });
  return accept(withKnownRules(shape, current), body, INVALID);
}

/** Parses the body of a POST: name, kind `zone` and phase are required. @throws Refusal 400 */
export function parseNewRuleset(body: unknown): RulesetDraft & Fixed & Pick<Ruleset, 'name'> {
  const shape = z.strictObject({
    ...fields,
    name: z.string().min(1),
    kind: z.literal('zone'),
    phase: phaseSchema,
  });
  return accept(withKnownRules(shape, undefined), body, INVALID);
}

/** A rule can have an identifier only if the ruleset already has that rule. */
function withKnownRules<T extends RulesetDraft>(shape: z.ZodType<T>, current?: Ruleset) {
  return shape.superRefine(({ rules = [] }, context) => {
    rules.forEach(({ id }, index) => {
      if (id === undefined || current?.rules.some((one) => one.id === id)) return;
      const message = `rule "${id}" is not in this ruleset`;
      context.addIssue({ code: 'custom', path: ['rules', index, 'id'], message });
    });
  });
}
