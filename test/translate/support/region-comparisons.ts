import { type ComparisonCase } from './comparison-cases';
import { core, managed, rulesetOf, SHOP, skip, to } from './compared-rulesets';
import { bypass, override, pageRule, rule } from './old-zone';
import { rewriteAll } from './override-cases';

const SHOP_IN_OTHER_WORDS =
  'starts_with(http.request.uri.path, "/shop/") and lower(http.host) eq "example.com"';
const TOYS = 'lower(http.host) eq "example.com" and http.request.uri.path eq "/shop/toys"';

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
  'an override whose URLs are in several rules': {
    settings: {
      overrides: [
        override({
          rules: { R1: 'block', R2: 'block', R3: 'challenge', R4: 'block', R5: 'block' },
        }),
        override({
          from: 'toys',
          priority: 2,
          urls: ['example.com/shop/toys'],
          rules: { TWIN1: 'block' },
        }),
      ],
    },
    ruleset: rulesetOf(
      managed(
        {
          rules: [
            to(1, { action: 'block' }),
            to(2, { action: 'log' }),
            to(3, { action: 'challenge' }),
            to(5, { action: 'block' }),
          ],
        },
        { expression: TOYS },
      ),
      managed(
        {
          rules: [
            to(1, { action: 'log' }),
            to(2, { action: 'block' }),
            to(3, { action: 'managed_challenge' }),
            to(4, { action: 'block' }),
            to(5, { action: 'block' }),
          ],
        },
        { expression: `${SHOP} and not (${TOYS})` },
      ),
      managed(),
    ),
  },
  'actions that were rewritten': {
    settings: {
      overrides: [
        override({ rewriteAction: rewriteAll('block') }),
        override({ from: 'by rules', urls: ['e.f/*'], rewriteAction: rewriteAll('block') }),
        override({ from: 'managed', urls: ['g.h/*'], rewriteAction: rewriteAll('challenge') }),
        override({ from: 'same', urls: ['i.j/*'], rewriteAction: rewriteAll('challenge') }),
      ],
    },
    ruleset: rulesetOf(
      managed(
        {
          action: 'block',
          rules: [
            to(7, { action: 'block' }),
            to(8, { action: 'block', enabled: false }),
            to(9, { action: 'log' }),
            to(10, { enabled: false }),
          ],
        },
        { expression: SHOP },
      ),
      managed({ rules: [to(7, { action: 'block' })] }, { expression: 'http.host eq "e.f"' }),
      managed({ action: 'managed_challenge' }, { expression: 'http.host eq "g.h"' }),
      managed({ action: 'challenge' }, { expression: 'http.host eq "i.j"' }),
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
