import { findReferences } from '../../src/blocks/find-references';
import { loadHclGrammar } from '../../src/blocks/hcl-grammar';
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

  test('a removed block names a resource of a module in vain', async () => {
    const files = {
      'main.tf':
        'module "m" {\n  source = "./m"\n}\nremoved {\n  from = module.m.cloudflare_waf_rule.a\n}\n',
      'm/m.tf': `${rule}resource "b" "c" {}\n`,
    };
    expect(await referencesIn(files)).toEqual([
      'main.tf:5 removed → module.m.cloudflare_waf_rule.a (stale)',
    ]);
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

describe('a module that dies whole', () => {
  const call = (extra = ''): string => `module "m" {\n  source = "./m"\n${extra}}\n`;

  test('may hold local values, settings and outputs that break', async () => {
    const files = {
      'main.tf': `${call('  x = var.m\n')}variable "m" {}\noutput "o" { value = module.m.id }\n`,
      'm/m.tf': `terraform {}\nlocals { x = 1 }\n${rule}output "id" { value = cloudflare_waf_rule.a.id }\n`,
    };
    expect(await referencesIn(files)).toEqual([
      'm/m.tf:4 output.id → cloudflare_waf_rule.a (breaks)',
      'main.tf:1 module.m → module.m (left-over)',
      'main.tf:5 variable.m → variable.m (left-over)',
      'main.tf:6 output.o → module.m.id (breaks)',
    ]);
  });

  test('may only call others that do', async () => {
    const files = {
      'main.tf': call(),
      'm/m.tf': 'module "in" {\n  source = "./in"\n}\n',
      'm/in/in.tf': rule,
    };
    expect(await referencesIn(files)).toEqual(['main.tf:1 module.m → module.m (left-over)']);
  });

  test('is none that calls one that stays', async () => {
    const files = {
      'main.tf': call(),
      'm/m.tf': `${rule}module "in" {\n  source = "./in"\n}\n`,
      'm/in/in.tf': 'resource "b" "c" {}\n',
    };
    expect(await referencesIn(files)).toEqual([]);
  });

  test('is none that never had anything to lose', async () => {
    const files = {
      'main.tf': `${rule}${call()}`,
      'm/m.tf': 'output "x" { value = 1 }\n',
    };
    expect(await referencesIn(files)).toEqual([]);
  });

  test('is none that still checks something', async () => {
    const files = {
      'main.tf': call(),
      'm/m.tf': `${rule}output "x" { value = 1 }\ncheck "c" {\n  assert {\n    condition     = true\n    error_message = "x"\n  }\n}\n`,
    };
    expect(await referencesIn(files)).toEqual([]);
  });

  test('is none that was not read', async () => {
    const files = {
      'main.tf': `${rule}module "m" {\n  source = "git::https://example.com/m"\n}\n`,
    };
    expect(await referencesIn(files)).toEqual([]);
  });

  test('takes what is inside with it where its call goes, and only where all of the call does', async () => {
    const files = {
      'main.tf': call(),
      'm/m.tf': `variable "x" {}\n${rule.replace('{}', '{ b = var.x }')}resource "b" "c" {}\n`,
    };
    const gone = ['main.tf module.m', 'm/m.tf cloudflare_waf_rule.a'];
    expect(await withoutBlocks(files, ...gone)).toEqual([]);
    const overridden = { ...files, 'main_override.tf': call() };
    expect(await withoutBlocks(overridden, ...gone)).toContain(
      'm/m.tf:1 variable.x → variable.x (left-over)',
    );
  });
});
