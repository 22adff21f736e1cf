import { parse } from '@cdktf/hcl2json';
import { type TerraformStack } from 'cdktf';
import { transformSync } from 'esbuild';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FormatName } from '../../../src/core/format-names';
import { temporaryFolder } from '../../support/temporary-folder';

type Resource = Record<string, any>;
/** What a stack gets its packages from; those of this repository unless told. */
type Load = (name: string) => any;

/** The one `cloudflare_ruleset` of a Terraform JSON document, its strings as Terraform reads them. */
export function readTerraformJson(text: string, name = 'managed_rules'): Resource {
  const document = JSON.parse(text);
  expect(Object.keys(document.resource)).toEqual(['cloudflare_ruleset']);
  expect(Object.keys(document.resource.cloudflare_ruleset)).toEqual([name]);
  return withoutGuard(evaluate(document.resource.cloudflare_ruleset[name], readJsonTemplate));
}

/** The same of HCL, read by HashiCorp's own parser, which leaves `$${` and `%%{` as they are. */
export async function readHcl(text: string, name = 'managed_rules'): Promise<Resource> {
  const document = await parse('stack.tf', text);
  expect(Object.keys(document)).toEqual(['resource']);
  expect(Object.keys(document['resource'])).toEqual(['cloudflare_ruleset']);
  expect(Object.keys(document['resource'].cloudflare_ruleset)).toEqual([name]);
  const [resource, ...others] = document['resource'].cloudflare_ruleset[name];
  expect(others).toEqual([]);
  return withoutGuard(evaluate(resource, readTemplate));
}

/** Leaves out `prevent_destroy`, which every stack has. */
function withoutGuard(resource: Resource): Resource {
  const rest = { ...resource };
  delete rest['lifecycle'];
  return rest;
}

/** The stack class that a generated file exports, compiled in memory. */
export function loadStack(
  text: string,
  load: Load = require,
): new (scope: any, id: string) => TerraformStack {
  const { code } = transformSync(text, { loader: 'ts', format: 'cjs' });
  const program: { exports: Record<string, any> } = { exports: {} };
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- the generated program is what is tested
  new Function('require', 'module', code)(load, program);
  const classes = Object.values(program.exports);
  expect(classes).toHaveLength(1);
  return classes[0];
}

/** The `cdk.tf.json` that CDKTF makes of a generated file, as `cdktf synth` would write it. */
export function synthesise(text: string, load: Load = require): string {
  const Stack = loadStack(text, load);
  const { App } = load('cdktf');
  const app = new App({ outdir: temporaryFolder() });
  new Stack(app, 'stack');
  app.synth();
  return readFileSync(join(app.outdir, 'stacks/stack/cdk.tf.json'), 'utf8');
}

/** The resource that CDKTF makes of a generated file. */
export function readStack(text: string, name = 'managed_rules', load: Load = require): Resource {
  const { '//': metadata, ...resource } = readTerraformJson(synthesise(text, load), name);
  expect(metadata).toEqual({ metadata: { path: `stack/${name}`, uniqueId: name } });
  return resource;
}

type ReadText = (text: string) => string;

/** Every string of a tree as Terraform's template language evaluates it. */
function evaluate(value: any, read: ReadText): any {
  if (typeof value === 'string') return read(value);
  if (Array.isArray(value)) return value.map((item) => evaluate(item, read));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.map(([key, inner]) => [read(key), evaluate(inner, read)]));
}

/** A string of JSON is source of a template: a byte order mark in front is an encoding's, and dropped. */
function readJsonTemplate(template: string): string {
  return readTemplate(template.replace(/^\ufeff/, ''));
}

/** A template of literals: `$${` and `%%{` stand for themselves, `${"…"}` for the string in it. */
function readTemplate(template: string): string {
  return template.replace(
    /\$\$\{|%%\{|\$\{"((?:[^"\\]|\\.)*)"\}|[$%]\{/g,
    (match, inner?: string) => {
      if (inner !== undefined) return unquote(inner);
      if (match.length === 3) return match.slice(1);
      throw new Error(`an unexpected expression: ${match} in ${template}`);
    },
  );
}

function unquote(inner: string): string {
  return inner
    .replace(/\\U([\da-f]{8})/gi, (_, code: string) => String.fromCodePoint(parseInt(code, 16)))
    .replace(/\\(u[\da-f]{4}|.)/gi, (escape) => JSON.parse(`"${escape}"`) as string)
    .replace(/([$%])\1(?=\{)/g, '$1');
}

type StandaloneFormat = Exclude<FormatName, 'construct'>;

/** A reader for each format: `tsc` reports a new one without it. `construct.test.ts` reads constructs in a stack. */
export const readers: Readonly<
  Record<StandaloneFormat, (text: string) => Resource | Promise<Resource>>
> = {
  cdktf: readStack,
  hcl: readHcl,
  tfjson: readTerraformJson,
};
export const standaloneFormats = Object.keys(readers) as StandaloneFormat[];
