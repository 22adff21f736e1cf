import { type Finding } from '../model/finding';
import { isJsonArray, isJsonObject, type JsonValue } from '../model/json';

/**
 * Names every string that Terraform cannot carry exactly: it normalises to NFC and turns a lone
 * surrogate into U+FFFD (measured with Terraform 1.11.4).
 */
export function findInexactStrings(value: JsonValue, subject: string): Finding[] {
  if (typeof value === 'string') {
    if (!value.isWellFormed())
      return [inexact(subject, 'a lone surrogate, which Terraform replaces by U+FFFD')];
    if (value !== value.normalize('NFC'))
      return [inexact(subject, 'text that is not in NFC, which Terraform normalises')];
    return [];
  }
  if (isJsonArray(value)) {
    return value.flatMap((item, index) => findInexactStrings(item, `${subject}[${index}]`));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...findInexactStrings(key, `${subject}.${key}`),
    ...findInexactStrings(inner, `${subject}.${key}`),
  ]);
}

function inexact(subject: string, what: string): Finding {
  return {
    code: 'STRING_NOT_EXACT',
    severity: 'decision',
    subject,
    message: `holds ${what}: the plan after the import will show a difference`,
    remedy: 'rewrite the text in the service, then generate again',
  };
}
