import { findReferences } from '../../src/tfconfig/find-references';
import { loadHclGrammar } from '../../src/tfconfig/hcl-grammar';
import { filesOf, line, openProject, referencesIn } from './open-project';

const broken = async (files: Readonly<Record<string, string>>): Promise<string[]> =>
  (await referencesIn(files)).filter((one) => one.endsWith('(breaks)'));
/** Who refers to these blocks, each given as `file address`, when they go. */
async function withoutBlocks(
  files: Readonly<Record<string, string>>,
  ...gone: readonly string[]
): Promise<string[]> {
  const project = await openProject(files);
  const blocks = filesOf(project).flatMap((file) =>
    file.blocks.filter(({ address }) => gone.includes(`${file.path} ${address}`)),
  );
  return findReferences(project, new Set(blocks), await loadHclGrammar()).map(line);
}

const rule = 'resource "cloudflare_waf_rule" "a" {}\n';

describe('what breaks with a block that goes', () => {
  test('is not what only refers to a resource that refers to it', async () => {
    const files = {
      'main.tf': 'module "m" {\n  source = "./m"\n}\noutput "whole" { value = module.m }\n',
      'm/m.tf': `${rule}resource "b" "c" { d = cloudflare_waf_rule.a.id }\noutput "o" { value = b.c.d }\n`,
    };
    expect(await broken(files)).toEqual(['m/m.tf:2 b.c → cloudflare_waf_rule.a (breaks)']);
  });

  test('is not what only waits for a module that is given it', async () => {
    const files = {
      'main.tf': `${rule}module "n" {\n  source = "./n"\n  x = cloudflare_waf_rule.a.id\n}\nresource "b" "c" { depends_on = [module.n] }\n`,
      'n/n.tf': 'variable "x" {}\nresource "b" "c" { d = var.x }\n',
    };
    expect(await broken(files)).toEqual(['main.tf:4 module.n → cloudflare_waf_rule.a (breaks)']);
  });

  test('is no module that is read as a whole, where each of its outputs stays', async () => {
    const files = {
      'main.tf': 'module "m" {\n  source = "./m"\n}\noutput "whole" { value = module.m }\n',
      'm/m.tf': `${rule}resource "b" "c" {}\noutput "id" { value = b.c.id }\n`,
    };
    expect(await broken(files)).toEqual([]);
  });

  test('is a local value that reads such a module as a whole, and nothing that is made of it', async () => {
    const files = {
      'main.tf':
        'module "m" {\n  source = "./m"\n}\nlocals { m = module.m }\noutput "o" { value = local.m.other }\n',
      'm/m.tf': `${rule}resource "b" "c" {}\noutput "id" { value = cloudflare_waf_rule.a.id }\n`,
    };
    expect(await broken(files)).toEqual([
      'm/m.tf:3 output.id → cloudflare_waf_rule.a (breaks)',
      'main.tf:4 local.m → module.m.* (breaks)',
    ]);
  });

  test('is an attribute of an output that breaks', async () => {
    const files = {
      'main.tf': 'module "m" {\n  source = "./m"\n}\noutput "o" { value = module.m.rule.id }\n',
      'm/m.tf': `${rule}resource "b" "c" {}\noutput "rule" { value = cloudflare_waf_rule.a }\n`,
    };
    expect(await broken(files)).toContain('main.tf:4 output.o → module.m.rule (breaks)');
  });

  test('is no output of another module with the same name', async () => {
    const files = {
      'main.tf':
        'module "m" {\n  source = "./m"\n}\nmodule "n" {\n  source = "./n"\n}\noutput "o" { value = module.n.id }\n',
      'm/m.tf': `${rule}output "id" { value = cloudflare_waf_rule.a.id }\n`,
      'n/n.tf': 'output "id" { value = 1 }\n',
    };
    expect(await broken(files)).toEqual(['m/m.tf:2 output.id → cloudflare_waf_rule.a (breaks)']);
  });

  test('is no output that is called as the type is', async () => {
    const files = {
      'main.tf':
        'module "m" {\n  source = "./m"\n}\noutput "o" { value = module.m.cloudflare_waf_rule.a }\n',
      'm/m.tf': `${rule}output "cloudflare_waf_rule" { value = { a = 1 } }\n`,
    };
    expect(await broken(files)).toEqual([]);
  });

  test('is no removed block that names a resource of a module', async () => {
    const files = {
      'main.tf':
        'module "m" {\n  source = "./m"\n}\nremoved {\n  from = module.m.cloudflare_waf_rule.a\n}\n',
      'm/m.tf': `${rule}resource "b" "c" {}\n`,
    };
    expect(await referencesIn(files)).toEqual([]);
  });

  test('is what reads an output that goes itself', async () => {
    const files = {
      'main.tf': 'module "m" {\n  source = "./m"\n}\noutput "o" { value = module.m.id }\n',
      'm/m.tf': 'resource "b" "c" {}\noutput "id" { value = b.c.id }\n',
    };
    expect(await withoutBlocks(files, 'm/m.tf output.id')).toEqual([
      'main.tf:4 output.o → module.m.id (breaks)',
    ]);
  });

  test('is nothing where an override alone goes', async () => {
    const files = {
      'main.tf': `${rule}output "o" { value = cloudflare_waf_rule.a.id }\n`,
      'override.tf': rule,
    };
    expect(await withoutBlocks(files, 'override.tf cloudflare_waf_rule.a')).toEqual([]);
  });
});
