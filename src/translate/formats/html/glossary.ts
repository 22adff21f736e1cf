import { type Markup, markup } from './markup';

const terms = [
  ['WAF', 'The web application firewall: it looks at each request and blocks what is an attack.'],
  [
    'Previous WAF',
    'Its rules stood in packages, in groups. Each rule and group could be set for a zone.',
  ],
  [
    'Managed ruleset',
    'What takes the place of a package: a list of rules that Cloudflare maintains. A zone runs it as a whole.',
  ],
  ['Override', 'A change to one rule of a managed ruleset: switched off, or another action.'],
  [
    'Exception',
    'A rule that keeps a managed ruleset, or parts of it, from running for some requests.',
  ],
  [
    'Paranoia level',
    'How many OWASP rules run, from 1 (few false alarms) to 4 (strict, with many false alarms).',
  ],
  [
    'Score threshold',
    'Each OWASP rule that matches adds to the score of a request. From this score on it is acted upon: a lower number is stricter.',
  ],
  [
    'Log, block, managed challenge',
    'What happens to a request: it is only noted; it is refused; the visitor has to pass a check.',
  ],
  [
    'Read from',
    'Where a setting was found: an address in the state of Terraform, the tool that some teams configure Cloudflare with, or a place in an answer of Cloudflare.',
  ],
] as const;

/** The words of the page, for a reader who has seen neither WAF nor Terraform. */
export function glossary(): Markup {
  const items = terms.map(
    ([term, meaning]) => markup`<dt>${term}</dt><dd>${meaning}</dd>
`,
  );
  return markup`<details><summary>What the words mean</summary>
<dl id="words">
${items}</dl></details>
`;
}
