import { App, Testing, TerraformStack } from 'cdktf';
import fc from 'fast-check';
import { jsonStateBlocks } from '../../src/blocks/render-blocks';
import { renderOverrides } from '../../src/blocks/render-overrides';
import { quoteKey } from '../../src/state/quote-key';

/** What a stack synthesises once a person has pasted the text. */
function synthesised(code: string): Record<string, unknown> {
  const stack = new TerraformStack(new App({ skipValidation: true }), 'waf');
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  new Function('stack', code)(stack);
  return JSON.parse(Testing.synth(stack));
}

describe('overrides of a CDKTF stack', () => {
  it('synthesise to the blocks, whatever the keys are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (key) => {
        fc.pre(!/\$\{TfToken\[/.test(key));
        const blocks = {
          imports: [{ to: `cloudflare_ruleset.a[${quoteKey(key)}]`, id: 'zones/a/b' }],
          removed: ['cloudflare_waf_rule.b', 'module.c.cloudflare_waf_group.d'],
        };
        expect(synthesised(renderOverrides(blocks))).toMatchObject(jsonStateBlocks(blocks));
      }),
    );
  });

  it('of nothing are nothing', () => {
    expect(renderOverrides({ imports: [], removed: [] })).toBe('');
  });
});
