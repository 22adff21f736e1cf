import fc from 'fast-check';
import { configRuleset, liveRuleset } from '../generate/support/arbitrary-ruleset';
import { corpus } from '../generate/support/corpus';
import { everything } from '../generate/support/everything';
import { expectedResource } from '../generate/support/expected-resource';
import { textOf } from '../generate/support/generate-files';
import { readStack } from '../generate/support/read-back';
import { typeErrors } from '../generate/support/type-check';
import { pathsWith, requireWith } from '../support/cdktf-project';

/** In Terraform JSON, a single block means the same as a list of one: the oldest bindings write it. */
function unlisted(value: any): any {
  if (Array.isArray(value)) {
    const items = value.map(unlisted);
    return items.length === 1 && typeof items[0] === 'object' ? items[0] : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unlisted(inner)]));
}

describe.each([3, 4] as const)('with the bindings of provider %s, an emitted stack', (provider) => {
  const textFor = (answer: unknown): string => textOf(answer, { provider, format: 'cdktf' });

  it('compiles under strict', () => {
    const random = [...fc.sample(liveRuleset, 20), ...fc.sample(configRuleset, 10)];
    const sources = [...Object.values(corpus), everything(), ...random].map(textFor);
    expect(typeErrors(sources, pathsWith(provider))).toEqual([]);
  }, 300_000);

  it('would not compile, were a field misspelt', () => {
    const source = textFor(everything()).replace('expression:', 'expresion:');
    expect(typeErrors([source], pathsWith(provider))).toEqual([
      expect.stringContaining("'expresion' does not exist"),
    ]);
  });

  it.each(Object.entries(corpus))('is synthesised to %s', (_, answer) => {
    const resource = readStack(textFor(answer), 'managed_rules', requireWith(provider));
    expect(unlisted(resource)).toEqual(unlisted(expectedResource(answer, provider)));
  });
});
