import { type ComparisonCase } from './comparison-cases';
import { core, managed, rulesetOf, SHOP, skip, to } from './compared-rulesets';
import { bypass, override, pageRule, rule } from './old-zone';

const SHOP_IN_OTHER_WORDS =
  'starts_with(http.request.uri.path, "/shop/") and lower(http.host) eq "example.com"';

/** Overrides for some URLs against rulesets of somebody else. */
export const regionComparisons: Record<string, ComparisonCase> = {
  'an override and several rules for its URLs': {
    settings: { overrides: [override({ rules: { R2: 'simulate' } })] },
    ruleset: rulesetOf(
      core({}, { expression: SHOP }),
      managed({ rules: [to(2, { action: 'block' })] }, { expression: SHOP, enabled: false }),
      managed({ rules: [to(2, { action: 'block' })] }, { expression: SHOP_IN_OTHER_WORDS }),
      managed({ rules: [to(2, { action: 'log' })] }, { expression: SHOP }),
      managed(),
    ),
  },
  'overrides that set nothing': {
    settings: { rules: [rule('R1', 'disable'), rule('R2', 'block'), rule('R3', 'challenge')] },
    ruleset: rulesetOf(
      managed({ rules: [to(1), to(2, { enabled: true }), to(3, { action: 'challenge' })] }),
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
  'the WAF off, but for other requests': {
    settings: {
      wafSwitch: { from: 'settings', value: 'off' },
      pageRules: [pageRule({ from: 'on', target: 'a.b/*', waf: 'on' })],
    },
    ruleset: rulesetOf(managed({}, { expression: 'http.host eq "c.d"' })),
  },
};
