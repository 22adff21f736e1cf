import { isJsonArray, isJsonObject, type JsonValue } from '../../core/json';
import { MigrationError } from '../../core/migration-error';
import { printable, printableJson } from '../../core/printable';
import { escapeTemplate } from '../../core/terraform-syntax';
import { CHANGE_VALUE, isReference } from '../dialects/build-resource';
import { itemOf, namedKeys, type SchemaNode } from '../dialects/dialects';
import { type Format, idComment, type StackDocument } from './format';

/** The CDK of a project: CDK for Terraform, or CDK Terrain, its successor with the same API. */
export type FlavorName = 'cdktf' | 'cdktn';

/**
 * Where a program without its own bindings imports `ruleset` and `provider` from. npm has no bindings for CDK Terrain
 * (November 2026): `cdktn get` generates them.
 */
export const flavors: Readonly<Record<FlavorName, string>> = {
  cdktf: '@cdktf/provider-cloudflare/lib',
  cdktn: '../.gen/providers/cloudflare',
};

/** A CDKTF stack in TypeScript, with one property or item per line. */
export const cdktf: Format = {
  pathOf: ({ slug }) => `${slug}.ts`,
  render(document) {
    const { names, constraint, flavor, bindings } = document;
    return programOf(document, {
      imports: [
        `import { CloudflareProvider } from ${printableJson(`${bindings}/provider`)};`,
        rulesetImport(document),
        `import { TerraformStack } from "${flavor}";`,
        'import { type Construct } from "constructs";',
      ],
      declaration: `${names.className} extends TerraformStack`,
      provider: [
        '    new CloudflareProvider(this, "cloudflare");',
        '    // Replaces the version that the bindings require, so that every later version of this major is accepted.',
        `    this.addOverride("terraform.required_providers.cloudflare.version", ${printableJson(constraint)});`,
        '',
      ],
    });
  },
};

/** The same ruleset as a construct for an existing stack, which already has its provider. */
export const construct: Format = {
  // no slug has a dot, so the file does not collide with the stack of its zone
  pathOf: ({ slug }) => `${slug}.ruleset.ts`,
  render: (document) =>
    programOf(document, {
      imports: [rulesetImport(document), 'import { Construct } from "constructs";'],
      declaration: `${document.names.constructName} extends Construct`,
      provider: [],
    }),
};

interface ProgramParts {
  readonly imports: readonly string[];
  readonly declaration: string;
  readonly provider: readonly string[];
}

function programOf(
  document: StackDocument,
  { imports, declaration, provider }: ProgramParts,
): string {
  const lines = [
    ...document.comment.map((line) => `// ${line}`),
    ...imports,
    '',
    `export class ${declaration} {`,
    '  constructor(scope: Construct, id: string) {',
    '    super(scope, id);',
    '',
    ...provider,
    ...rulesetSource(document),
    '  }',
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

function rulesetImport({ bindings }: StackDocument): string {
  return `import { Ruleset } from ${printableJson(`${bindings}/ruleset`)};`;
}

/** The indentation of the arguments that a constructor passes to the ruleset. */
const INSIDE = '      ';

/** The statements that declare the ruleset; its address does not depend on the depth of its construct. */
function rulesetSource(document: StackDocument): string[] {
  const { dialect, resourceName, attributes, providerReference: provider } = document;
  const name = printableJson(resourceName);
  const properties = [
    ...Object.entries(attributes).map(
      ([key, value]) =>
        property(camelCase(key), value, dialect.schema[key], INSIDE) +
        (key === 'name' ? ' // with another name, Terraform would replace the ruleset' : ''),
    ),
    property('lifecycle', { preventDestroy: true }, undefined, INSIDE),
  ];
  return [
    `    const ruleset = new Ruleset(this, ${name}, ${bracketed('{', properties, '}', '    ')});`,
    `    ruleset.overrideLogicalId(${name}); // keeps the address in the state`,
    ...(provider === undefined
      ? []
      : [`    ruleset.addOverride("provider", ${printableJson(provider)});`]),
  ];
}

/** A value as code; in the bindings, a block that can occur only once is an object. */
function code(value: JsonValue, node: SchemaNode | undefined, indent: string): string {
  const inside = `${indent}  `;
  if (typeof value === 'number') return String(checked(value));
  if (typeof value === 'string') return printableJson(escapeTemplate(checked(value)));
  if (isJsonArray(value)) {
    const item = itemOf(node);
    const [first, ...others] = value;
    if (typeof node === 'object' && node.max === 1 && first !== undefined && !others.length) {
      return code(first, item, indent);
    }
    const items = value.map((inner) => `${code(inner, item, inside)},${idComment(inner, '//')}`);
    return bracketed('[', items, ']', indent);
  }
  if (!isJsonObject(value)) return String(value);
  const attributes = namedKeys(node);
  const properties = Object.entries(value).map(([key, inner]) =>
    attributes
      ? property(camelCase(key), inner, attributes[key], inside)
      : property(escapeTemplate(checked(key)), inner, itemOf(node), inside),
  );
  return bracketed('{', properties, '}', indent);
}

/** @throws MigrationError `RULESET_INVALID` for what CDKTF would read as a reference, such as to a secret variable */
function checked<Value extends string | number>(value: Value): Value {
  if (!isReference(value)) return value;
  const message = `CDKTF would read ${printable(String(value), 80)} as a reference`;
  throw new MigrationError('RULESET_INVALID', message, { hint: CHANGE_VALUE });
}

/** A property with its comma. */
function property(
  key: string,
  value: JsonValue,
  node: SchemaNode | undefined,
  indent: string,
): string {
  const name = /^[A-Za-z_$][\w$]*$/.test(key) ? key : printableJson(key);
  return `${name}: ${code(value, node, indent)},${idComment(value, '//')}`;
}

/** Writes one part per line. */
function bracketed(open: string, parts: readonly string[], close: string, indent: string): string {
  if (parts.length === 0) return open + close;
  return [open, ...parts.map((part) => `${indent}  ${part}`), indent + close].join('\n');
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
