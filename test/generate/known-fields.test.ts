import { findUnknown } from '../../src/generate/known-fields';
import { type JsonObject } from '../../src/model/json';

const told = (fields: JsonObject) =>
  findUnknown({ action: 'execute', expression: 'true', fields }, 'rules[0]').map(
    ({ subject }) => subject,
  );
const odd = { odd: 1 };
const setting = { enabled: odd, action: 'log', sensitivity_level: odd };

it('is nothing below a field that is known as a whole, whatever it holds', () => {
  const fields = {
    version: odd,
    last_updated: odd,
    categories: odd,
    logging: { enabled: odd },
    exposed_credential_check: { username_expression: odd, password_expression: odd },
    action_parameters: {
      id: odd,
      version: odd,
      ruleset: odd,
      rulesets: odd,
      rules: odd,
      phases: odd,
      products: odd,
      matched_data: { public_key: odd },
      overrides: {
        ...setting,
        categories: [{ ...setting, category: odd }],
        rules: [{ ...setting, id: odd, score_threshold: odd }],
      },
    },
  };
  expect(told(fields)).toEqual([]);
});

it.each<[string, JsonObject]>([
  ['in text that stands for an object', { logging: 'text', action_parameters: { overrides: 'x' } }],
  ['in an action that is no text', { action_parameters: { overrides: { action: 7 } } }],
  ['where nothing is', { novelty: null }],
])('is nothing %s', (_, fields) => {
  expect(told(fields)).toEqual([]);
});
