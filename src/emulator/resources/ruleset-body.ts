import * as z from 'zod';
import catalogue from '../catalogue/managed-rulesets.json';
import { accept, expressionField, orAbsent, readOnly, unchanged } from '../check-body';
import { refusal } from '../refusal';
import { identifier, type JsonObject, MANAGED_PHASE, type Rule, type Ruleset } from '../world';

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
    id,
    version: '1',
    action,
    categories,
    description,
    enabled,
    last_updated: LAST_UPDATED,
    ref: id,
    ...row,
  })),
}));

export type ManagedRuleset = (typeof managedRulesets)[number];

/** The error code of invalid fields; the code of the Cloudflare API is not known. */
export const INVALID = 20000;
/** Logging on a rule other than a skip rule (public reports: provider issues 7377, 2851). */
const LOGGING_NOT_ALLOWED = 20018;

const blank = z
  .string()
  .nullish()
  .transform((value) => value || undefined);
const text = orAbsent(z.string());
const flag = orAbsent(z.boolean());

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

const ruleOf = <A extends z.ZodType<string>, P extends z.ZodType>(action: A, parameters: P) =>
  z.strictObject({
    id: blank,
    ref: blank,
    action,
    expression: expressionField,
    description: text,
    enabled: flag,
    logging: orAbsent(z.strictObject({ enabled: flag })),
    action_parameters: parameters,
    version: readOnly,
    last_updated: readOnly,
    categories: readOnly,
  });

const rule = z.discriminatedUnion('action', [
  ruleOf(z.literal('execute'), unchanged<JsonObject>(executeParameters)),
  ruleOf(z.literal('skip'), unchanged<JsonObject>(skipParameters)),
  // the emulator knows no parameters of these actions
  ruleOf(action, z.strictObject({}).nullish()),
]);

/** A rule in a request; empty and null fields count as absent (spec, "Ruleset rule"). */
export type RuleDraft = z.output<typeof rule>;

const shapeOf = (name: z.ZodType<string>, kind: z.ZodType<string>, phase: z.ZodType<string>) =>
  z.strictObject({
    id: readOnly,
    version: readOnly,
    last_updated: readOnly,
    name,
    kind,
    phase,
    description: text,
    rules: z
      .array(rule)
      .nullable()
      .transform((rules) => rules ?? [])
      .optional(),
  });

/** What a write sets of a ruleset; an absent description or list of rules does not change. */
export type RulesetDraft = z.output<ReturnType<typeof shapeOf>>;

/** A ruleset that a PUT replaces: a write can repeat its kind and phase but not change them. */
type Replaced = Pick<Ruleset, 'name' | 'kind' | 'phase' | 'rules'>;

/** Parses the body of a PUT. @throws Refusal 400 */
export function parseRuleset(body: unknown, { name, kind, phase, rules }: Replaced): RulesetDraft {
  const fixed = (text: string) => z.literal(text).default(text);
  return acceptKnown(shapeOf(newName.default(name), fixed(kind), fixed(phase)), body, rules);
}

/** Parses the body of a POST: name, kind `zone` and phase are required. @throws Refusal 400 */
export function parseNewRuleset(body: unknown): RulesetDraft {
  return acceptKnown(shapeOf(newName, z.literal('zone'), phaseSchema), body, []);
}

const newName = z.string().min(1);

/** A rule can have an identifier only if the ruleset already has that rule. */
function acceptKnown(
  shape: ReturnType<typeof shapeOf>,
  body: unknown,
  before: readonly Rule[],
): RulesetDraft {
  const known = shape.superRefine(({ rules = [] }, context) => {
    rules.forEach(({ id }, index) => {
      if (id === undefined || before.some((one) => one.id === id)) return;
      const message = `rule "${id}" is not in this ruleset`;
      context.addIssue({ code: 'custom', path: ['rules', index, 'id'], message });
    });
  });
  const draft = accept(known, body, INVALID);
  const logging = draft.rules?.findIndex((one) => one.action !== 'skip' && one.logging) ?? -1;
  if (logging === -1) return draft;
  const message = 'logging is only allowed on rules whose action is skip';
  throw refusal(400, LOGGING_NOT_ALLOWED, message, `/rules/${logging}/logging`);
}
