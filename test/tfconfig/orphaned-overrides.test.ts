import { findReferences } from '../../src/tfconfig/find-references';
import { loadHclGrammar } from '../../src/tfconfig/hcl-grammar';
import { filesOf, line, openProject, referencesIn } from './open-project';

const rule = (name: string) => `resource "cloudflare_waf_rule" "${name}" {}\n`;

/** Who refers to the first block of a file when that block goes. */
async function withoutFirstOf(
  path: string,
  files: Readonly<Record<string, string>>,
): Promise<string[]> {
  const project = await openProject(files);
  const file = filesOf(project).find((one) => one.path === path);
  return findReferences(project, new Set(file?.blocks.slice(0, 1)), await loadHclGrammar()).map(
    line,
  );
}

describe('an override that is to stay', () => {
  test('breaks where the block that it overrides goes, and no other does', async () => {
    const files = {
      'main.tf': rule('a') + rule('b'),
      'a_override.tf': rule('b') + rule('a'),
    };
    expect(await withoutFirstOf('main.tf', files)).toEqual([
      'a_override.tf:2 cloudflare_waf_rule.a → cloudflare_waf_rule.a (breaks)',
    ]);
  });

  test('breaks nowhere where only another override goes', async () => {
    const files = {
      'main.tf': rule('a'),
      'a_override.tf': rule('a'),
      'b_override.tf': rule('a'),
    };
    expect(await withoutFirstOf('a_override.tf', files)).toEqual([]);
  });

  test('is in a file of overrides: a block that is there twice is none', async () => {
    expect(await withoutFirstOf('main.tf', { 'main.tf': rule('a') + rule('a') })).toEqual([]);
  });
});

test('what breaks is not named once more as what nothing refers to', async () => {
  const text = [
    'resource "cloudflare_waf_rule" "a" { x = local.y }',
    'resource "cloudflare_waf_rule" "b" {}',
    'locals { y = cloudflare_waf_rule.b.id }',
  ].join('\n');
  expect(await referencesIn({ 'main.tf': text })).toEqual([
    'main.tf:3 local.y → cloudflare_waf_rule.b (breaks)',
  ]);
});
