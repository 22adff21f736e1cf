import { type RuleAnswer, type RulesetAnswer } from './arbitrary-ruleset';
import { hazards } from './arbitrary-text';
import { corpus } from './corpus';

/** Cases of the corpus that are large, or only a text. */
const LEFT_OUT = ['a thousand overrides', 'strings of every hazard', 'an expression over 4 KB'];
const hostile = (from: number, to: number): string => hazards.slice(from, to).join(' ');

/** A live entry point with every known feature of the API. */
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
