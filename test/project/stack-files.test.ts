import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStackFiles } from '../../src/project/stack-files';
import { temporaryFolder } from '../support/temporary-folder';

const MANAGED = 'http_request_firewall_managed';

test('a file with a thousand rulesets is read in a time that grows with its length alone', async () => {
  const dir = temporaryFolder();
  const rules = '{ expression: "a (b" }, '.repeat(60);
  const one = (at: number): string =>
    `new Ruleset(this, "r${at}", { zoneId: "z${at}", phase: "${MANAGED}", rules: [${rules}] });\n`;
  writeFileSync(join(dir, 'all.ts'), Array.from({ length: 1000 }, (_, at) => one(at)).join(''));
  const start = performance.now();
  const [file] = await readStackFiles(dir);
  expect(performance.now() - start).toBeLessThan(3_000);
  expect(file?.entryPoints).toHaveLength(1000);
  expect(file?.entryPoints[999]).toMatchObject({ name: 'r999', zone: { text: 'z999' } });
});
