import { type Ruleset } from '../../../src/core/ruleset';
import { CREDENTIALS, core, managed, rulesetOf, run, SHOP, skip, to } from './compared-rulesets';
import {
  bypass,
  MANAGED_RULESET,
  override,
  owasp,
  OWASP_RULESET,
  pageRule,
  rule,
  type Settings,
} from './old-zone';
import { groupComparisons } from './group-comparisons';
import { owaspComparisons } from './owasp-comparisons';
import { regionComparisons } from './region-comparisons';
import { newId } from './small-catalogue';

/** Old settings, and a ruleset that was made by somebody else. */
export interface ComparisonCase {
  readonly settings: Settings;
  readonly ruleset: Ruleset;
}

const everyRule = [
  rule('R1', 'disable'),
  rule('R2', 'simulate'),
  rule('R3', 'challenge'),
  ...['SEVERAL', 'ENDING', 'UNPLACED', 'NONE'].map((id) => rule(id, 'disable')),
  rule('PAIR', 'block'),
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
    override({ from: 'many', urls: ['g.h/*'], rules: { PAIR: 'disable' } }),
  ],
};
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
            to(3, { action: 'js_challenge' }),
            to(41, { action: 'block' }),
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
    settings: { rules: everyRule, overrides: [override({ rules: { R4: 'block' } })] },
    ruleset: rulesetOf(managed({ action: 'managed_challenge', rules: [to(1, { enabled: true })] })),
  },
  'a whole ruleset that is off': {
    settings: { rules: everyRule },
    ruleset: rulesetOf(managed({ enabled: false })),
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
  'overrides that may stand for old rules': {
    settings: {
      rules: [
        rule('SEVERAL', 'simulate'),
        rule('ENDING', 'simulate'),
        rule('UNPLACED', 'challenge'),
      ],
    },
    ruleset: rulesetOf(
      managed({
        rules: [
          to(52, { action: 'log' }),
          { id: `${'1'.repeat(24)}00000051`, enabled: false },
          { id: `${'2'.repeat(24)}00000061`, action: 'log', enabled: true },
          to(71, { action: 'js_challenge' }),
        ],
      }),
      core({ rules: [to(91, { enabled: false })] }),
    ),
  },
  ...groupComparisons,
  ...regionComparisons,
  ...owaspComparisons,
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
        'http.host eq "a.b" and starts_with(http.request.uri, "/feed/") and not ((http.host eq "a.b" and starts_with(http.request.uri, "/feed/img/")) or http.host eq "c.d")',
      ),
      skip({ rules: { [MANAGED_RULESET]: [newId(1), 7] } }, SHOP),
      skip({ rulesets: [MANAGED_RULESET] }, 'lower(http.host) eq "e.f"'),
      skip({ rules: { [MANAGED_RULESET]: [newId(41)] } }, 'lower(http.host) eq "g.h"'),
      skip({ rules: { [OWASP_RULESET]: [newId(42)] } }, 'lower(http.host) eq "g.h"'),
      managed(),
    ),
  },
  'overrides that let rules act': {
    settings: {
      rules: [rule('R1', 'block')],
      overrides: [
        override({ rules: { R1: 'default', R2: 'simulate', R3: 'challenge', R4: 'block' } }),
        override({ from: 'default', urls: ['k.l/*'], rules: { R1: 'default' } }),
      ],
    },
    ruleset: rulesetOf(
      managed(
        { rules: [to(2, { action: 'log' }), to(3, { action: 'managed_challenge' })] },
        { expression: SHOP },
      ),
      managed({ rules: [to(1, { enabled: false })] }, { expression: 'http.host eq "k.l"' }),
      managed({ rules: [to(1, { action: 'block' })] }, { expression: `not (${SHOP})` }),
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
