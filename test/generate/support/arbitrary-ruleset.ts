import fc from 'fast-check';
import { someText, text } from './arbitrary-text';

/** One rule as the API answers it. */
export interface RuleAnswer {
  id: string;
  ref: string;
  version: string;
  action: string;
  expression: string;
  description?: string;
  enabled: boolean;
  last_updated?: string;
  action_parameters?: Record<string, any>;
  logging?: { enabled: boolean };
  exposed_credential_check?: { username_expression: string; password_expression: string };
}
/** An entry point as the API answers it. */
export interface RulesetAnswer {
  id?: string;
  name: string;
  description?: string;
  kind: string;
  phase: string;
  version?: string;
  last_updated?: string;
  rules: RuleAnswer[];
}

const PHASE = 'http_request_firewall_managed';
const hex = fc.integer({ min: 0, max: 0xfff_ffff }).map((n) => n.toString(16).padStart(32, '1e7'));
const hexes = fc.uniqueArray(hex, { minLength: 1, maxLength: 5 });
const action = fc.constantFrom('block', 'challenge', 'js_challenge', 'managed_challenge', 'log');
const sensitivity = fc.constantFrom('default', 'low', 'medium', 'eoff');

/** Some of the properties, at least one. */
const someOf = (shape: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, any>> =>
  fc
    .record(shape, { requiredKeys: [], noNullPrototype: true })
    .filter((object) => Object.keys(object).length > 0);
const settings = { action, enabled: fc.boolean(), sensitivity_level: sensitivity };

const ruleOverride = fc
  .tuple(hex, someOf({ ...settings, score_threshold: fc.integer({ min: 1, max: 99 }) }))
  .map(([id, changed]): Record<string, any> => ({ id, ...changed }));
const categoryOverride = fc
  .tuple(someText(2), someOf({ action, enabled: fc.boolean() }))
  .map(([category, changed]): Record<string, any> => ({ category, ...changed }));
const overrides = someOf({
  ...settings,
  rules: fc.uniqueArray(ruleOverride, { minLength: 1, maxLength: 5, selector: ({ id }) => id }),
  categories: fc.uniqueArray(categoryOverride, {
    minLength: 1,
    maxLength: 4,
    selector: ({ category }) => category,
  }),
});

const execute = fc
  .record(
    { id: hex, overrides, matched_data: fc.record({ public_key: someText() }) },
    { requiredKeys: ['id'], noNullPrototype: true },
  )
  .map((parameters) => ({
    action: 'execute',
    action_parameters: { ...parameters, version: 'latest' },
  }));
/** Keys of a map, which `terraform fmt` aligns; not those that JavaScript sorts, since order is compared as text. */
const mapKey = fc
  .oneof(hex, fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 }))
  .filter((key) => key !== '__proto__' && !/^\d+$/.test(key));
const skipForm = fc.oneof(
  fc.constant({ ruleset: 'current' }),
  hexes.map((rulesets) => ({ rulesets })),
  fc.dictionary(mapKey, hexes, { minKeys: 1, maxKeys: 4, noNullPrototype: true }).map((rules) => ({
    rules,
  })),
  fc.constant({ phases: ['http_ratelimit', 'http_request_firewall_managed'] }),
  fc.subarray(['bic', 'hot', 'waf', 'zoneLockdown'], { minLength: 1 }).map((products) => ({
    products,
  })),
);
const skip = fc.tuple(skipForm, fc.boolean()).map(([parameters, enabled]) => ({
  action: 'skip',
  action_parameters: parameters,
  logging: { enabled },
}));
const check = fc
  .record({ username_expression: someText(), password_expression: someText() })
  .map((expressions) => ({ action: 'log', exposed_credential_check: expressions }));

const rule: fc.Arbitrary<RuleAnswer> = fc
  .record(
    {
      ref: someText(3),
      expression: someText(12),
      description: text(),
      enabled: fc.boolean(),
      last_updated: fc.constant('2024-03-01T10:00:00.000000Z'),
    },
    { requiredKeys: ['ref', 'expression', 'enabled'], noNullPrototype: true },
  )
  .chain((common) =>
    fc.oneof(execute, skip, check).map((own) => ({ id: '', version: '1', ...common, ...own })),
  );

/** A live entry point: everything has an id, every ref is its own. */
export const liveRuleset: fc.Arbitrary<RulesetAnswer> = fc
  .record({
    name: someText(),
    description: text(),
    rules: fc.uniqueArray(rule, { minLength: 1, maxLength: 5, selector: ({ ref }) => ref }),
  })
  .map(({ name, description, rules }) => ({
    id: 'f'.repeat(32),
    name,
    description,
    kind: 'zone',
    phase: PHASE,
    version: '7',
    last_updated: '2024-03-01T10:00:00.000000Z',
    rules: rules.map((answer, index) => ({ ...answer, id: String(index + 1).padStart(32, 'e') })),
  }));

/** An answer of the configuration endpoint: the same without an id, and with blanks. */
export const configRuleset: fc.Arbitrary<RulesetAnswer> = liveRuleset.map(({ name, rules }) => ({
  name,
  kind: 'zone',
  phase: PHASE,
  rules: rules.map((answer) => ({ ...answer, id: '', version: '', ref: '' })),
}));
