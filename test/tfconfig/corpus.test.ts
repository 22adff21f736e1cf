import { readdirSync } from 'node:fs';
import { applyEdit, planEdit, proveEdits } from '../../src/tfconfig/file-edit';
import { type ConfigFile } from '../../src/tfconfig/config';
import {
  filesOf,
  legacyBlocks,
  openProject,
  parseText,
  projectsFolder,
  referencesIn,
} from './open-project';

const projects = readdirSync(projectsFolder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe('the corpus of projects', () => {
  test.each(projects)(
    '%s: the old blocks leave every file, proven, and nothing else does',
    async (name) => {
      const project = await openProject(name);
      const going = legacyBlocks(project);
      expect(going.size).toBeGreaterThan(0);
      const edited = await Promise.all(
        filesOf(project).map(async (file: ConfigFile): Promise<[string, string]> => {
          const remove = file.blocks.filter((block) => going.has(block));
          const addresses = (one: ConfigFile): string[] => one.blocks.map(({ address }) => address);
          // on one line blocks cannot be told apart by lines: the plan names their addresses, too
          const edit = planEdit(file, remove);
          if (edit === undefined) return [file.path, file.text];
          await proveEdits([edit], [file]);
          const bytes = await applyEdit({ path: file.path, bytes: Buffer.from(file.text) }, edit);
          const after = await parseText(Buffer.from(bytes).toString(), file.path);
          expect(addresses(after)).toEqual(
            file.blocks.filter((block) => !going.has(block)).map(({ address }) => address),
          );
          return [file.path, after.text];
        }),
      );
      expect(legacyBlocks(await openProject(Object.fromEntries(edited))).size).toBe(0);
    },
  );
});

test.each([
  [
    'for-each-over-data',
    [
      'waf.tf:42 cloudflare_rate_limit.per_group → data.cloudflare_waf_groups.noisy (breaks)',
      'waf.tf:53 output.noisy_groups → cloudflare_waf_group.noisy (breaks)',
    ],
  ],
  [
    'wrapper-module',
    [
      'main.tf:16 output.disabled_rules → module.security.disabled_rules (breaks)',
      'modules/security/main.tf:17 output.disabled_rules → module.waf.ids (breaks)',
      'modules/waf/main.tf:12 output.ids → cloudflare_waf_rule.disabled (breaks)',
    ],
  ],
  [
    'tf-json',
    [
      'main.tf.json:29 cloudflare_record.www → cloudflare_waf_rule.one (breaks)',
      'main.tf.json:29 cloudflare_record.www → data.cloudflare_waf_packages.all (breaks)',
      'main.tf.json:41 output.packages → data.cloudflare_waf_packages.all (breaks)',
      'minified.tf.json:1 local.ids → cloudflare_waf_group.a (breaks)',
      'minified.tf.json:1 local.ids → cloudflare_waf_group.b (breaks)',
    ],
  ],
  [
    'hostile-text',
    [
      // a name that a loop binds
      'main.tf:34 local.bound → cloudflare_waf_rule.heredoc (breaks)',
      'main.tf:49 output.e\u0301_ → cloudflare_waf_group.bare (breaks)',
      'main.tf:49 output.e\u0301_ → cloudflare_waf_group.bare (breaks)',
    ],
  ],
])('who refers to the old blocks of the corpus %s', async (name, expected) => {
  expect(await referencesIn(name)).toEqual(expected);
});
