import { statuses } from '../../parity/parity';
import { statusWords } from '../words';
import { type Markup, markup } from './markup';

/** What narrows the page down; it appears when the script is there that makes it work. */
export function filterBar(): Markup {
  const boxes = [
    ...statuses.map((status) => [status, statusWords[status]] as const),
    ['new', 'Only new'] as const,
  ].map(
    ([value, word]) =>
      markup`<label><input type="checkbox" value="${value}" checked> ${word}</label>`,
  );
  return markup`<div id="filters" role="search" aria-label="Filter the settings" hidden>
<label for="search">Search <input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="rule, group, address, reason"></label>
<fieldset><legend>Show</legend>${boxes}</fieldset>
<button id="reset" type="button">Show all</button>
<span id="shown" role="status"></span>
</div>
`;
}
