import { idComment } from '../../src/generate/formats/format';
import { objectsOf } from '../../src/tfconfig/config';
import { parseConfig } from '../../src/tfconfig/read-project';
import { textOf } from './support/generate-files';
import { live } from './support/live-answer';

const hcl = (parameters: object): string =>
  textOf(live({ action_parameters: parameters }), { format: 'hcl' });

describe('HCL, as terraform fmt leaves it', () => {
  it.each<[string, object, string[]]>([
    [
      'aligns the keys of a map',
      { rules: { a: ['1'], 'plain key': ['1'] } },
      ['rules = {', '  "a"         = ["1"]', '  "plain key" = ["1"]', '}'],
    ],
    ['writes an empty object on one line', { matched_data: {} }, ['matched_data = {}']],
    [
      'breaks a list with a broken item',
      { algorithms: [{}, { name: 'a' }] },
      ['algorithms = [', '  {},', '  {', '    name = "a"', '  },', ']'],
    ],
    ['writes three items on a line', { products: ['a', 'a', 'a'] }, ['products = ["a", "a", "a"]']],
    [
      'breaks a list of four items',
      { products: ['a', 'a', 'a', 'a'] },
      ['products = [', '  "a",', '  "a",', '  "a",', '  "a",', ']'],
    ],
    ['replaces half a character', { host_header: '\ud800x' }, ['host_header = "\ufffdx"']],
  ])('%s', (_, parameters, lines) => {
    expect(hcl(parameters)).toContain(lines.map((line) => `        ${line}\n`).join(''));
  });

  it.each(['a %%{x} b', 'a $${', '$$${x} %%%{', '$%{x'])(
    'writes %s so that the tool itself can parse it',
    async (host) => {
      const bytes = new TextEncoder().encode(hcl({ host_header: host }));
      const { blocks } = await parseConfig({ path: 'a.tf', bytes });
      const [rules] = objectsOf(blocks[0]?.body.get('rules'));
      const [parameters] = objectsOf(rules?.get('action_parameters'));
      expect(parameters?.get('host_header')).toBe(host);
    },
  );

  it('names a provider configuration that is not the default one', () => {
    const text = textOf(live({}), { format: 'hcl', providerReference: 'cloudflare.prod' });
    expect(text).toMatch(
      /^resource "cloudflare_ruleset" "\w+" \{\n {2}provider = cloudflare\.prod\n\n {2}zone_id +=/m,
    );
    expect(hcl({})).not.toContain('provider');
  });
});

describe('CDKTF', () => {
  it('writes a large and a small number in exponents', () => {
    const answer = live({ action_parameters: { status_code: 1e21, increment: 1e-7 } });
    const text = textOf(answer, { format: 'cdktf' });
    expect(text).toContain('statusCode: 1e+21,');
    expect(text).toContain('increment: 1e-7,');
  });

  it('has an empty list if there is no block', () => {
    const text = textOf(live({ logging: [] }), { format: 'cdktf', provider: 3 });
    expect(text).toContain('logging: [],');
  });
});

it.each(['', 'x', 'f'.repeat(32)])(
  'has no comment at a value that is no known id: "%s"',
  (value) => {
    expect(idComment(value, '#')).toBe('');
  },
);
