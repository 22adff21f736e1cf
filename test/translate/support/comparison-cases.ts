import { type Ruleset } from '../../../src/core/ruleset';
import {
  bypass,
  CLOUDFLARE,
  group,
  override,
  owasp,
  pageRule,
  rule,
  type Settings,
} from './legacy-zone';
import {
  CREDENTIALS,
  core,
  managed,
  MANAGED_RULESET,
  OWASP_RULESET,
  rulesetOf,
  run,
  SCORING,
  SHOP,
  skip,
  to,
} from './rulesets';
import { groupId, newId } from './small-catalogue';

/** Legacy settings, and a ruleset that was not translated from them. */
export interface ComparisonCase {
  readonly settings: Settings;
  readonly ruleset: Ruleset;
}

const everyRule = [
  rule('R1', 'disable'),
  rule('R2', 'simulate'),
  rule('R3', 'challenge'),
  ...['SEVERAL', 'ENDING', 'UNPLACED', 'NONE'].map((id) => rule(id, 'disable')),
];
const exceptions = {
  firewallRules: [
    bypass({ from: 'exact', expression: 'ip.src eq 192.0.2.1' }),
    bypass({ from: 'in other words', expression: '(a eq 1 and b eq 2)' }),
    bypass({ from: 'disabled', expression: 'ip.src eq 192.0.2.3' }),
    bypass({ from: 'for less', expression: 'ip.src eq 192.0.2.4' }),
  ],
  pageRules: [
    pageRule({ from: 'cache', target: 'a.b/feed/img/*', priority: 2 }),
    pageRule({ from: 'elsewhere', target: 'c.d/*', priority: 3 }),
    pageRule({ from: 'off', waf: 'off' }),
  ],
  overrides: [
    override({ rules: { R1: 'disable', R2: 'disable' } }),
    override({ from: 'one rule', urls: ['e.f/*'], rules: { R3: 'disable' } }),
    override({ from: 'many', urls: ['g.h/*'], rules: { R4: 'disable' } }),
  ],
};

const level = (...off: number[]) =>
  off.map((one) => ({ category: `paranoia-level-${one}`, enabled: false }));
