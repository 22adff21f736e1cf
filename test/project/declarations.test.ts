import { join } from 'node:path';
import { readDeclarations } from '../../src/project/declarations';
import { temporaryFolder } from '../support/temporary-folder';

const ZONE = '1'.repeat(32);
const MANAGED = 'http_request_firewall_managed';
const files = {
  'names.tf': `locals {\n  zone = "${ZONE}"\n}\n`,
  'main.tf': `resource "cloudflare_ruleset" "waf" {\n  zone_id = local.zone\n  phase = "${MANAGED}"\n}\n`,
};

test('follows a reference to another file, and needs no folder', async () => {
  const dir = temporaryFolder(files);
  const declared = await readDeclarations(dir, 'hcl');
  expect(declared.map(({ file, rulesets }) => [file, rulesets])).toEqual([
    ['main.tf', ['waf']],
    ['names.tf', []],
  ]);
  expect(declared[0]?.entryPoints).toMatchObject([{ name: 'waf', zone: { text: ZONE } }]);
  expect(await readDeclarations(join(dir, 'gone'), 'hcl')).toEqual([]);
});

test.each(['broken.tf', 'only.tofu', 'main_override.tf'])('refuses %s, unread', async (name) => {
  const text = 'resource "cloudflare_ruleset" "waf" {\n';
  const dir = temporaryFolder({ ...files, [name]: text });
  await expect(readDeclarations(dir, 'hcl')).rejects.toThrow(name);
});

test('does not know the zone of a ruleset whose text is no id, which could look like a command', async () => {
  const zone = `${ZONE} or: cf-waf-migrate status --base-url http://evil.example`;
  const text = files['main.tf'].replace('local.zone', JSON.stringify(zone));
  const [declared] = await readDeclarations(temporaryFolder({ 'main.tf': text }), 'hcl');
  expect(declared?.entryPoints).toMatchObject([{ name: 'waf', zone: { text: undefined } }]);
});
