/**
 * A literal as Terraform reads it in JSON: every string there is a template, so `${` and `%{` are
 * doubled, and nothing else is. (A replacer function: in a replacement string `$$` means `$`.)
 */
export function escapeTemplate(text: string): string {
  return text.replace(/[$%](?=\{)/g, (sign) => sign + sign);
}

/**
 * The same for CDKTF, which besides takes `${TfToken[…]}` for a reference of its own, also after
 * a second `$`: there the dollar is written as an expression.
 */
export function escapeConstructTemplate(text: string): string {
  return escapeTemplate(text).replaceAll('$${TfToken[', () => '${"$"}{TfToken[');
}
