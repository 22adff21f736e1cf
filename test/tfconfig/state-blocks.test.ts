import { App, TerraformStack, Testing } from 'cdktf';
import fc from 'fast-check';
import { quoteKey } from '../../src/core/resource-address';
import { readModule } from '../../src/tfconfig/read-project';
import {
  startsOf,
  hasMoves,
  jsonStateBlocks,
  pendingMoves,
  renderHclBlocks,
  renderJsonBlocks,
  renderOverrides,
  synthesisedBlocks,
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
  test('in HCL', () => {
    expect(renderHclBlocks(some)).toBe(
      [
        'import {',
        '  to = cloudflare_ruleset.waf',
        '  id = "zone/0123/4567"',
        '}',
        '',
        'removed {',
        '  from = cloudflare_waf_rule.a',
        '',
        '  lifecycle {',
        '    destroy = false',
        '  }',
        '}',
        '',
        'removed {',
        '  from = module.m.cloudflare_waf_rule.b',
        '',
        '  lifecycle {',
        '    destroy = false',
        '  }',
        '}',
        '',
      ].join('\n'),
    );
  });

  test('in Terraform JSON', () => {
    expect(JSON.parse(renderJsonBlocks(some))).toEqual({
      import: [{ to: 'cloudflare_ruleset.waf', id: 'zone/0123/4567' }],
      removed: [
        { from: 'cloudflare_waf_rule.a', lifecycle: { destroy: false } },
        { from: 'module.m.cloudflare_waf_rule.b', lifecycle: { destroy: false } },
      ],
    });
  });

  test('one removed block for all instances of a resource', () => {
    const removed = ['a.b[0]', 'a.b[1]', 'a.b["x"]', 'module.m[0].a.b', 'module.m[1].a.b'];
    expect(jsonStateBlocks({ imports: [], removed })['removed']).toHaveLength(2);
  });

  test('nothing where there is nothing', () => {
    expect(renderHclBlocks({ imports: [], removed: [] })).toBe('');
    expect(jsonStateBlocks({ imports: [], removed: [] })).toEqual({});
  });

  test.each(ugly)('trap 2.4: the address %s is the same in both, escaped once', async (to) => {
    const one = { imports: [{ to, id: 'x' }], removed: [] };
    const hcl = readModule('.', [await parseText(renderHclBlocks(one))]);
    const json = readModule('.', [await parseText(renderJsonBlocks(one), 'a.tf.json')]);
    expect(hcl.stateBlocks[0]?.to).toBe(to);
    expect(json.stateBlocks[0]?.to).toBe(to);
  });

  test.each([
    'a',
    'a.b["x"',
    'a.b["${x}"]',
    'a.b["%{x}"]',
    'a.b["\n"]',
    'a.b["\\d"]',
    'a.b }\nresource "x" "y" {',
    'a.b[x]',
    'a..b',
  ])('no address like %j', (address) => {
    const refused = expect.objectContaining({
      code: 'ADDRESS_INVALID',
      message: expect.stringMatching(/is no resource address$/),
    });
    expect(() => renderHclBlocks({ imports: [{ to: address, id: 'x' }], removed: [] })).toThrow(
      refused,
    );
    expect(() => jsonStateBlocks({ imports: [], removed: [address] })).toThrow(refused);
  });

  test.each(['', 'a"b', '${x}', 'a b', 'a\nb'])('no import id like %j', (id) => {
    expect(() => renderHclBlocks({ imports: [{ to: 'a.b', id }], removed: [] })).toThrow(
      expect.objectContaining({
        code: 'ADDRESS_INVALID',
        message: expect.stringContaining('is no import id'),
        hint: 'pass an id such as zone/<zone id>/<ruleset id>',
      }),
    );
  });
});

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

describe('the overrides that a stack has', () => {
  it('are read as they stand, of the file that CDKTF writes', async () => {
    const removed = [
      { from: 'x.a', lifecycle: { destroy: false }, provisioner: [{ when: 'destroy' }, 1] },
      { from: '${x.b}' },
    ];
    const others = [{ from: 'x.other' }];
    const project = await openProject({
      'cdk.tf.json': JSON.stringify({ removed, import: [{ to: 'x.c', id: 'c' }] }),
      'other.tf.json': JSON.stringify({ removed: others }),
      'not-cdk.tf.json': JSON.stringify({ removed: others }),
      'main.tf': 'removed {\n  from = x.other\n}\n',
    });
    expect(synthesisedBlocks(project, 'removed')).toMatchObject([{ from: 'x.a' }, {}]);
    expect(synthesisedBlocks(project, 'removed')[0]).toEqual(removed[0]);
    expect(synthesisedBlocks(project, 'import')).toEqual([{ to: 'x.c', id: 'c' }]);
    expect(synthesisedBlocks(project, 'moved')).toEqual([]);
  });
});

