/**
 * Characters that Unicode joins to the one after them (Grapheme_Cluster_Break=Prepend, of Unicode 9
 * to 16), as the inside of a character class. Terraform's reader of JSON walks by grapheme
 * clusters and so takes such a character and the closing quote, or a backslash, for one: the file
 * is a syntax error (measured with Terraform 1.11.4).
 */
export const PREPEND =
  '\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u0d4e\\u{110bd}\\u{110cd}\\u{111c2}\\u{111c3}' +
  '\\u{113d1}\\u{1193f}\\u{11941}\\u{11a3a}\\u{11a84}-\\u{11a89}\\u{11d46}\\u{11f02}';
