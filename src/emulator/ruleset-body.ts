import * as z from 'zod';
import { accept, faultsOf, refusal } from './refusal';
import { checkExpression } from './expression/parse';
import { IDENTIFIER } from './identifiers';
import { isJsonObject, type JsonObject } from './json';
import { managedRulesets, phases, type Ruleset } from './ruleset';
import { type Settings } from './scenario';

const identifier = z.string().regex(IDENTIFIER, 'is not 32 hexadecimal digits');
const action = z.enum(['block', 'challenge', 'js_challenge', 'managed_challenge', 'log']);
const change = {
  action: action.optional(),
  enabled: z.boolean().optional(),
  sensitivity_level: z.enum(['default', 'medium', 'low', 'eoff']).optional(),
};

/** Overrides need a property each (public documentation); `lenient` lets a bare key pass. */
const overrides = (lenient: boolean): z.ZodType =>
  atLeast(
    1,
    z.strictObject({
      ...change,
      categories: z
        .array(atLeast(lenient ? 1 : 2, z.strictObject({ category: z.string().min(1), ...change })))
        .optional(),
      rules: z
        .array(
          atLeast(
            lenient ? 1 : 2,
            z.strictObject({
              id: identifier,
              ...change,
              score_threshold: z.int().min(0).optional(),
            }),
          ),
        )
        .optional(),
    }),
  );

/** Parameters of a rule that executes a managed ruleset. */
const executeParameters = (lenient: boolean): z.ZodType =>
  z.strictObject({
    id: identifier.refine(
      (id) => managedRulesets.some((ruleset) => ruleset.id === id),
      'is not the id of a managed ruleset',
    ),
    overrides: overrides(lenient).optional(),
    version: z.string().optional(),
  });

