import fc from 'fast-check';
import { anyCharacter } from '../support/any-character';
import { parseExpression } from '../../src/emulator/expression/parse';
import { MAX_EXPRESSION, quote } from '../../src/ruleset/expressions';
import {
  parseUrlPattern,
  type PatternKind,
  patternsExpression,
} from '../../src/translate/reading/url-pattern';
import { expressionMatches } from './support/expression-model';
import { glob, type ModelRequest, oldMatches } from './support/old-matcher';
import { parsed, request } from './support/url-patterns';

// few letters, so that random requests meet random patterns
const letters = (special: string) =>
  fc
    .array(fc.constantFrom('a', 'b', 'A', ...special.split('')), { maxLength: 4 })
    .map((all) => all.join(''));
const host = fc.array(letters('.*'), { maxLength: 3 }).map((parts) => parts.join('b') || 'a');
const path = letters('/*\\"').map((text) => `/${text}`);
const scheme = fc.constantFrom('', '', '', 'https://', 'http://', '*://', 'HTTPS://');
const patternText = fc
  .tuple(scheme, host, fc.option(path, { nil: '*' }))
  .map((parts) => parts.join(''));
const anyRequest: fc.Arbitrary<ModelRequest> = fc.record({
  ssl: fc.boolean(),
  host: letters('.').map((text) => text || 'a'),
  path: letters('/\\"*').map((text) => `/${text}`),
  query: letters('=&/'),
});
/** A request that a pattern is likely to match: its stars are filled in. */
const fitting = (pattern: string) =>
  fc
    .tuple(anyRequest, fc.array(letters('/.'), { minLength: 9, maxLength: 9 }))
    .map(([base, fills]) => {
      const text = pattern.replace(/^[^/]*:\/\//, '').replace(/\*/g, () => fills.pop() ?? '');
      const slash = text.indexOf('/');
      return {
        ...base,
        host: (slash < 0 ? text : text.slice(0, slash)).replaceAll('/', ''),
        path: slash < 0 ? base.path : text.slice(slash).replaceAll('?', ''),
      };
    });

describe('an expression for old URL patterns', () => {
  it.each<PatternKind>(['override', 'page-rule'])(
    'matches the very requests that the old %s matched',
    (kind) => {
      const cases = fc
        .array(patternText, { minLength: 1, maxLength: 3 })
        .filter((texts) => texts.every((text) => 'host' in parseUrlPattern(text, kind)))
        .chain((texts) =>
          fc.tuple(fc.constant(texts), fc.oneof(anyRequest, ...texts.map(fitting))),
        );
      const seen = { matched: 0, missed: 0 };
      fc.assert(
        fc.property(cases, ([texts, one]) => {
          const old = texts.some((text) => oldMatches(text, one, kind));
          const all = texts.map((text) => parsed(text, kind));
          const now = patternsExpression(all);
          expect(expressionMatches(now, one)).toBe(old);
          expect(() => parseExpression(now)).not.toThrow();
          seen[old ? 'matched' : 'missed'] += 1;
        }),
        { numRuns: 2000 },
      );
      // a law about requests that never match would say nothing
      expect(Math.min(seen.matched, seen.missed)).toBeGreaterThan(200);
    },
  );

  it('never makes an expression that cannot be saved by itself', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000, unit: anyCharacter }), (text) => {
        const pattern = parseUrlPattern(`a.b/${text}`, 'override');
        if ('host' in pattern) {
          expect(patternsExpression([pattern]).length).toBeLessThanOrEqual(MAX_EXPRESSION);
        }
      }),
    );
  });
});

describe('the models of both matchers', () => {
  it('agree on what a star is', () => {
    const stars = letters('*/');
    const quoted = (text: string) => quote(`/${text.replace(/\*+/g, '*')}`);
    fc.assert(
      fc.property(stars, letters('/'), (pattern, text) => {
        const one = { ...request('https://a.b/'), path: `/${text}` };
        const wanted = glob(`/${pattern}`, `/${text}`);
        const now = `http.request.uri.path strict wildcard ${quoted(pattern)}`;
        expect(expressionMatches(now, one)).toBe(wanted);
      }),
    );
  });
});
