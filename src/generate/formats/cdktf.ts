import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../model/json';
import { itemOf, namedKeys, type SchemaNode } from '../dialects/schema';
import { constructName } from '../names';
import { escapeConstructTemplate } from './escape-template';
import { type Format, type StackDocument } from './format';
import { quoteTypeScript } from './quote';
import { type Code, printCall, type Properties } from './typescript';

/** A CDKTF stack in TypeScript, as a person would have written it and prettier would print it. */
export const cdktf: Format = {
  resourceFile: (document) => ({
    path: `${document.names.slug}.ts`,
    text: `${stackSource(document).join('\n')}\n`,
  }),
};

/** The same ruleset as a construct for a stack that exists, which has its provider already. */
export const construct: Format = {
  resourceFile: (document) => ({
    // no slug has a dot: it lies beside the stack of a zone
    path: `${document.names.slug}.ruleset.ts`,
    text: `${constructSource(document).join('\n')}\n`,
  }),
};

function headOf({ comment }: StackDocument): string[] {
  return comment.map((line) => `// ${line}`);
}

function stackSource(document: StackDocument): string[] {
  const { names, dialect, core, bindings } = document;
  return [
    ...headOf(document),
    `import { CloudflareProvider } from ${quoteTypeScript(`${bindings}/provider`)};`,
    `import { Ruleset } from ${quoteTypeScript(`${bindings}/ruleset`)};`,
    `import { TerraformStack } from "${core}";`,
    'import { type Construct } from "constructs";',
    '',
    `export class ${names.className} extends TerraformStack {`,
    '  constructor(scope: Construct, id: string) {',
    '    super(scope, id);',
    '',
    '    new CloudflareProvider(this, "cloudflare");',
    '    // The bindings pin one exact version, older than what may have written the state.',
    ...printCall(
      'this.addOverride',
      ['"terraform.required_providers.cloudflare.version"', quoteTypeScript(dialect.constraint)],
      '    ',
    ),
    '',
    ...rulesetSource(document),
    '  }',
    '}',
  ];
}

function constructSource(document: StackDocument): string[] {
  const { names, bindings } = document;
  return [
    ...headOf(document),
    `import { Ruleset } from ${quoteTypeScript(`${bindings}/ruleset`)};`,
    'import { Construct } from "constructs";',
    '',
    `export class ${constructName(names)} extends Construct {`,
    '  constructor(scope: Construct, id: string) {',
    '    super(scope, id);',
    '',
    ...rulesetSource(document),
    '  }',
    '}',
  ];
}

/** The statements that declare the ruleset; its address is the same, however deep its construct lies. */
function rulesetSource(document: StackDocument): string[] {
  const { dialect, resourceName } = document;
  const { declared, overridden } = splitUnbound(document);
  const name = quoteTypeScript(resourceName);
  const config: Properties = [
    ...Object.entries(declared).map(
      ([key, value]) => [camelCase(key), toCode(value, dialect.schema[key])] as const,
    ),
    ...(document.preventDestroy
      ? [['lifecycle', { properties: [['preventDestroy', 'true']] }] as const]
      : []),
  ];
  return [
    ...printCall('const ruleset = new Ruleset', ['this', name, { properties: config }], '    '),
    ...printCall('ruleset.overrideLogicalId', [name], '    '),
    ...overridden.flatMap(([path, value]) =>
      printCall('ruleset.addOverride', [quoteTypeScript(path), toCode(value, undefined)], '    '),
    ),
  ];
}

/** Fields that the provider has and the (older) bindings do not, set past the bindings' types. */
function splitUnbound(document: StackDocument): {
  declared: JsonObject;
  overridden: [string, JsonValue][];
} {
  const unbound = new Set(document.dialect.unboundFields);
  const overridden: [string, JsonValue][] = [];
  const split = (parameters: JsonValue, path: string): JsonValue => {
    // a block is a list of one
    if (isJsonArray(parameters)) return parameters.map((item) => split(item, `${path}.0`));
    if (!isJsonObject(parameters)) return parameters;
    const entries = Object.entries(parameters);
    for (const [name, value] of entries) {
      if (unbound.has(name)) overridden.push([`${path}.${name}`, value]);
    }
    return Object.fromEntries(entries.filter(([name]) => !unbound.has(name)));
  };
  const { rules, ...rest } = document.attributes;
  if (!isJsonArray(rules)) return { declared: document.attributes, overridden };
  const declaredRules = rules.map((rule, index) => {
    const parameters = isJsonObject(rule) ? rule['action_parameters'] : undefined;
    if (!isJsonObject(rule) || parameters === undefined) return rule;
    return { ...rule, action_parameters: split(parameters, `rules.${index}.action_parameters`) };
  });
  return { declared: { ...rest, rules: declaredRules }, overridden };
}

/** A value as code; a block of which there can be one only is an object in the bindings. */
function toCode(value: JsonValue, node: SchemaNode | undefined): Code {
  if (typeof value === 'string') return quoteTypeScript(escapeConstructTemplate(value));
  if (isJsonArray(value)) {
    const item = itemOf(node);
    const [first, ...others] = value;
    if (typeof node === 'object' && node.max === 1 && first !== undefined && !others.length) {
      return toCode(first, item);
    }
    return { items: value.map((inner) => toCode(inner, item)) };
  }
  if (typeof value === 'number') return String(value).replace('e+', 'e');
  if (!isJsonObject(value)) return String(value);
  const attributes = namedKeys(node);
  return {
    properties: Object.entries(value).map(([key, inner]) =>
      attributes
        ? [camelCase(key), toCode(inner, attributes[key])]
        : [escapeConstructTemplate(key), toCode(inner, itemOf(node))],
    ),
  };
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
