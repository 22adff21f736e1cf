import { createHash } from 'node:crypto';
import { Markup, markup } from './markup';
import { style } from './style';

/** What differs between the documents in this look. */
interface HtmlDocument {
  readonly title: string;
  /** The words of the link that skips to the main part. */
  readonly skip: string;
  /** What follows that link; a line break included. */
  readonly content: Markup;
  /** The exact text of the one script that runs; none runs without it. */
  readonly script?: string;
}

/** One whole HTML document that needs nothing beside itself: no network, no inline attribute. */
export function htmlDocument({ title, skip, content, script }: HtmlDocument): Markup {
  const policy = [
    "default-src 'none'",
    ...(script === undefined ? [] : [`script-src '${digest(script)}'`]),
    `style-src '${digest(style)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    ...(script === undefined ? [] : ["require-trusted-types-for 'script'", "trusted-types 'none'"]),
  ].join('; ');
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<meta name="generator" content="cf-waf-migrate">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<a class="skip" href="#report">${skip}</a>
${content}</body>
</html>
`;
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
