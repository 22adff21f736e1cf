import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../core/json';
import { quoteHcl, terraformFileName } from '../../core/terraform-syntax';
import {
  attributesOf,
  itemOf,
  namedKeys,
  type SchemaAttributes,
  type SchemaNode,
} from '../dialects/dialects';
import { type Format, idComment, type StackDocument } from './format';

export const hcl: Format = {
  pathOf: ({ slug }) => terraformFileName(slug, '.tf'),
  render: ({ comment, dialect, resourceName, attributes, ...meta }) =>
    lines([
      ...comment.map((line) => `# ${line}`),
      `resource "cloudflare_ruleset" "${resourceName}" {`,
      ...metaArguments(meta),
      ...body(attributes, dialect.schema, '  '),
      '',
      '  lifecycle {',
      '    prevent_destroy = true',
      '  }',
      '}',
    ]),
  providersFile: ({ constraint, configuresProvider }) => ({
    path: 'providers.tf',
    text: lines([
      'terraform {',
      '  required_providers {',
      '    cloudflare = {',
      '      source  = "cloudflare/cloudflare"',
      `      version = ${quoteHcl(constraint)}`,
      '    }',
      '  }',
      '}',
      ...(configuresProvider ? ['', 'provider "cloudflare" {}'] : []),
    ]),
  }),
};

function metaArguments({
  count,
  providerReference: provider,
}: Pick<StackDocument, 'count' | 'providerReference'>): string[] {
  const given = Object.entries({ count, provider }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return given.length === 0 ? [] : [...aligned(given, '  '), ''];
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}

/** The content of a block: aligned arguments, then nested blocks. */
function body(object: JsonObject, schema: SchemaAttributes, indent: string): string[] {
  const isBlock = (name: string): boolean => {
    const node = schema[name];
    return typeof node === 'object' && node.nesting === 'block';
  };
  const entries = Object.entries(object);
  return [
    ...assignments(
      entries
        .filter(([name]) => !isBlock(name))
        .map(([name, value]) => [name, value, schema[name]]),
      indent,
    ),
    ...entries
      .filter(([name]) => isBlock(name))
      .flatMap(([name, value]) => blocks(name, value, schema[name], indent)),
  ];
}

function blocks(
  name: string,
  value: JsonValue,
  node: SchemaNode | undefined,
  indent: string,
): string[] {
  const attributes = attributesOf(node);
  const items: readonly JsonValue[] = isJsonArray(value) ? value : [value];
  return items.filter(isJsonObject).flatMap((item) => {
    const inner = body(item, attributes, `${indent}  `);
    return inner.length === 0
      ? [`${indent}${name} {}`]
      : [`${indent}${name} {`, ...inner, `${indent}}`];
  });
}

type Assignment = readonly [name: string, value: JsonValue, node: SchemaNode | undefined];

/** Single-line values as `terraform fmt` aligns them. */
function aligned(all: readonly (readonly [name: string, value: string])[], indent: string) {
  const width = all.reduce((most, [name]) => Math.max(most, name.length), 0);
  return all.map(([name, value]) => `${indent}${name.padEnd(width)} = ${value}`);
}

/** Writes `name = value` lines, and aligns adjacent single-line values. */
function assignments(entries: readonly Assignment[], indent: string): string[] {
  const lines: string[] = [];
  let neighbours: [name: string, value: string][] = [];
  for (const [name, value, node] of entries) {
    const [first = '', ...rest] = expression(value, node, indent);
    if (rest.length === 0) neighbours.push([name, first + idComment(value, '#')]);
    else {
      lines.push(...aligned(neighbours, indent), `${indent}${name} = ${first}`);
      for (const line of rest) lines.push(line);
      neighbours = [];
    }
  }
  return lines.concat(aligned(neighbours, indent));
}

/** Quotes a text. The grammar of tree-sitter refuses a sign before an escaped template, such as `%%%{`. */
function quoteText(text: string): string {
  return quoteHcl(text).replace(/[$%](?=([$%])\1\{)/g, (sign) =>
    sign === '$' ? '\\u0024' : '\\u0025',
  );
}

/** A value as lines; the first one follows the equals sign. */
function expression(value: JsonValue, node: SchemaNode | undefined, indent: string): string[] {
  if (typeof value === 'string') return [quoteText(value)];
  if (isJsonArray(value)) return list(value, node, indent);
  if (!isJsonObject(value)) return [String(value)];
  const attributes = namedKeys(node);
  const entries = Object.entries(value).map(([key, inner]): Assignment =>
    attributes ? [key, inner, attributes[key]] : [quoteText(key), inner, itemOf(node)],
  );
  return entries.length === 0
    ? ['{}']
    : ['{', ...assignments(entries, `${indent}  `), `${indent}}`];
}

function list(items: readonly JsonValue[], node: SchemaNode | undefined, indent: string): string[] {
  const item = itemOf(node);
  const printed = items.map((value) => expression(value, item, `${indent}  `));
  if (printed.length <= 3 && printed.every((text) => text.length === 1))
    return [`[${printed.flat().join(', ')}]`];
  return [
    '[',
    ...printed.flatMap(([first = '', ...rest]) => {
      const lines = [`${indent}  ${first}`, ...rest];
      return lines.with(-1, `${lines.at(-1) ?? ''},`);
    }),
    `${indent}]`,
  ];
}
