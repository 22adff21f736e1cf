import {
  jsonStateBlocks,
  renderHclBlocks,
  renderJsonBlocks,
} from '../../src/tfconfig/state-blocks';
import { readModule } from '../../src/tfconfig/read-project';
import { parseText } from './open-project';

const blocks = {
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
    expect(renderHclBlocks(blocks)).toBe(
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
    expect(JSON.parse(renderJsonBlocks(blocks))).toEqual({
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
    const some = { imports: [{ to, id: 'x' }], removed: [] };
    const hcl = readModule('.', [await parseText(renderHclBlocks(some))]);
    const json = readModule('.', [await parseText(renderJsonBlocks(some), 'a.tf.json')]);
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