const many = Array.from({ length: 5 }, (_, at) => `R${at + 1}`);
const five = {
  groups: [group(groupId('a'), 'off')],
  known: {
    packages: [],
    groups: [{ groupId: groupId('a'), name: 'Five', packageId: CLOUDFLARE, rulesCount: 5 }],
    rules: many.map((id) => ({
      ruleId: id,
      groupId: groupId('a'),
      groupName: 'Five',
      packageId: CLOUDFLARE,
    })),
  },
};
/** Each with its answer in test/golden/translate/comparisons. */
export const comparisonCases: Record<string, ComparisonCase> = {
  'a ruleset without rules': {
    settings: {
      packages: [owasp('medium')],
      rules: everyRule,
      ...exceptions,
      wafSwitch: { from: 'settings', value: 'off' },
    },
    ruleset: rulesetOf(),
  },
  'nothing of it in the ruleset': {
    settings: { packages: [owasp('medium')], rules: everyRule, ...exceptions },
    ruleset: rulesetOf(managed(), core()),
  },
  'rules that are overridden': {
    settings: { rules: everyRule },
    ruleset: rulesetOf(
      managed({ rules: [to(1, { enabled: false })] }, { expression: 'http.host eq "a"' }),
      managed(
        {
          rules: [
            to(1, { enabled: false }),
            to(2, { action: 'log', enabled: true }),
            to(3, { action: 'js_challenge', enabled: true }),
            to(41, { action: 'block', enabled: true }),
            to(42, { action: 'block', enabled: false }),
            to(51, { enabled: false }),
            to(61, { action: 'log' }),
            to(99, { score_threshold: 7, action: '' }),
            { enabled: false },
            'no override',
          ],
        },
        { ref: 'general', description: 'Mine', enabled: true },
      ),
      managed({ rules: [to(1, { enabled: true }), to(2, { action: 'log', enabled: true })] }, {}),
      run(CREDENTIALS, { enabled: false }, { enabled: false, description: '' }),
      run(42),
      { action: 'block', expression: 'ip.src eq 192.0.2.9' },
    ),
  },
  'a whole ruleset that is overridden': {
    settings: { rules: everyRule },
    ruleset: rulesetOf(managed({ action: 'managed_challenge', rules: [to(1, { enabled: true })] })),
  },
  'categories that are overridden': {
    settings: { rules: everyRule },
    ruleset: rulesetOf(
      managed({
        action: 'log',
        enabled: false,
        categories: [
          { category: 'wordpress', enabled: false, action: 'block' },
          { category: 'drupal' },
        ],
        rules: [to(2, { action: 'log' }), to(3, { enabled: true })],
      }),
    ),
  },

  'a group of which some rules are off': {
    settings: five,
    ruleset: rulesetOf(
      managed({
        rules: [to(1, { enabled: false }), to(2, { enabled: true }), to(3, { action: 'log' })],
      }),
    ),
  },

  'one exception in two ways': {
    settings: {
      firewallRules: [
        bypass({ expression: 'a eq 1 and b eq 2' }),
        bypass({ from: 'off and on', expression: 'ip.src eq 192.0.2.1' }),
      ],
    },
    ruleset: rulesetOf(
      skip({ ruleset: 'current' }, 'b eq 2 and a eq 1'),
      skip({ ruleset: 'current' }, 'a eq 1 and b eq 2'),
      skip({ ruleset: 'current' }, 'ip.src eq 192.0.2.1', { enabled: false }),
      skip({ ruleset: 'current' }, 'ip.src eq 192.0.2.1'),
      managed(),
    ),
  },
  'the WAF off, but for page rules that nothing runs for': {
    settings: {
      wafSwitch: { from: 'settings', value: 'off' },
      pageRules: [pageRule({ from: 'on', target: 'a.b/*', waf: 'on' })],
    },
    ruleset: rulesetOf(core()),
  },

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
  'OWASP with an override that can stand for no rule of another ruleset': {
    settings: { packages: [owasp('off')], rules: [rule('ENDING', 'disable')] },
    ruleset: rulesetOf(core({ rules: [to(61, { enabled: false })] })),
  },
  'exceptions of every kind': {
    settings: exceptions,
    ruleset: rulesetOf(
      skip({ ruleset: 'current' }, ' (ip.src eq 192.0.2.1) '),
      skip({ ruleset: 'current' }, '(ip.src eq 192.0.2.1)', { enabled: false }),
      skip({ rulesets: [MANAGED_RULESET, OWASP_RULESET] }, 'b eq 2 && a eq 1'),
      skip({ ruleset: 'current' }, 'ip.src eq 192.0.2.3', { enabled: false }),
      skip({ rulesets: [OWASP_RULESET, CREDENTIALS] }, 'ip.src eq 192.0.2.4'),
      skip(
        { ruleset: 'current' },
        'http.host eq "a.b" and starts_with(http.request.uri, "/feed/") and not (http.host eq "a.b" and starts_with(http.request.uri, "/feed/img/")) and not http.host eq "c.d"',
      ),
      skip({ rules: { [MANAGED_RULESET]: [newId(1), 7] } }, SHOP),
      skip({ rulesets: [MANAGED_RULESET] }, 'lower(http.host) eq "e.f"'),
      skip({ rules: { [MANAGED_RULESET]: [newId(41)] } }, 'lower(http.host) eq "g.h"'),
      skip({ rules: { [OWASP_RULESET]: [newId(42)] } }, 'lower(http.host) eq "g.h"'),
      managed(),
    ),
  },
  'the WAF off, but for page rules': {
    settings: {
      wafSwitch: { from: 'settings', value: 'off' },
      pageRules: [pageRule({ from: 'on', target: 'a.b/*', waf: 'on' })],
    },
    ruleset: rulesetOf(managed({}, { expression: 'http.host eq "a.b"' }), core()),
  },
  'the WAF off, and rulesets that run': {
    settings: { wafSwitch: { from: 'settings', value: 'off' } },
    ruleset: rulesetOf(managed({}, { enabled: false }), core()),
  },
};
