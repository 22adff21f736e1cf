import fc from 'fast-check';
import { parseAddress, partsBefore, printAddress } from '../../src/core/resource-address';
import { arbitraryKey, arbitraryModule, arbitraryName } from '../support/arbitrary-state';

const print = (key: string | number | undefined, module = '') =>
  printAddress(module, 'managed', 'cloudflare_waf_rule', 'r', key);

describe('an address', () => {
  it.each([
    [undefined, 'cloudflare_waf_rule.r'],
    [0, 'cloudflare_waf_rule.r[0]'],
    ['0', 'cloudflare_waf_rule.r["0"]'],
    ['', 'cloudflare_waf_rule.r[""]'],
    ['a.b', 'cloudflare_waf_rule.r["a.b"]'],
    ['\n\r\t"\\', String.raw`cloudflare_waf_rule.r["\n\r\t\"\\"]`],
    ['${x} %{y}', 'cloudflare_waf_rule.r["$${x} %%{y}"]'],
    ['$ % $$ %%', 'cloudflare_waf_rule.r["$ % $$ %%"]'],
    ['$${x}', 'cloudflare_waf_rule.r["$$${x}"]'],
    ['\u0000\u001b\u007f', String.raw`cloudflare_waf_rule.r["\u0000\u001b\u007f"]`],
    ['\u00a0\u200b\u202e', String.raw`cloudflare_waf_rule.r["\u00a0\u200b\u202e"]`],
    ['\u{e0001}\u{10ffff}', String.raw`cloudflare_waf_rule.r["\U000e0001\U0010ffff"]`],
    ['uni ☃ é 👩', 'cloudflare_waf_rule.r["uni ☃ é 👩"]'],
    ['\u{20000}\u{2fa1e}', String.raw`cloudflare_waf_rule.r["𠀀\U0002fa1e"]`],
    ['\ud800x', 'cloudflare_waf_rule.r["\ufffdx"]'],
    ['\ue000x', 'cloudflare_waf_rule.r["\\ue000x"]'],
  ])('prints the key %j like Terraform', (key, text) => {
    expect(print(key)).toBe(text);
  });

  it('includes the module and the mode', () => {
    expect(printAddress('module.a["x"].module.b[1]', 'data', 't', 'n', 'k')).toBe(
      'module.a["x"].module.b[1].data.t.n["k"]',
    );
  });

  it('is parsed from its printed form', () => {
    fc.assert(
      fc.property(
        arbitraryModule,
        fc.constantFrom('managed' as const, 'data' as const),
        arbitraryName.filter((type) => type !== 'module' && type !== 'data'),
        arbitraryName,
        arbitraryKey,
        (module, mode, type, name, key) => {
          const text = printAddress(module, mode, type, name, key);
          expect(parseAddress(text)).toEqual({ module, mode, type, name, key });
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('fits on one line and controls no terminal, for any key', () => {
    fc.assert(
      fc.property(arbitraryKey, (key) => {
        expect(print(key)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  it.each([
    ...['', 'a', 'a.', '.a', 'a.b.c', 'a..b', 'a[0].b', 'data.a', 'data.a.b.c', 'module.a'],
    ...['module.a.b', 'module.a.data.b', 'module["a"].b.c', 'a.b[', 'a.b[]', 'a.b[-1]', 'a.b[01]'],
    ...['a.b[1.5]', 'a.b[99999999999999999999]', 'a.b["', 'a.b["x"', 'a.b["x"]]', 'a.b["x"]c'],
    ...['a.b["${x}"]', 'a.b["%{x}"]', 'a.b["\n"]', 'a.b["\\q"]', 'a.b["\\u12"]', 'a.b["\\ud800"]'],
    ...['a.b["\\U00110000"]', '1a.b', 'a.1b', 'a b.c', 'a.b\n', ' a.b', 'a.b["x"][0]', 'a.*'],
    ...['data["x"].a.b', 'data[0].a', 'a.b[x"]', 'a.b["\\udfff"]', 'a.b["x"c', 'a b', 'a/b'],
  ])('is not %j', (text) => {
    expect(() => parseAddress(text)).toThrow(expect.objectContaining({ code: 'ADDRESS_INVALID' }));
  });

  it('is quoted in its error', () => {
    expect(() => parseAddress('a.b\u001b[2J')).toThrow(
      String.raw`"a.b\u001b[2J" is not a resource address`,
    );
  });
});

describe('a module path', () => {
  it('that Terraform wrote is unchanged in the address', () => {
    fc.assert(
      fc.property(arbitraryModule, (module) => {
        const prefix = module === '' ? '' : `${module}.`;
        expect(print(0, module)).toBe(`${prefix}cloudflare_waf_rule.r[0]`);
      }),
    );
  });

  it.each([
    ...['module', 'module.', 'a.b', 'module.a.b', 'module[0].a', 'module.a[0][1]', 'module.0'],
    ...['.module.a', 'module.a[x]', 'module.a[01]', 'module.a[1x]', 'module.a.module["x"].b'],
    ...['module.a["\u001b"]', 'module.a["\u202e"]'],
  ])('is not %j', (text) => {
    expect(() => print(0, text)).toThrow(expect.objectContaining({ code: 'ADDRESS_INVALID' }));
  });
});

test('the parts of an address before its dots', () => {
  expect(partsBefore('module.m.a.b')).toEqual(['module', 'module.m', 'module.m.a', 'module.m.a.b']);
});
