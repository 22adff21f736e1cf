import fc from 'fast-check';
import { stackNames } from '../../src/generate/stack-names';
import { hazards, text } from './support/arbitrary-text';
import { stackOf, textOf } from './support/generate-files';
import { live, resourceOf } from './support/live-answer';
import { readers, standaloneFormats } from './support/read-back';
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
    ['stack.com', 'stack_com', 'StackComWafStack'],
  ])('%s are %s and %s', (name, slug, className) => {
    const constructName = className.replace(/Stack$/, 'Ruleset');
    expect(names(name)).toEqual({ slug, className, constructName });
  });

  it('are made from its id if its name is unknown or blank', () => {
    const prefix = `Zone${id}Waf`;
    const own = { slug: id, className: `${prefix}Stack`, constructName: `${prefix}Ruleset` };
    expect(stackNames({ id })).toEqual(own);
    expect(stackNames({ id, name: '' })).toEqual(own);
  });

  it.each([
    ...['con', 'com1', 'main', '.', '..', '-', '_', '?', '127.0.0.1', 'bücher.example', 'ﬀ.com'],
    ...['../../etc/passwd', '/etc/passwd', 'C:\\x.com', 'a/b.com', 'example.com/../..', '~root'],
    `${'x'.repeat(77)}.com`,
  ])('are made from its id if its name is long, or no host name: %s', (name) => {
    expect(names(name)).toEqual(stackNames({ id }));
  });

  it('are those of a host with at most 80 characters', () => {
    expect(names(`${'x'.repeat(76)}.com`).slug).toBe(`${'x'.repeat(76)}_com`);
  });

  const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,6}[a-z0-9])?$/);
  const host = fc
    .tuple(
      fc.array(label, { minLength: 1, maxLength: 4 }),
      fc.stringMatching(/^[a-z][a-z0-9]{1,4}$/),
    )
    .map(([labels, top]) => [...labels, top].join('.'));
  const zoneName = fc.oneof(host, text(3));

  it('are valid in each language for any name', () => {
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

  it('are the same each time, and unique to the zone', () => {
    fc.assert(
      fc.property(zoneName, zoneName, (one, other) => {
        expect(names(one)).toEqual(names(one));
        fc.pre(one.toLowerCase() !== other.toLowerCase());
        const another = stackNames({ id: 'f'.repeat(32), name: other });
        expect(names(one).slug).not.toBe(another.slug);
        expect(names(one).className).not.toBe(another.className);
      }),
      runs(1000),
    );
  });
});

describe('a stack', () => {
  const answer = { name: 'default', rules: [rule] };

  it.each(['', '1st', 'a b', 'a.b', 'a"b', 'ä', '${x}', 'a\n', '../x', '__proto__ '])(
    'is refused with the resource name %j',
    (resourceName) => {
      expect(() => stackOf(answer, { resourceName })).toThrow(
        expect.objectContaining({ code: 'ADDRESS_INVALID' }),
      );
    },
  );

  it('is refused with an invalid provider reference', () => {
    const providerReference = 'cloudflare.a\n\nprovider "b" {}';
    expect(() => stackOf(answer, { providerReference })).toThrow(
      expect.objectContaining({ code: 'ADDRESS_INVALID' }),
    );
  });
});

// test/generate/round-trip.test.ts has every hazard in every text of the API

describe.each(standaloneFormats)('in %s, no name of a zone', (format) => {
  it('changes what a stack declares, or ends a file name', async () => {
    const declared = resourceOf(live({}), 5);
    for (const zone of hazards) {
      const { path, text } = stackOf(live({}), { format, zone }).resourceFile;
      expect([zone, await readers[format](text)]).toEqual([zone, declared]);
      expect(path).toMatch(/^[a-z0-9][a-z0-9_-]*\.(?:ts|tf|tf\.json)$/);
    }
  });
});

it('no name of a zone ends the name of a class, or is a directive of a comment', () => {
  for (const zone of hazards) {
    const text = textOf(live({}), { format: 'cdktf', zone });
    expect(text).toMatch(/^export class [A-Z_][A-Za-z0-9_$]*WafStack extends TerraformStack \{$/m);
    expect(text.match(/^\/\/.*$/gm)?.slice(0, 3)).toEqual([
      expect.stringMatching(/^\/\/ WAF managed rules of zone /),
      expect.stringMatching(/^\/\/ From the live ruleset /),
      expect.stringMatching(/^\/\/ terraform import cloudflare_ruleset\.managed_rules zones\//),
    ]);
  }
});

it.each(['', 'x', '../../etc', '0123456789ABCDEF0123456789ABCDEF', `${'0'.repeat(32)}"\n`])(
  'refuses %j as a zone id',
  (zoneId) => {
    expect(() => stackOf(live({}), { zoneId })).toThrow(
      expect.objectContaining({ code: 'ID_INVALID' }),
    );
  },
);
