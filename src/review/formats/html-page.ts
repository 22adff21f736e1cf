import { createHash } from 'node:crypto';
import { Markup, markup } from '../../translate/formats/html/markup';
import { style } from '../../translate/formats/html/style';

/** The exact text of the style, and nothing else: no script, no network. */
const digest = createHash('sha256').update(style).digest('base64');
const policy = `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`;

/** One whole HTML document in the look of the report, without a script. */
export function htmlPage(title: string, body: Markup): string {
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
<a class="skip" href="#report">Skip to the review</a>
${body}</body>
</html>
`.html;
}
