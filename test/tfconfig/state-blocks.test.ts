import { App, TerraformStack, Testing } from 'cdktf';
import fc from 'fast-check';
import { quoteHcl } from '../../src/core/terraform-syntax';
import { readModule } from '../../src/tfconfig/read-project';
import {
  startsOf,
  jsonStateBlocks,
  renderHclBlocks,
  renderJsonBlocks,
  renderOverrides,
  blocksOfStack,
} from '../../src/tfconfig/state-blocks';
import { openProject, parseText } from './open-project';

const some = {
  imports: [{ to: 'cloudflare_ruleset.waf', id: 'zone/0123/4567' }],
  removed: ['cloudflare_waf_rule.a', 'module.m["x"].cloudflare_waf_rule.b[0]'],
};
/** Keys that Terraform escapes, as `terraform state list` prints them. */
const ugly = [
  'a.b["with \\"quotes\\""]',
  'a.b["tmpl $${jndi:x} %%{if}"]',
  'a.b["uni ☃ é"]',
  'a.b["new\\nline\\ttab"]',
  'a.b["back\\\\slash[0]"]',
  'a.b[""]',
  'a.b["$"]',
  'a.b["\\u202e"]',
  'module.z["a.b"].a.b[7]',
];

describe('blocks that change the state alone', () => {
  test('in Terraform JSON', () => {
    expect(JSON.parse(renderJsonBlocks(some))).toEqual({
      import: [{ to: 'cloudflare_ruleset.waf', id: 'zone/0123/4567' }],
      removed: [
        { from: 'cloudflare_waf_rule.a', lifecycle: { destroy: false } },
        { from: 'module.m.cloudflare_waf_rule.b', lifecycle: { destroy: false } },
      ],
    });
  });

  test('one removed block for all instances, and nothing for nothing', () => {
    const removed = ['a.b[0]', 'a.b[1]', 'a.b["x"]', 'module.m[0].a.b', 'module.m[1].a.b'];
    expect(jsonStateBlocks({ imports: [], removed })['removed']).toHaveLength(2);
    const none = { imports: [], removed: [] };
    expect([renderHclBlocks(none), jsonStateBlocks(none), renderOverrides(none)]).toEqual([
      ...['', {}, ''],
    ]);
  });

  test.each(ugly)('trap 2.4: the address %s is the same in both, escaped once', async (to) => {
    const one = { imports: [{ to, id: 'x' }], removed: [] };
    const hcl = readModule('.', [await parseText(renderHclBlocks(one))]);
    const json = readModule('.', [await parseText(renderJsonBlocks(one), 'a.tf.json')]);
    expect(hcl.stateBlocks[0]?.to).toBe(to);
    expect(json.stateBlocks[0]?.to).toBe(to);
  });

  test.each(['a.b["${x}"]', 'a.b }\nresource "x" "y" {', 'a..b'])(
    'no address like %j',
    (address) => {
      const refused = expect.objectContaining({
        code: 'ADDRESS_INVALID',
        message: expect.stringMatching(/is not a resource address$/),
      });
      expect(() => renderHclBlocks({ imports: [{ to: address, id: 'x' }], removed: [] })).toThrow(
        refused,
      );
      expect(() => jsonStateBlocks({ imports: [], removed: [address] })).toThrow(refused);
    },
  );

  test.each(['', 'a"b', '${x}', 'a b', 'a\nb'])('no import id like %j', (id) => {
    expect(() => renderHclBlocks({ imports: [{ to: 'a.b', id }], removed: [] })).toThrow(
      expect.objectContaining({
        code: 'ADDRESS_INVALID',
        message: expect.stringContaining('is not an import id'),
        hint: 'pass an id such as zone/<zone id>/<ruleset id>',
      }),
    );
  });
});

/** What a stack synthesises once its user has pasted the text. */
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
          imports: [{ to: `cloudflare_ruleset.a[${quoteHcl(key)}]`, id: 'zones/a/b' }],
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
    expect(synthesised(renderOverrides(blocks, blocksOfStack(project)))).toMatchObject({
      import: [imported, own['import']![0]],
      removed: [filter, own['removed']![0]],
    });
  });

  it('say that they replace one, where the stack has it in the file that CDKTF writes', async () => {
    const block = { from: 'cloudflare_filter.office', lifecycle: { destroy: false } };
    const project = await openProject({
      'cdk.tf.json': JSON.stringify({ removed: [block] }),
      'other.tf.json': JSON.stringify({ import: [{ to: 'x.c', id: 'c' }], removed: [block] }),
      'main.tf': 'removed {\n  from = x.other\n}\n',
    });
    const blocks = {
      imports: [{ to: 'cloudflare_ruleset.waf', id: 'zones/a/b' }],
      removed: ['cloudflare_waf_rule.b'],
    };
    const lines = renderOverrides(blocks, blocksOfStack(project)).split('\n');
    expect(lines.filter((line) => /^(?:\/\/|stack)|"(?:from|to)"/.test(line))).toEqual([
      "stack.addOverride('import', [",
      expect.stringContaining('cloudflare_ruleset.waf'),
      expect.stringMatching(/^\/\/ /),
      "stack.addOverride('removed', [",
      expect.stringContaining('cloudflare_filter.office'),
      expect.stringContaining('cloudflare_waf_rule.b'),
    ]);
  });
});

const removed = (from: string, destroy: string) =>
  `removed {\n  from = ${from}\n  lifecycle {\n    destroy = ${destroy}\n  }\n}\n`;
const forgottenIn = async (files: Record<string, string>) =>
  startsOf(await openProject(files), 'removed');

describe('the addresses of `removed` blocks', () => {
  test('are resources and modules, without those that would be destroyed', async () => {
    const text = [
      removed('cloudflare_waf_rule.a', 'false'),
      removed('module.old', 'false'),
      removed('cloudflare_waf_rule.b', 'true'),
      'removed {\n  from = cloudflare_waf_rule.c\n}\n',
      'removed {\n  lifecycle {\n    destroy = false\n  }\n}\n',
      removed('cloudflare_waf_rule.d', 'false').replace('removed', 'moved'),
    ].join('\n');
    expect(await forgottenIn({ 'main.tf': text })).toEqual(['cloudflare_waf_rule.a', 'module.old']);
  });
});
