import { App, TerraformStack, Testing } from 'cdktf';
import fc from 'fast-check';
import { jsonStateBlocks, renderOverrides } from '../../src/tfconfig/state-blocks';
import { quoteKey } from '../../src/core/resource-address';
import { openProject } from './open-project';

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

  it('keep those that the stack has, whose list they replace', async () => {
    const blocks = {
      imports: [{ to: 'cloudflare_ruleset.waf', id: 'zones/a/b' }],
      removed: ['cloudflare_waf_rule.b'],
    };
    const filter = {
      from: 'cloudflare_filter.office',
      lifecycle: { destroy: false },
      provisioner: { 'local-exec': { command: 'echo ${self.id}', when: 'destroy' } },
    };
    const again = { from: 'cloudflare_waf_rule.b["x"]', lifecycle: { destroy: true } };
    const imported = {
      for_each: '${local.all}',
      to: 'cloudflare_record.r[each.key]',
      id: '${each.value}',
    };
    const stack = { import: [imported], removed: [filter, again] };
    const project = await openProject({ 'cdk.tf.json': JSON.stringify(stack) });
    const own = jsonStateBlocks(blocks) as Record<string, [unknown]>;
    expect(synthesised(renderOverrides(blocks, project))).toMatchObject({
      import: [imported, own['import']![0]],
      removed: [filter, own['removed']![0]],
    });
  });

  it('say that they replace one where the stack has it, and there alone', async () => {
    const stack = { removed: [{ from: 'cloudflare_filter.office' }] };
    const project = await openProject({ 'cdk.tf.json': JSON.stringify(stack) });
    const blocks = {
      imports: [{ to: 'cloudflare_ruleset.waf', id: 'zones/a/b' }],
      removed: ['cloudflare_waf_rule.b'],
    };
    const lines = renderOverrides(blocks, project).split('\n');
    expect(lines.filter((line) => /^(?:\/\/|stack)/.test(line))).toEqual([
      "stack.addOverride('import', [",
      '// in place of the one that the stack has, whose blocks come first',
      "stack.addOverride('removed', [",
    ]);
  });

  it('of nothing are nothing', () => {
    expect(renderOverrides({ imports: [], removed: [] })).toBe('');
  });
});
