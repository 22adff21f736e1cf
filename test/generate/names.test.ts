import fc from 'fast-check';
import { domainToUnicode } from 'node:url';
import { constructName, stackNames } from '../../src/generate/names';
import { text } from './support/arbitrary-text';
import { stackOf } from './support/generate-files';
import { runs } from './support/runs';

const id = '0123456789abcdef0123456789abcdef';
const names = (name: string) => stackNames({ id, name });
const rule = { action: 'log', expression: 'true' };

/** Not usable as file names on Windows, whatever their ending. */
const DEVICE = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])$/i;
const KEYWORD = /^(class|default|delete|import|new|null|package|this|void)$/;

describe('the names of a zone', () => {
  it.each([
    ['example.com', 'example_com', 'ExampleComWafStack'],
    ['www.example.co.uk', 'www_example_co_uk', 'WwwExampleCoUkWafStack'],
    ['my-shop.example.com', 'my-shop_example_com', 'My_ShopExampleComWafStack'],
    ['EXAMPLE.Com', 'example_com', 'ExampleComWafStack'],
    ['1st.example.com', '1st_example_com', '_1stExampleComWafStack'],
    ['a.1st.com', 'a_1st_com', 'A$1stComWafStack'],
    ['a.b', 'a_b', 'ABWafStack'],
    ['xn--bcher-kva.example', 'xn--bcher-kva_example', 'Xn__Bcher_KvaExampleWafStack'],
    ['bücher.example', 'xn--bcher-kva_example', 'Xn__Bcher_KvaExampleWafStack'],
  ])('%s are %s and %s', (name, slug, className) => {
    expect(names(name)).toEqual({ slug, className });
  });

  it('keep what a zone has of them, in a stack and in a construct for one that exists', () => {
    const own = names('stack.com');
    expect([own.className, constructName(own)]).toEqual(['StackComWafStack', 'StackComWafRuleset']);
  });

  it('are made from its id where its name is not known, or blank', () => {
    const own = { slug: id, className: `Zone${id}WafStack` };
    expect(stackNames({ id })).toEqual(own);
    expect(stackNames({ id, name: '' })).toEqual(own);
  });

  it.each(['con', 'CON', 'nul', 'com1', 'main', 'index', 'providers', '.', '..', '-', '_', '?'])(
    'keep clear of what file systems and this project reserve: %s',
    (name) => {
      expect(names(name).slug).toMatch(/^(?:[a-z0-9]+_)+_[0-9a-f]{16}$/);
    },
  );

  it.each([
    '../../etc/passwd',
    '/etc/passwd',
    'C:\\x.com',
    'a/b.com',
    'example.com/../..',
    '~root',
  ])('never lead out of the folder: %s', (name) => {
    expect(names(name).slug).toMatch(/^[a-z0-9_]+__[0-9a-f]{16}$/);
  });

  it('are no longer than a file name may be, for a name of 10 KB', () => {
    const long = names(`${'x'.repeat(10_240)}.com`);
    expect(long.slug.length).toBeLessThan(120);
    expect(long.className.length).toBeLessThan(130);
    expect(long).not.toEqual(names(`${'x'.repeat(10_241)}.com`));
  });

  it.each([
    ['-A b//c!', 'a_b_c', 'ABC'],
    ['ä', 'zone', ''],
    [`${'x'.repeat(79)} y`, `${'x'.repeat(79)}_`, `X${'x'.repeat(78)}`],
  ])('show what a file name can hold of one that is no host: %s', (name, slug, className) => {
    const [digest] = /[0-9a-f]{16}$/.exec(names(name).slug) ?? [];
    expect(names(name)).toEqual({
      slug: `${slug}__${digest}`,
      className: `Zone${className}$${digest}WafStack`,
    });
  });

  it('are those of the host as far as it has 80 characters', () => {
    expect(names(`${'x'.repeat(76)}.com`).slug).toBe(`${'x'.repeat(76)}_com`);
    expect(names(`${'x'.repeat(77)}.com`).slug).toMatch(/__[0-9a-f]{16}$/);
  });

  it('differ for names that differ in what a file name cannot hold', () => {
    const tricky = [
      ...['a.b', 'a_b', 'a-b', 'ab', 'a..b', 'a.b.', '.a.b', 'a b', 'a/b', 'a\\b', 'a\0b', 'a'],
      ...['a-b.com', 'a.b.com', 'a--b.com', 'a_b.com', 'a.1.com', 'a1.com', 'a-1.com', 'a--1.com'],
      ...[
        '1a.com',
        'zone1a.com',
        'zone-1a.com',
        '1.2.3',
        '1.2.0.3',
        '0x7f.1',
        '127.0.0.1',
        'ff.com',
      ],
      ...['ﬀ.com', 'é.com', 'é/.com', 'straße.de', 'strasse.de', 'a。b', id, `zone${id}`],
    ].map(names);
    expect(new Set(tricky.map(({ slug }) => slug)).size).toBe(tricky.length);
    expect(new Set(tricky.map(({ className }) => className)).size).toBe(tricky.length);
  });

  const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,6}[a-z0-9])?$/);
  const host = fc
    .tuple(
      fc.array(label, { minLength: 1, maxLength: 4 }),
      fc.stringMatching(/^[a-z][a-z0-9]{1,4}$/),
    )
    .map(([labels, top]) => [...labels, top].join('.'));
  const zoneName = fc.oneof(host, text(3));

  it('are valid in each language, whatever the name holds', () => {
    fc.assert(
      fc.property(zoneName, (name) => {
        const { slug, className } = names(name);
        expect(slug).toMatch(/^[a-z0-9][a-z0-9_-]*$/);
        expect(slug).not.toMatch(DEVICE);
        expect(className).toMatch(/^[A-Z_][A-Za-z0-9_$]*WafStack$/);
        expect(className).not.toMatch(KEYWORD);
      }),
      runs(1000),
    );
  });

  it('are the same each time, and another zone never has them', () => {
    /** Names of one zone: the case of a domain name does not count, nor does its spelling. */
    const zone = (name: string): string => domainToUnicode(name.toLowerCase()) || name;
    fc.assert(
      fc.property(zoneName, zoneName, (one, other) => {
        expect(names(one)).toEqual(names(one));
        fc.pre(zone(one) !== zone(other) && one !== '' && other !== '');
        expect(names(one).slug).not.toBe(names(other).slug);
        expect(names(one).className).not.toBe(names(other).className);
      }),
      runs(1000),
    );
  });
});

describe('a stack', () => {
  const answer = { name: 'default', rules: [rule] };

  it.each(['', '1st', 'a b', 'a.b', 'a"b', 'ä', '${x}', 'a\n', '../x', '__proto__ '])(
    'is not generated for the resource name %j, which Terraform would refuse',
    (resourceName) => {
      expect(() => stackOf(answer, { resourceName })).toThrow(
        expect.objectContaining({ code: 'ADDRESS_INVALID' }),
      );
    },
  );

  it('takes any name of a resource that Terraform takes', () => {
    for (const resourceName of ['_', 'A', 'a-b_c', 'class', 'waf9']) {
      expect(stackOf(answer, { resourceName }).address).toBe(`cloudflare_ruleset.${resourceName}`);
    }
  });
});
