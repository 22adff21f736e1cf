import { type RuleAnswer, type RulesetAnswer } from './arbitrary-ruleset';
import { hazards } from './arbitrary-text';
import { ACTIONS, SENSITIVITIES, SKIPS } from './corpus';

type Corpus = readonly RulesetAnswer[];
type Feature = (corpus: Corpus) => boolean;

const rules = (corpus: Corpus): RuleAnswer[] => corpus.flatMap((ruleset) => ruleset.rules);
const some =
  (test: (rule: RuleAnswer) => boolean): Feature =>
  (corpus) =>
    rules(corpus).some(test);
const parameters = (rule: RuleAnswer): Record<string, any> => rule.action_parameters ?? {};
const overrides = (rule: RuleAnswer): Record<string, any> => parameters(rule)['overrides'] ?? {};
const listed = (rule: RuleAnswer, list: 'rules' | 'categories'): Record<string, any>[] =>
  overrides(rule)[list] ?? [];
const named = (entries: readonly [string, Feature][]): Record<string, Feature> =>
  Object.fromEntries(entries);

/** Every feature that the corpus must have; what is taken out of it turns the check red. */
export const features: Record<string, Feature> = {
  ...named(
    ['execute', 'skip', ...ACTIONS].map((action) => [
      `a rule with action ${action}`,
      some((rule) => rule.action === action),
    ]),
  ),
  ...named(
    ACTIONS.map((action) => [
      `an override of a rule with action ${action}`,
      some((rule) => listed(rule, 'rules').some((one) => one['action'] === action)),
    ]),
  ),
  ...named(
    ['action', 'enabled', 'score_threshold', 'sensitivity_level'].map((key) => [
      `an override of a rule with ${key}`,
      some((rule) => listed(rule, 'rules').some((one) => key in one)),
    ]),
  ),
  ...named(
    SENSITIVITIES.map((level) => [
      `a sensitivity of ${level}`,
      some((rule) => listed(rule, 'rules').some((one) => one['sensitivity_level'] === level)),
    ]),
  ),
  ...named(
    ['action', 'enabled'].map((key) => [
      `an override of a category with ${key}`,
      some((rule) => listed(rule, 'categories').some((one) => key in one)),
    ]),
  ),
  ...named(
    ['action', 'enabled', 'sensitivity_level'].map((key) => [
      `an override of a ruleset with ${key}`,
      some((rule) => key in overrides(rule)),
    ]),
  ),
  ...named(
    Object.keys(SKIPS).flatMap((form) =>
      [true, false].map((enabled): [string, Feature] => [
        `a skip of ${form} with logging ${enabled ? 'on' : 'off'}`,
        some(
          (rule) =>
            rule.action === 'skip' && form in parameters(rule) && rule.logging?.enabled === enabled,
        ),
      ]),
    ),
  ),
  ...named(
    [2, 3, 4].map((level) => [
      `OWASP paranoia level ${level} that is off`,
      some((rule) =>
        listed(rule, 'categories').some(
          ({ category, enabled }) => category === `paranoia-level-${level}` && enabled === false,
        ),
      ),
    ]),
  ),
  ...named(
    hazards.map((hazard) => [
      `the text ${JSON.stringify(hazard)} in an expression and a description`,
      some(({ expression, description = '' }) => {
        const text = `a${hazard}b`.normalize('NFC');
        return expression.includes(text) && description.includes(text);
      }),
    ]),
  ),
  'trap 0.5: a rule that is off': some((rule) => !rule.enabled),
  'trap 0.6: a ref that is the id': some((rule) => rule.ref === rule.id),
  'trap 0.6: a ref that is not the id': some((rule) => rule.ref !== rule.id),
  'trap 0.7: a rule without logging that is no skip': some(
    (rule) => rule.action !== 'skip' && rule.logging === undefined,
  ),
  'trap 0.9: enabled inside of overrides': some((rule) =>
    listed(rule, 'rules').some((one) => one['enabled'] === false),
  ),
  'a list that is not in the order of the alphabet': some((rule) => {
    const products: string[] = parameters(rule)['products'] ?? [];
    return products.length > 1 && products.join() !== [...products].sort().join();
  }),
  'one managed ruleset in several rules of one entry point': (corpus) =>
    corpus.some((ruleset) => {
      const ids = ruleset.rules.flatMap((rule) => parameters(rule)['id'] ?? []);
      return new Set(ids).size < ids.length;
    }),
  'a check for exposed credentials': some((rule) => rule.exposed_credential_check !== undefined),
  'a public key for payloads': some((rule) => 'matched_data' in parameters(rule)),
  'an entry point without any override': (corpus) =>
    corpus.some(
      (ruleset) =>
        ruleset.name === 'default' &&
        ruleset.rules.every((rule) => Object.keys(parameters(rule)).join() === 'id,version') &&
        ruleset.rules.every(({ expression, ref, id }) => expression === 'true' && ref === id),
    ),
  'a thousand overrides': some((rule) => listed(rule, 'rules').length === 1000),
  'a rule with a description': some((rule) => Boolean(rule.description)),
  'a rule with an empty description': some((rule) => rule.description === ''),
  'a rule without a description': some((rule) => rule.description === undefined),
  'an expression over 4 KB': some((rule) => rule.expression.length > 4096),
  'the name default': (corpus) => corpus.some(({ name }) => name === 'default'),
  'a name with spaces and other scripts': (corpus) =>
    corpus.some(({ name }) => / /.test(name) && /[^\0-\x7f]/.test(name)),
  'a name of 10 KB': (corpus) => corpus.some(({ name }) => name.length >= 10_240),
  'a ruleset with a description': (corpus) => corpus.some((one) => Boolean(one.description)),
  'a ruleset with an empty description': (corpus) => corpus.some((one) => one.description === ''),
  'a description of several lines': (corpus) =>
    corpus.some(({ description = '' }) => description.includes('\n')),
  'a description of 10 KB': (corpus) =>
    corpus.some(({ description = '' }) => description.length >= 10_240),
};
