import fc from 'fast-check';
import { configRuleset, liveRuleset } from '../generate/support/arbitrary-ruleset';
import { corpus } from '../generate/support/corpus';
import { everything } from '../generate/support/everything';
import { expectedResource } from '../generate/support/expected-resource';
import { textOf } from '../generate/support/generate-files';
import { readStack } from '../generate/support/read-back';
import { typeErrors } from '../generate/support/type-check';
import { cdktnProject } from '../support/cdktn-project';

const textFor = (answer: unknown): string =>
  textOf(answer, {
    ...{ provider: 5, format: 'cdktf', flavor: 'cdktn' },
    bindings: '@cdktn/provider-cloudflare/lib',
  });

describe('with the core of CDK Terrain, a stack of flavor cdktn', () => {
  it('compiles under strict', () => {
    const random = [...fc.sample(liveRuleset, 20), ...fc.sample(configRuleset, 10)];
    const sources = [...Object.values(corpus), everything(), ...random].map(textFor);
    expect(typeErrors(sources, cdktnProject().paths)).toEqual([]);
  }, 300_000);

  it('imports nothing of CDKTF', () => {
    expect(textFor(everything())).not.toMatch(/from '@?cdktf/);
  });

  it('would not compile, were a field misspelt', () => {
    const source = textFor(everything()).replace('expression:', 'expresion:');
    expect(typeErrors([source], cdktnProject().paths)).toEqual([
      expect.stringContaining("'expresion' does not exist"),
    ]);
  });

  it.each(Object.entries(corpus))('is synthesised to %s', (_, answer) => {
    const resource = readStack(textFor(answer), 'managed_rules', cdktnProject().load);
    expect(resource).toEqual(expectedResource(answer, 5));
  });
});
