import { parseUrlPattern } from '../../src/translate/patterns/url-pattern';
import { planRegions } from '../../src/translate/reading/plan-regions';
import { type Scope } from '../../src/translate/reading/scope';

/** Overrides, each for all of the requests of the one before that begin with one letter more. */
function nested(count: number) {
  let looks = 0;
  const scopes = Array.from({ length: count }, (_, index): Scope => {
    const pattern = parseUrlPattern(`example.com/${'a'.repeat(index)}*`, 'override');
    if ('problem' in pattern) throw new Error(pattern.problem);
    return {
      ...{ from: `o${index}`, id: undefined, description: '', priority: index },
      ...{ expression: `e${index}`, claims: new Map(), all: undefined, missing: new Map() },
      get patterns() {
        looks += 1;
        return [pattern];
      },
    };
  });
  return { scopes, looks: () => looks };
}

describe('overrides that lie in each other', () => {
  it('divide the requests by the innermost one', () => {
    const { regions, general } = planRegions(nested(3).scopes, 'true');
    expect(regions.map(({ expression }) => expression)).toEqual([
      ...['e2', 'e1 and not (e2)', 'e0 and not (e1 or e2)'],
    ]);
    expect(general).toBe('not (e0 or e1 or e2)');
  });

  it('are compared once with each other, however many regions they are in', () => {
    const count = 60;
    const { scopes, looks } = nested(count);
    planRegions(scopes, 'true');
    expect(looks()).toBeLessThan(3 * count ** 2);
  });
});
