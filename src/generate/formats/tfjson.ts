import { isJsonArray, isJsonObject, type JsonValue } from '../../core/json';
import { printableJson } from '../../core/printable';
import { escapeTemplate, terraformFileName } from '../../core/terraform-syntax';
import { type Format } from './format';

/** Terraform JSON: the internal tree, with every literal escaped. */
export const tfjson: Format = {
  pathOf: ({ slug }) => terraformFileName(slug, '.tf.json'),
  render: ({ comment, resourceName, attributes, providerReference: provider }) =>
    printJson({
      '//': comment.join(' '),
      resource: {
        cloudflare_ruleset: {
          [resourceName]: {
            ...(provider && { provider }),
            ...escapeLiterals(attributes),
            lifecycle: { prevent_destroy: true },
          },
        },
      },
    }),
  providersFile: ({ constraint, configuresProvider }) => ({
    path: 'providers.tf.json',
    text: printJson({
      terraform: {
        required_providers: {
          cloudflare: { source: 'cloudflare/cloudflare', version: constraint },
        },
      },
      ...(configuresProvider ? { provider: { cloudflare: {} } } : {}),
    }),
  }),
};

/** Writes a JSON document with hidden characters as escapes. */
export function printJson(document: object): string {
  return `${printableJson(document, 2)}\n`;
}

function escapeLiterals<Value extends JsonValue>(value: Value): Value;
function escapeLiterals(value: JsonValue): JsonValue {
  if (typeof value === 'string') return escapeTemplate(value);
  if (isJsonArray(value)) return value.map((item) => escapeLiterals(item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [escapeTemplate(key), escapeLiterals(inner)]),
  );
}
