import { createHash } from 'node:crypto';
import { Markup, markup } from './markup';
import { script } from './script';
import { style } from './style';

/** These exact texts run and style, and nothing else does: no network, no inline attribute. */
const policy = [
  "default-src 'none'",
  `script-src '${digest(script)}'`,
  `style-src '${digest(style)}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** One whole HTML document that needs nothing beside itself. */
export function page(title: string, body: readonly Markup[]): Markup {
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
<a class="skip" href="#report">Skip to the report</a>
${body}
<script>${new Markup(script)}</script>
</body>
</html>
`;
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
