import { type ComparisonCase } from './comparison-cases';
import { core, managed, rulesetOf, to } from './compared-rulesets';
import { owasp, rule, SCORING } from './old-zone';

const level = (...off: number[]) =>
  off.map((one) => ({ category: `paranoia-level-${one}`, enabled: false }));

/** The OWASP package against rulesets of somebody else. */
export const owaspComparisons: Record<string, ComparisonCase> = {
  'OWASP as it was': {
    settings: { packages: [owasp('medium', 'challenge')] },
    ruleset: rulesetOf(
      core({}, { enabled: false }),
      core({
        categories: [...level(2, 3, 4), { category: 'another', enabled: false }],
        rules: [{ id: SCORING, action: 'challenge', score_threshold: 25 }],
      }),
    ),
  },
  'OWASP that is not deployed': {
    settings: { packages: [owasp('medium', 'simulate')] },
    ruleset: rulesetOf(managed()),
  },
  'OWASP that is overridden as a whole in something else': {
    settings: { packages: [owasp('high', 'block')] },
    ruleset: rulesetOf(core({ enabled: true })),
  },
  'OWASP with an action of its score and of the whole': {
    settings: { packages: [owasp('high', 'block')] },
    ruleset: rulesetOf(core({ action: 'log', rules: [{ id: SCORING, action: 'block' }] })),
  },
  'OWASP by its defaults': {
    settings: { packages: [owasp('high', 'block')] },
    ruleset: rulesetOf(core()),
  },
  'OWASP with the action of the whole ruleset': {
    settings: { packages: [owasp('high', 'challenge')] },
    ruleset: rulesetOf(core({ action: 'managed_challenge', categories: level(2) })),
  },
  'OWASP whose score counts nothing': {
    settings: { packages: [owasp('low', 'simulate')] },
    ruleset: rulesetOf(
      core({ categories: level(1, 2, 3, 4), rules: [{ id: SCORING, enabled: false }] }),
    ),
  },
  'OWASP with an override that can stand for no rule of another ruleset': {
    settings: { packages: [owasp('off')], rules: [rule('ENDING', 'disable')] },
    ruleset: rulesetOf(core({ rules: [to(61, { enabled: false })] })),
  },
  'OWASP that was off': {
    settings: { packages: [owasp('off')] },
    ruleset: rulesetOf(managed(), core({}, { enabled: false }), core()),
  },
  'OWASP that is still off': {
    settings: { packages: [owasp('off')] },
    ruleset: rulesetOf(managed(), core({}, { enabled: false })),
  },
};
