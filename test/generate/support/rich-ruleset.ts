import { type RuleAnswer, type RulesetAnswer } from './arbitrary-ruleset';
import { hazards } from './arbitrary-text';
import { corpus } from './corpus';

/** Of the corpus: what is large, and what is no more than a text. */
const LEFT_OUT = ['a thousand overrides', 'strings of every hazard', 'an expression over 4 KB'];
const hostile = (from: number, to: number): string => hazards.slice(from, to).join(' ');

/** A live entry point of everything that the service is known to answer, as one person may have it. */
export function richRuleset(): RulesetAnswer {
  const rules = Object.entries(corpus)
    .filter(([name]) => !LEFT_OUT.includes(name))
    .flatMap((entry) => entry[1].rules);
  const texts = [0, 20, 40, 60, 80].map((from): Partial<RuleAnswer> => {
    const text = hostile(from, from + 20).normalize('NFC');
    return { action: 'log', expression: `(http.host eq "${text}")`, description: text };
  });
  return {
    id: 'f'.repeat(32),
    name: 'Haupt-WAF  für Größe 中文 "x" ${y}',
    description: 'ours: %{if}, */ and \n a second line',
    kind: 'zone',
    phase: 'http_request_firewall_managed',
    rules: [...rules, ...texts].map((rule, index) => ({
      action: 'log',
      expression: 'true',
      enabled: index % 5 !== 4,
      version: '1',
      ...rule,
      id: index.toString(16).padStart(32, 'e'),
      ref: index % 2 === 0 ? index.toString(16).padStart(32, 'e') : `rule ${index}`,
    })),
  };
}

const override = { id: 'a'.repeat(32), action: 'log' };
const executing = (action_parameters: object, more: object = {}) => ({
  action: 'execute',
  expression: 'true',
  enabled: true,
  action_parameters: { id: 'b'.repeat(32), ...action_parameters },
  ...more,
});

/** A ruleset with something to tell of each rule. */
export const troubledRuleset = {
  id: 'f'.repeat(32),
  name: 'e\u0301',
  account_id: 'a field that no provider can declare',
  rules: [
    executing({ novelty: { deep: 1 }, overrides: { action: '', rules: [{ id: 'A' }] } }),
    executing({ overrides: {} }, { id: '1'.repeat(32) }),
    executing({ overrides: { action: 'odd', categories: [], rules: [override] } }, { ref: 'r' }),
    { ref: 'unknown', action: 'rewrite', expression: 'true', novelty: null, surprise: [{ a: 1 }] },
    { ref: 'half', action: 'log', expression: 'a\ud800b', enabled: true },
    { ref: 'long', action: 'log', expression: 'é'.repeat(2049), enabled: true },
    {
      ref: 'skip',
      action: 'skip',
      expression: 'true',
      enabled: true,
      logging: { enabled: true, loud: true },
      action_parameters: {
        rules: { a: ['b,c'], d: [] },
        phases: 'all',
        overrides: { action: 'log' },
        uri: { path: { value: '/' } },
      },
    },
  ],
};
