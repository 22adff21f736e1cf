import { type Markup, markup } from './document';

/** What narrows a page of rows down by word and status. It is hidden until {@link filterScript} runs. */
export function filterBar({
  label,
  placeholder,
  choices,
}: {
  /** What is filtered, for a screen reader: `Filter the settings`. */
  readonly label: string;
  readonly placeholder: string;
  /** The values of `data-status` of the rows, with their words. */
  readonly choices: readonly (readonly [status: string, word: string])[];
}): Markup {
  const boxes = choices.map(
    ([status, word]) =>
      markup`<label><input type="checkbox" value="${status}" checked> ${word}</label>`,
  );
  return markup`<div id="filters" role="search" aria-label="${label}" hidden>
<label for="search">Search <input id="search" type="search" autocomplete="off" spellcheck="false" placeholder="${placeholder}"></label>
<fieldset><legend>Show</legend>${boxes}</fieldset>
<button id="reset" type="button">Show all</button>
<span id="shown" role="status"></span>
</div>
`;
}

/**
 * Filters the rows with `data-status` in the parts `.family` of each `.zone`, and prints what is folded.
 * The page is complete without it. It writes text and the attribute `hidden`, never HTML.
 */
export const filterScript = `'use strict';
(() => {
  const filters = document.getElementById('filters');
  const search = document.getElementById('search');
  const shown = document.getElementById('shown');
  const boxes = [...filters.querySelectorAll('input[type=checkbox]')];
  const zones = [...document.querySelectorAll('.zone')].map((section) => ({
    section,
    name: section.querySelector('h2').textContent.toLowerCase(),
    families: [...section.querySelectorAll('.family')].map((family) => ({
      family,
      rows: [...family.querySelectorAll('tr[data-status]')],
    })),
  }));
  const texts = new Map();
  const textOf = (row) => {
    let text = texts.get(row);
    if (text === undefined) {
      text = row.textContent.toLowerCase();
      texts.set(row, text);
    }
    return text;
  };
  const apply = () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
    const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const all = words.length === 0 && wanted.size === boxes.length;
    let rowsShown = 0;
    let rowsTotal = 0;
    let zonesShown = 0;
    for (const { section, name, families } of zones) {
      let inZone = 0;
      for (const { family, rows } of families) {
        let inFamily = 0;
        for (const row of rows) {
          const fits =
            wanted.has(row.dataset.status) &&
            words.every((word) => name.includes(word) || textOf(row).includes(word));
          row.hidden = !fits;
          if (fits) inFamily += 1;
        }
        family.hidden = !all && inFamily === 0;
        inZone += inFamily;
        rowsTotal += rows.length;
      }
      section.hidden = zones.length > 1 && !all && inZone === 0;
      if (inZone > 0) zonesShown += 1;
      rowsShown += inZone;
    }
    document.body.classList.toggle('filtered', !all);
    const places = zones.length > 1 ? ' in ' + zonesShown + ' of ' + zones.length + ' zones' : '';
    shown.textContent = rowsShown + ' of ' + rowsTotal + ' rows shown' + places;
  };
  let waiting;
  search.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, 120);
  });
  for (const box of boxes) box.addEventListener('change', apply);
  document.getElementById('reset').addEventListener('click', () => {
    search.value = '';
    for (const box of boxes) box.checked = true;
    apply();
    search.focus();
  });
  let closed = [];
  addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll('details:not([open])')];
    for (const one of closed) one.open = true;
  });
  addEventListener('afterprint', () => {
    for (const one of closed) one.open = false;
  });
  filters.hidden = false;
  apply();
})();
`;
