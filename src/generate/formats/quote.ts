import { printableJson } from '../../core/printable';

/** Quotes a string of TypeScript with double quotes. */
export function quoteTypeScript(text: string): string {
  return printableJson(text);
}

/** Writes a JSON document with an indentation of two, with the same characters as escapes. */
export function printJson(document: object): string {
  return `${printableJson(document, 2)}\n`;
}

/**
 * Escapes a literal for Terraform JSON, which CDKTF also writes (0.21): Terraform reads each string as a template.
 * Uses a replacer function because `$$` means `$` in a replacement string.
 */
export function escapeTemplate(text: string): string {
  return text.replace(/[$%](?=\{)/g, (sign) => sign + sign);
}