/** Parameters of a rule that skips: at least one of the five forms. */
const skipParameters: z.ZodType = atLeast(
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

/** Parameters of any other action: none that this emulator knows. */
const noParameters: z.ZodType = z.strictObject({});

function atLeast(count: number, shape: z.ZodType): z.ZodType {
  return shape.refine(
    (value) => typeof value !== 'object' || Object.keys(value ?? {}).length >= count,
    'must have at least one property beside its key',
  );
}

/** The code of refused fields. That it is the service's own is not known. */
const INVALID = 20000;
/** Logging on a rule that is no skip rule (public reports: provider issues 7377, 2851). */
const LOGGING_NOT_ALLOWED = 20018;

/** A rule as it is sent; blank and null fields count as left out (spec, "Ruleset rule"). */
export interface RuleDraft {
  readonly id?: string | undefined;
  readonly ref?: string | undefined;
  readonly action: string;
  readonly expression: string;
  readonly description?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly logging?: { readonly enabled?: boolean | undefined } | undefined;
  readonly action_parameters?: JsonObject | undefined;
}

/** The fields of a ruleset that a write may set; left out means: as it was. */
export interface RulesetDraft {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly rules?: readonly RuleDraft[] | undefined;
}

const absent = <T>(value: T | null | undefined): T | undefined => value ?? undefined;
const blank = z
  .string()
  .nullish()
  .transform((value) => (value === '' ? undefined : absent(value)));
const expression = z.string().superRefine((text, context) => {
  const wrong = checkExpression(text);
  if (wrong === undefined) return;
  const message = `'${text}' is not a valid value for expression because ${wrong}`;
  context.addIssue({ code: 'custom', message });
});
const readOnly = z.unknown().optional();
const noLogging = z
  .unknown()
  .optional()
  .superRefine((value, context) => {
    if (value === undefined || value === null) return;
    const message = 'logging is only allowed on rules whose action is skip';
    context.addIssue({ code: 'custom', message, params: { code: LOGGING_NOT_ALLOWED } });
  });
/** Checks a value, and hands it on as it came: the order of its keys is part of later answers. */
const asSent = (shape: z.ZodType) =>
  z
    .json()
    .optional()
    .superRefine((value, context) => {
      for (const { path, message } of shape.safeParse(value).error?.issues.flatMap(faultsOf) ??
        []) {
        context.addIssue({ code: 'custom', path: [...path], message });
      }
    })
    .transform((value) => (isJsonObject(value) ? value : undefined));

const written = {
  id: blank,
  ref: blank,
  expression,
  description: z.string().nullish().transform(absent),
  enabled: z.boolean().nullish().transform(absent),
  // A rule may be sent back as it was read.
  version: readOnly,
  last_updated: readOnly,
  categories: readOnly,
};
const rule = (lenient: boolean): z.ZodType<RuleDraft> =>
  z.discriminatedUnion('action', [
    z.strictObject({
      ...written,
      action: z.literal('execute'),
      logging: noLogging.transform(() => undefined),
      action_parameters: asSent(executeParameters(lenient)),
    }),
    z.strictObject({
      ...written,
      action: z.literal('skip'),
      logging: z
        .strictObject({ enabled: z.boolean().nullish().transform(absent) })
        .nullish()
        .transform(absent),
      action_parameters: asSent(skipParameters),
    }),
    z.strictObject({
      ...written,
      action: z.enum(['block', 'challenge', 'js_challenge', 'managed_challenge', 'log']),
      logging: noLogging.transform(() => undefined),
      action_parameters: asSent(noParameters.nullish()),
    }),
  ]);

/** What a ruleset is and stays: a write may repeat it, and not change it. */
type Fixed = Pick<Ruleset, 'kind' | 'phase'>;

const ruleset = ({ kind, phase }: Fixed, { overridesNeedProperty }: Settings) => ({
  id: readOnly,
  version: readOnly,
  last_updated: readOnly,
  name: z.string().min(1).optional(),
  description: z.string().nullish().transform(absent),
  kind: z.literal(kind).optional(),
  phase: z.literal(phase).optional(),
  rules: z
    .array(rule(!overridesNeedProperty))
    .nullable()
    .transform((rules) => rules ?? [])
    .optional(),
});

/** The body of a PUT: `current` is what stands there, if anything does. @throws Refusal 400 */
export function parseRuleset(
  body: unknown,
  fixed: Fixed,
  current: Ruleset | undefined,
  settings: Settings,
): RulesetDraft {
  return accept(bound(z.strictObject(ruleset(fixed, settings)), current), body, INVALID);
}

/**
 * The body of a write of one rule.
 * @param known the id of the rule that is changed; a new one has none
 * @throws Refusal 400
 */
export function parseRule(
  body: unknown,
  { overridesNeedProperty }: Settings,
  known?: string,
): RuleDraft {
  const draft = accept(rule(!overridesNeedProperty), body, INVALID);
  if (draft.id === undefined || draft.id === known) return { ...draft, id: known };
  const problem = known === undefined ? 'a new rule has no id' : 'does not match the path';
  throw refusal(400, INVALID, `rule "${draft.id}": ${problem}`, '/id');
}

/** The body of a POST: a name, kind `zone`, and a phase are required. @throws Refusal 400 */
export function parseNewRuleset(
  body: unknown,
  settings: Settings,
): RulesetDraft & Pick<Ruleset, 'kind' | 'phase' | 'name'> {
  const shape = z.strictObject({
    ...ruleset({ kind: 'zone', phase: '' }, settings),
    name: z.string().min(1),
    kind: z.literal('zone'),
    phase: z.enum(phases),
  });
  return accept(bound(shape, undefined), body, INVALID);
}

/** A rule may be sent with an identifier only if the ruleset has that rule. */
function bound<T extends RulesetDraft>(shape: z.ZodType<T>, current: Ruleset | undefined) {
  return shape.superRefine(({ rules = [] }, context) => {
    rules.forEach(({ id }, index) => {
      if (id === undefined || current?.rules.some((one) => one.id === id)) return;
      const message = `rule "${id}" is not in this ruleset`;
      context.addIssue({ code: 'custom', path: ['rules', index, 'id'], message });
    });
  });
}
