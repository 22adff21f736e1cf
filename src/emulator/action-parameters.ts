import * as z from 'zod';
import { IDENTIFIER } from './identifiers';
import { managedRulesets } from './managed-rulesets';

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
export const executeParameters = (lenient: boolean): z.ZodType =>
  z.strictObject({
    id: identifier.refine(
      (id) => managedRulesets.some((ruleset) => ruleset.id === id),
      'is not the id of a managed ruleset',
    ),
    overrides: overrides(lenient).optional(),
    version: z.string().optional(),
  });

/** Parameters of a rule that skips: at least one of the five forms. */
export const skipParameters: z.ZodType = atLeast(
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
export const noParameters: z.ZodType = z.strictObject({});

function atLeast(count: number, shape: z.ZodType): z.ZodType {
  return shape.refine(
    (value) => typeof value !== 'object' || Object.keys(value ?? {}).length >= count,
    'must have at least one property beside its key',
  );
}
