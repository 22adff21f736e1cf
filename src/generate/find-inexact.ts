import { type Finding } from '../model/finding';
import { isJsonArray, isJsonObject, type JsonValue } from '../model/json';

/** What Terraform changes in a text (measured with Terraform 1.11.4); of several the first is told. */
const changes: readonly (readonly [isMet: (text: string) => boolean, what: string])[] = [
  [(text) => !text.isWellFormed(), 'a lone surrogate, which Terraform replaces by U+FFFD'],
  [(text) => text !== text.normalize('NFC'), 'text that is not in NFC, which Terraform normalises'],
  // golang.org/x/text composes by the lowest 16 bits alone: U+103B1 is U+03B1 there before U+0301
  [
    (text) =>
      /(?:[\u{10000}-\u{10ffff}]|.(?=[\u{10000}-\u{10ffff}]))(?!\p{Variation_Selector})\p{M}/su.test(
        text,
      ),
    'a character beyond U+FFFF beside a mark, which Terraform may take for another letter',
  ],
  // Go's golang.org/x/text keeps to the stream-safe text format of Unicode (UAX #15, 13)
  [
    (text) => /\p{Mn}{31}/u.test(text.normalize('NFD')),
    'more than thirty marks in a row, between which Terraform puts U+034F',
  ],
];

/** Almost all text is: nothing of it is ever changed. */
const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/** Names every text that Terraform cannot carry exactly, and every number that was not read exactly. */
export function findInexact(value: JsonValue, subject: string): Finding[] {
  if (typeof value === 'string') {
    if (isAscii(value)) return [];
    const change = changes.find(([isMet]) => isMet(value));
    return change === undefined ? [] : [inexactText(subject, change[1])];
  }
  if (typeof value === 'number') {
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? [inexactNumber(subject)] : [];
  }
  if (isJsonArray(value)) {
    return value.flatMap((item, index) => findInexact(item, `${subject}[${index}]`));
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    ...findInexact(key, `${subject}.${key}`),
    ...findInexact(inner, `${subject}.${key}`),
  ]);
}

function inexactText(subject: string, what: string): Finding {
  return {
    code: 'STRING_NOT_EXACT',
    severity: 'decision',
    subject,
    message: `holds ${what}: the plan after the import will show a difference`,
    remedy: 'rewrite the text in the service, then generate again',
  };
}

function inexactNumber(subject: string): Finding {
  return {
    code: 'NUMBER_NOT_EXACT',
    severity: 'decision',
    subject,
    message:
      'is a whole number beyond 2^53, of which the last digits may not be those of the service',
    remedy: 'set a smaller number in the service, then generate again',
  };
}
