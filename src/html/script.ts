/**
 * The one script of all pages. A page is complete without it: it sorts overviews, and filters the parts with
 * `data-tone`. It writes text and attributes, never HTML.
 */
export const script = `'use strict';
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);

  const { compare } = new Intl.Collator('en', { numeric: true });
  for (const table of all('table.overview')) {
    const [body] = table.tBodies;
    const heads = all('thead th', table);
    heads.forEach((head, index) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener('click', () => {
        const isNumber = body.rows[0]?.cells[index].classList.contains('number');
        const was = head.getAttribute('aria-sort') ?? (isNumber ? 'ascending' : 'descending');
        const sign = was === 'ascending' ? -1 : 1;
        for (const one of heads) one.removeAttribute('aria-sort');
        head.setAttribute('aria-sort', sign < 0 ? 'descending' : 'ascending');
        const sorted = [...body.rows]
          .map((row) => [row.cells[index].textContent.replaceAll(',', ''), row])
          .sort(([one], [other]) => sign * compare(one, other));
        body.append(...sorted.map(([, row]) => row));
      });
    });
  }

  const filters = byId('filters');
  if (filters === null) return;
  const search = byId('search');
  const boxes = all('input[type=checkbox]', filters);
  const rows = all('[data-tone]');
  // zones and cards are hidden where none of their rows is left
  const places = all('.zone, .card:not([data-tone])').map((place) => ({ place, open: place.open }));
  const textOf = (row) =>
    [row.closest('.zone')?.dataset.zone, row.closest('.card')?.querySelector('summary').textContent, row.textContent]
      .join(' ').toLowerCase();
  let texts;
  const count = (number) => number.toLocaleString('en-US');
  const apply = () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
    if (words.length > 0) texts ??= rows.map(textOf);
    const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    let shown = 0;
    rows.forEach((row, index) => {
      const fits = wanted.has(row.dataset.tone) && words.every((word) => texts[index].includes(word));
      if (row.hidden === fits) row.hidden = !fits;
      if (fits) shown += 1;
    });
    const isAll = shown === rows.length;
    for (const { place, open } of places) {
      place.hidden = !isAll && place.querySelector('[data-tone]:not([hidden])') === null;
      if (open !== undefined) place.open = words.length > 0 && shown < 200 ? !place.hidden : open;
    }
    document.body.classList.toggle('filtered', !isAll);
    byId('shown').textContent = count(shown) + ' of ' + count(rows.length) + ' rows shown';
  };
  filters.addEventListener('input', apply);
  byId('reset').addEventListener('click', () => {
    search.value = '';
    for (const box of boxes) box.checked = true;
    apply();
  });
  filters.hidden = false;
  apply();
})();
`;
