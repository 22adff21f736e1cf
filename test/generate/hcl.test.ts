import { textOf } from './support/generate-files';
import { live } from './support/live-answer';

const hcl = (parameters: object): string =>
  textOf(live({ action_parameters: parameters }), { format: 'hcl' });
/** The lines between two that begin so. */
const between = (text: string, from: string, to: string): string[] => {
  const lines = text.split('\n').map((line) => line.trimEnd());
  const start = lines.findIndex((line) => line.trim().startsWith(from));
  const end = lines.findIndex((line, index) => index > start && line.trim().startsWith(to));
  return lines.slice(start, end + 1).map((line) => line.slice(6));
};

describe('HCL, as terraform fmt leaves it', () => {
  it('aligns the keys of a map', () => {
    expect(between(hcl({ rules: { a: ['1'], 'plain key': ['1'] } }), 'rules = {', '}')).toEqual([
      ...['  rules = {', '    "a"         = ["1"]', '    "plain key" = ["1"]', '  }'],
    ]);
  });

  it('names a provider configuration that is not the default one', () => {
    const text = textOf(live({}), { format: 'hcl', providerReference: 'cloudflare.prod' });
    expect(text).toMatch(
      /^resource "cloudflare_ruleset" "\w+" \{\n {2}provider = cloudflare\.prod\n\n {2}zone_id +=/m,
    );
    expect(hcl({})).not.toContain('provider');
  });

  it('has an empty object on its line', () => {
    expect(hcl({ matched_data: {} })).toContain('matched_data = {}\n');
  });

  it('breaks a list of which one item is broken', () => {
    const text = hcl({ algorithms: [{}, { name: 'a' }] });
    expect(between(text, 'algorithms', ']')).toEqual([
      '  algorithms = [',
      '    {},',
      '    {',
      '      name = "a"',
      '    },',
      '  ]',
    ]);
  });

  it.each([
    [3, ['  products = ["a", "a", "a"]']],
    [4, ['  products = [', '    "a",', '    "a",', '    "a",', '    "a",', '  ]']],
  ])('breaks a list of more than three items: %s items', (length, lines) => {
    const text = hcl({ products: Array.from({ length }, () => 'a') });
    expect(text).toContain(`${lines.map((line) => `      ${line}`).join('\n')}\n`);
  });
});

describe('CDKTF', () => {
  it('writes a large and a small number in exponents', () => {
    const answer = live({ action_parameters: { status_code: 1e21, increment: 1e-7 } });
    const text = textOf(answer, { format: 'cdktf' });
    expect(text).toContain('statusCode: 1e+21,');
    expect(text).toContain('increment: 1e-7,');
  });

  it('has an empty list where there is no block', () => {
    const text = textOf(live({ logging: [] }), { format: 'cdktf', provider: 3 });
    expect(text).toContain('logging: [],');
  });
});
