import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDeclarations } from '../../src/project/declarations';
import { temporaryFolder } from '../support/temporary-folder';

const MANAGED = 'http_request_firewall_managed';

test('names the files that cannot be read, and reads the others', async () => {
  const dir = temporaryFolder();
  const write = (name: string, text: string): void => {
    writeFileSync(join(dir, name), text);
  };
  write('broken.tf', 'a {\n');
  write('only.tofu', '');
  write('names.tf', 'locals {\n  zone = "z1"\n}\n');
  write(
    'main.tf',
    `resource "cloudflare_ruleset" "waf" {\n  zone_id = local.zone\n  phase = "${MANAGED}"\n}\n`,
  );
  write('main_override.tf', 'resource "cloudflare_ruleset" "waf" {\n}\n');
  const declared = await readDeclarations(dir, 'hcl');
  expect(declared.map(({ file, isUnread, rulesets }) => [file, isUnread, rulesets])).toEqual([
    ['main.tf', false, ['waf']],
    ['names.tf', false, []],
    ['only.tofu', true, []],
    ['broken.tf', true, []],
    ['main_override.tf', true, []],
  ]);
  expect(declared[0]?.entryPoints).toMatchObject([{ name: 'waf', zone: { text: 'z1' } }]);
  expect(await readDeclarations(join(dir, 'gone'), 'hcl')).toEqual([]);
});
