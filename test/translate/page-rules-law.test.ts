import fc from 'fast-check';
import { expressionMatches } from './support/expression-model';
import { type ModelRequest, oldMatches } from './support/old-matcher';
import { owasp, pageRule, rulesOf, translate } from './support/old-zone';

const packages = [owasp('off')];

describe('page rules together', () => {
  const targets = [
    'a.b/*',
    'a.b/x*',
    '*.b/x/y',
    'a.b/x?q=*',
    '*a.b/*y',
    'a.b',
    'http://a.b/*',
    'a.b/x',
  ];
  const rules = fc.uniqueArray(
    fc.record({
      target: fc.constantFrom(...targets),
      priority: fc.integer({ min: 1, max: 20 }),
      waf: fc.constantFrom('on', 'off', 'off', undefined),
      active: fc.constantFrom(true, true, true, false),
    }),
    { selector: ({ priority }) => priority, maxLength: 5 },
  );
  const request: fc.Arbitrary<ModelRequest> = fc.record({
    ssl: fc.boolean(),
    host: fc.constantFrom('a.b', 'c.b', 'A.B'),
    path: fc.constantFrom('/', '/x', '/x/y', '/y', '/xy'),
    query: fc.constantFrom('', 'q=1', 'q=y'),
  });

  it('make exceptions for exactly those requests for which the one that counts switches the WAF off', () => {
    const seen = { off: 0, on: 0 };
    fc.assert(
      fc.property(rules, fc.array(request, { minLength: 5, maxLength: 5 }), (drafts, requests) => {
        const pageRules = drafts.map((draft, at) =>
          pageRule({ ...draft, from: `p${at}`, id: `${at}` }),
        );
        const skips = rulesOf(translate({ packages, pageRules })).filter(
          ({ action }) => action === 'skip',
        );
        for (const one of requests) {
          const [counting] = pageRules
            .filter(({ active, target }) => active && oldMatches(target, one, 'page-rule'))
            .sort((a, b) => b.priority - a.priority);
          const off = counting?.waf === 'off';
          seen[off ? 'off' : 'on'] += 1;
          expect(skips.some(({ expression }) => expressionMatches(expression, one))).toBe(off);
        }
      }),
      { numRuns: 500 },
    );
    expect(Math.min(seen.off, seen.on)).toBeGreaterThan(100);
  });
});
