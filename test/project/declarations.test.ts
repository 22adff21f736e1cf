import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDeclarations } from '../../src/project/declarations';
import { temporaryFolder } from '../support/temporary-folder';

const MANAGED = 'http_request_firewall_managed';

test('reads a file with a thousand rulesets in a time that grows with its length only', async () => {
  const dir = temporaryFolder();
  const rules = '{ expression: "a (b" }, '.repeat(60);
  const one = (at: number): string =>
    `new Ruleset(this, "r${at}", { zoneId: "z${at}", phase: "${MANAGED}", rules: [${rules}] });\n`;
  writeFileSync(join(dir, 'all.ts'), Array.from({ length: 1000 }, (_, at) => one(at)).join(''));
  const start = performance.now();
  const [file] = await readDeclarations(dir, 'cdktf');
  expect(performance.now() - start).toBeLessThan(3_000);
  expect(file?.entryPoints).toHaveLength(1000);
  expect(file?.entryPoints[999]).toMatchObject({ name: 'r999', zone: { text: 'z999' } });
});

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
  ]);
  expect(declared[0]?.entryPoints).toMatchObject([{ name: 'waf', zone: { text: 'z1' } }]);
  expect(await readDeclarations(join(dir, 'gone'), 'hcl')).toEqual([]);
});
