import fc from 'fast-check';
import { configRuleset, liveRuleset, type RulesetAnswer } from './support/arbitrary-ruleset';
import { corpus } from './support/corpus';
import { everything } from './support/everything';
import { expectedResource } from './support/expected-resource';
import { textOf } from './support/generate-files';
import { answers, majors } from './support/live-answer';
import { readers, standaloneFormats } from './support/read-back';
import { runs } from './support/runs';
import { typeErrors } from './support/type-check';

/** CDKTF is tried with the installed bindings, which are those of provider 5. */
const forms = standaloneFormats.flatMap((format) =>
  (format === 'cdktf' ? ([5] as const) : majors).map((major) => [format, major] as const),
);
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;

describe.each(forms)(
  'as %s for provider %i, a stack declares what the API returned:',
  (format, provider) => {
    const expectSame = async (answer: RulesetAnswer) => {
      const text = textOf(answer, { format, provider });
      expect(text.replaceAll('\n', '')).not.toMatch(HIDDEN);
      expect(await readers[format](text)).toEqual(expectedResource(answer, provider));
    };

    it.each(Object.entries(corpus))('%s', (_, answer) => expectSame(answer));

    it('any ruleset, with hidden characters as escapes', () =>
      fc.assert(fc.asyncProperty(liveRuleset, expectSame), runs(format === 'hcl' ? 60 : 150)));
  },
);

it.each(standaloneFormats)('every field of provider 5 is in %s', async (format) => {
  const text = textOf(everything(), { format });
  expect(await readers[format](text)).toEqual(expectedResource(everything(), 5));
});

describe('a stack in TypeScript', () => {
  const some = [everything(), ...Object.values(answers)];

  it('compiles under strict with the real bindings, also as a construct', () => {
    const random = [...fc.sample(liveRuleset, 20), ...fc.sample(configRuleset, 10)];
    const answers = [...some, ...Object.values(corpus), ...random];
    const sources = [
      ...answers.map((answer) => textOf(answer, { format: 'cdktf' })),
      ...some.map((answer) => textOf(answer, { format: 'construct' })),
    ];
    expect(typeErrors(sources)).toEqual([]);
  });

  it('would not compile with a misspelt field', () => {
    const source = textOf(everything(), { format: 'cdktf' }).replace('expression:', 'expresion:');
    expect(typeErrors([source])).toEqual([expect.stringContaining("'expresion' does not exist")]);
  });
});
