import fc from 'fast-check';
import { findInexact, isReference } from '../../../src/generate/dialects/build-resource';
import { anyCharacter } from '../../support/any-character';

/**
 * What one of the languages on the way (Terraform, HCL, JSON, TypeScript, CDKTF) reads as syntax, and text that ends a
 * literal or a comment in one of them.
 */
export const hazards = [
  ...['*/', '/*', '//', '#', '`', '</script>', '<!--', '-->', '"', "'", '\\', '\\\\', '\\"', '\\n'],
  ...['${', '%{', '#{', '&{', '$${', '%%{', '$$${', '%%%{', '$', '%', '{', '}', '${x}', '%{if x}'],
  ...['1e5', '5e', '<<EOT', 'EOT', '<<-EOT', '${"$"}', '${"', '"}', '~}', '${~', '\\u0041', '\\('],
  ...['\n', '\r\n', '\t', '\0', '\x1b[31m', '\x7f', '\x85', '\xa0', '\xad', '\u2028', '\u2029'],
  ...['\u200b', '\u200e', '\u202e', '\u2066', '\ufffe', '\ue000', '\u{e0001}', '\u{10ffff}'],
  ...['\u0301', 'é', 'ü', '中文', '한', '😀', '👍🏽', '❤️', '1️⃣', '🇩🇪', 'ﬀ', 'İ', '\u0338'],
  ...['__proto__', 'constructor', 'null', 'true', '0', '-0', '.', '..', '/', ' ', '  ', ','],
  ...['*/ process.exit(1) /*', '\nprocess.exit(1)', '\r\nprocess.exit(1)', '\x85process.exit(1)'],
  ...[
    '\u2028process.exit(1)',
    '\u2029process.exit(1)',
    "'; process.exit(1); '",
    '`${process.exit(1)}`',
  ],
  ...[
    '"; process.exit(1); "',
    '"]); process.exit(1); //',
    '</script><script>',
    '<!-- -->',
    '@ts-nocheck',
  ],
  ...['"\n}\nresource "null_resource" "owned" {\n  x = "', '<<EOT\nx\nEOT\n', '", "owned": "'],
  ...['${file("/etc/passwd")}', '$${file("/etc/passwd")}', '%{for x in [1]}x%{endfor}'],
  '# sourceMappingURL=data:,x',
] as const;

/** What `generate` reports as STRING_NOT_EXACT although Terraform carries most of it. */
const besideMark =
  /(?:[\u{10000}-\u{10ffff}]|.(?=[\u{10000}-\u{10ffff}]))(?!\p{Variation_Selector})\p{M}/su;

/** Well-formed text in NFC that is carried exactly: from all of Unicode and from the languages' own syntax. */
export const text = (maxParts = 6): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...hazards) },
        { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 12 }) },
        { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
        { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 40 }) },
      ),
      { maxLength: maxParts },
    )
    .map((parts) => parts.join('').normalize('NFC'))
    .filter(
      (value) =>
        findInexact(value, 'it').length === 0 && !isReference(value) && !besideMark.test(value),
    );

/** The same, and never empty. */
export const someText = (maxParts = 6): fc.Arbitrary<string> =>
  text(maxParts).filter((value) => value !== '');
