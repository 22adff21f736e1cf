import { htmlDocument } from './document';
import { Markup, markup } from './markup';
import { script } from './script';

/** One whole HTML document with the script of the report. */
export function page(title: string, body: readonly Markup[]): Markup {
  const content = markup`${body}
<script>${new Markup(script)}</script>
`;
  return htmlDocument({ title, skip: 'Skip to the report', content, script });
}
