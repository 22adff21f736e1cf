import { canonicalImportId } from '../../support/canonical';
import { inLab } from '../../support/lab';
import { Edit } from './table/edit';

const keys = [
  'plain',
  'a.b',
  'with "quotes"',
  'tmpl ${jndi:x} %{if}',
  'uni ☃ é',
  'new\nline',
  'back\\slash[0]',
  '',
];

/** A key as HCL quotes it; a template opens with `${` and `%{`, and nothing else is special. */
const quoted = (key: string) => JSON.stringify(key).replace(/[$%](?=\{)/g, (sign) => sign + sign);
const template = (text: string) => text.replace(/[$%](?=\{)/g, (sign) => sign + sign);
const address = (key: string) => `cloudflare_ruleset.waf[${quoted(key)}]`;

function config(): object {
  const { file, resource } = new Edit(5);
  const each = Object.fromEntries(keys.map((key) => [template(key), 'x']));
  return { ...file, resource: { cloudflare_ruleset: { waf: { ...resource, for_each: each } } } };
}

describe('for_each keys that are hard to quote', () => {
  it('import by blocks in JSON, quoted once', () =>
    inLab({ major: 5, scenario: 'canonical' }, async (lab) => {
      const imports = keys.map((key) => ({ to: address(key), id: canonicalImportId(5) }));
      lab.write('main.tf.json', { ...config(), import: imports });
      const plan = await lab.plan();
      expect(plan.text).toContain('8 to import, 0 to add, 0 to change, 0 to destroy');
    }));

  it('do not when the address is escaped as a template once more', () =>
    inLab({ major: 5, scenario: 'canonical' }, async (lab) => {
      const to = template(address('tmpl ${jndi:x} %{if}'));
      lab.write('main.tf.json', { ...config(), import: [{ to, id: canonicalImportId(5) }] });
      expect((await lab.plan()).text).toContain('Configuration for import target does not exist');
    }));

  it('import from the command line', () =>
    inLab({ major: 5, scenario: 'canonical' }, async (lab) => {
      lab.write('main.tf.json', config());
      for (const key of keys) {
        const run = await lab.terraform('import', address(key), canonicalImportId(5));
        expect(run).toMatchObject({ code: 0 });
      }
      expect((await lab.plan()).outcome).toBe('empty');
    }));
});