const moved = (from: string, to: string) => `moved {\n  from = ${from}\n  to   = ${to}\n}\n`;
/** Of blocks of a root module, what a state with these addresses still has to move. */
async function pending(text: string, ...addresses: string[]): Promise<string[]> {
  const project = await openProject({ 'main.tf': text });
  return pendingMoves(project, addresses).map(({ from, to }) => `${from} → ${to}`);
}

describe('a `moved` block is pending', () => {
  test('while the state has the old address, and not afterwards', async () => {
    const text = moved('a.old', 'a.new');
    expect(await pending(text, 'a.other', 'a.old')).toEqual(['a.old → a.new']);
    expect(await pending(text, 'a.new', 'a.older', 'b.old', 'module.m.a.old')).toEqual([]);
    expect(await pending(text)).toEqual([]);
  });

  test('where any instance has the old address', async () => {
    expect(await pending(moved('a.old', 'a.new'), 'a.old["x"]')).toEqual(['a.old → a.new']);
  });

  test('where it moves a module, while the state has anything in it', async () => {
    const text = moved('module.old', 'module.new');
    expect(await pending(text, 'module.old.a.b')).toEqual(['module.old → module.new']);
    expect(await pending(text, 'module.old["x"].a.b')).toEqual(['module.old → module.new']);
    expect(await pending(text, 'module.older.a.b', 'module.new.a.b')).toEqual([]);
  });

  test('where it moves one instance, for this one alone', async () => {
    const text = moved('a.old["x"]', 'a.new');
    expect(await pending(text, 'a.old["x"]')).toEqual(['a.old["x"] → a.new']);
    expect(await pending(text, 'a.old["y"]', 'a.old')).toEqual([]);
  });

  test('where the key alone changes, for what has no key, or the old one', async () => {
    const text = moved('a.b', 'a.b["x"]');
    expect(await pending(text, 'a.b')).toEqual(['a.b → a.b["x"]']);
    expect(await pending(text, 'a.b["x"]')).toEqual([]);
    const module = moved('module.m', 'module.m[0]');
    expect(await pending(module, 'module.m.a.b')).toEqual(['module.m → module.m[0]']);
    expect(await pending(module, 'module.m[0].a.b')).toEqual([]);
  });

  test('in each place where its module is called', async () => {
    const project = await openProject({
      'main.tf': ['m', 'n'].map((name) => `module "${name}" {\n  source = "./m"\n}\n`).join(''),
      'm/main.tf': `\n${moved('a.old', 'a.new')}`,
    });
    expect(pendingMoves(project, ['module.m.a.old'])).toEqual([
      { from: 'a.old', to: 'a.new', file: 'm/main.tf', line: 2 },
    ]);
    expect(pendingMoves(project, ['a.old'])).toEqual([]);
    expect(hasMoves(project)).toBe(true);
  });

  test('only where it is whole, and no other kind of block', async () => {
    const text = [
      'moved {\n  from = a.old\n}\n',
      'moved {\n  to = a.old\n}\n',
      'import {\n  to = a.old\n  id = "x"\n}\n',
      moved('a.old', 'a.new').replace('moved', 'removed'),
    ].join('\n');
    expect(await pending(text, 'a.old')).toEqual([]);
  });
});

test('whether there are `moved` blocks at all is told without a state', async () => {
  const has = async (text: string) => hasMoves(await openProject({ 'main.tf': text }));
  expect(await has(`removed {\n  from = a.b\n}\n${moved('a.old', 'a.new')}`)).toBe(true);
  expect(await has('removed {\n  from = a.b\n}\n')).toBe(false);
});

const removed = (from: string, destroy: string) =>
  `removed {\n  from = ${from}\n  lifecycle {\n    destroy = ${destroy}\n  }\n}\n`;
const forgottenIn = async (files: Record<string, string>) =>
  startsOf(await openProject(files), 'removed');

describe('what `removed` blocks let go', () => {
  test('are resources and modules, and what would be destroyed is none of it', async () => {
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

  test('have the path of their module before them, once for each call', async () => {
    const call = (name: string) => `module "${name}" {\n  source = "./waf"\n}\n`;
    const files = {
      'main.tf': call('one') + call('two'),
      'waf/main.tf':
        removed('cloudflare_waf_rule.a', 'false') +
        'removed {\n  lifecycle {\n    destroy = false\n  }\n}\n',
    };
    expect(await forgottenIn(files)).toEqual([
      'module.one.cloudflare_waf_rule.a',
      'module.two.cloudflare_waf_rule.a',
    ]);
  });
});
