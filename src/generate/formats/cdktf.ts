import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../model/json';
import { type SchemaAttributes, type SchemaNode } from '../dialects/schema';
import { escapeConstructTemplate } from './escape-template';
import { type Format, type StackDocument } from './format';
import { quoteTypeScript } from './quote';
import { property, printArray, printObject } from './typescript';

/** A CDKTF stack in TypeScript, as a person would have written it and prettier would print it. */
export const cdktf: Format = {
  resourceFile: (document) => ({
    path: `${document.names.slug}.ts`,
    text: `${source(document).join('\n')}\n`,
  }),
};

function source(document: StackDocument): string[] {
  const { names, comment, dialect, resourceName } = document;
  const { declared, overridden } = splitUnbound(document);
  const config = [
    ...Object.entries(declared).flatMap(([name, value]) =>
      property(camelCase(name), (indent) => print(value, dialect.schema[name], indent), '      '),
    ),
    ...(document.preventDestroy
      ? ['      lifecycle: {', '        preventDestroy: true,', '      },']
      : []),
  ];
  return [
    ...comment.map((line) => `// ${line}`),
    'import { CloudflareProvider } from "@cdktf/provider-cloudflare/lib/provider";',
    'import { Ruleset } from "@cdktf/provider-cloudflare/lib/ruleset";',
    'import { TerraformStack } from "cdktf";',
    'import { type Construct } from "constructs";',
    '',
    `export class ${names.className} extends TerraformStack {`,
    '  constructor(scope: Construct, id: string) {',
    '    super(scope, id);',
    '',
    '    new CloudflareProvider(this, "cloudflare");',
    '    // The bindings pin one exact version, older than what may have written the state.',
    '    this.addOverride(',
    '      "terraform.required_providers.cloudflare.version",',
    `      ${quoteTypeScript(dialect.constraint)},`,
    '    );',
    '',
    `    const ruleset = new Ruleset(this, "${resourceName}", {`,
    ...config,
    '    });',
    `    ruleset.overrideLogicalId("${resourceName}");`,
    ...overridden.flatMap(([path, value]) => [
      '    ruleset.addOverride(',
      `      ${quoteTypeScript(path)},`,
      ...argument(print(value, undefined, '      ')),
      '    );',
    ]),
    '  }',
    '}',
  ];
}

/** Fields that the provider has and the (older) bindings do not, set past the bindings' types. */
function splitUnbound(document: StackDocument): {
  declared: JsonObject;
  overridden: [string, JsonValue][];
} {
  const unbound = new Set(document.dialect.unboundFields);
  const overridden: [string, JsonValue][] = [];
  const { rules, ...rest } = document.attributes;
  if (!isJsonArray(rules)) return { declared: document.attributes, overridden };
  const declaredRules = rules.map((rule, index) => {
    const parameters = isJsonObject(rule) ? rule['action_parameters'] : undefined;
    if (!isJsonObject(rule) || !isJsonObject(parameters)) return rule;
    const entries = Object.entries(parameters);
    for (const [name, value] of entries.filter(([field]) => unbound.has(field))) {
      overridden.push([`rules.${index}.action_parameters.${name}`, value]);
    }
    const bound = Object.fromEntries(entries.filter(([field]) => !unbound.has(field)));
    return { ...rule, action_parameters: bound };
  });
  return { declared: { ...rest, rules: declaredRules }, overridden };
}

function argument(printed: readonly string[]): string[] {
  return printed.map(
    (line, index) =>
      (index === 0 ? `      ${line}` : line) + (index === printed.length - 1 ? ',' : ''),
  );
}

/** A value as lines of TypeScript; the first one stands where the value begins. */
function print(value: JsonValue, node: SchemaNode | undefined, indent: string): string[] {
  if (typeof value === 'string') return [quoteTypeScript(escapeConstructTemplate(value))];
  if (isJsonArray(value)) {
    const item = itemOf(node);
    return printArray(
      value.map((inner) => print(inner, item, `${indent}  `)),
      indent,
    );
  }
  if (!isJsonObject(value)) return [String(value)];
  const attributes = attributesOf(node);
  const entries = Object.entries(value).map(([key, inner]) => ({
    name: attributes ? camelCase(key) : escapeConstructTemplate(key),
    value: (inside: string) => print(inner, attributes ? attributes[key] : itemOf(node), inside),
  }));
  return printObject(entries, indent);
}

/** The attributes that name the keys of an object; undefined where the keys are data. */
function attributesOf(node: SchemaNode | undefined): SchemaAttributes | undefined {
  return typeof node === 'object' && node.nesting !== 'map' ? node.attributes : undefined;
}

function itemOf(node: SchemaNode | undefined): SchemaNode | undefined {
  return typeof node === 'object' ? { ...node, nesting: 'single' } : undefined;
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
