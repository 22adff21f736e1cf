/**
 * The one script of all pages. A page is complete without it: it adds the reader's time, sorts and
 * filters rows with `data-tone`, and prints folded parts. It writes text and attributes, never HTML.
 */
export const script = `'use strict';
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);

  for (const time of all('time[datetime]')) {
    const at = new Date(time.dateTime);
    if (at.getTimezoneOffset() === 0) continue;
    const day = at.toLocaleDateString('sv') === time.dateTime.slice(0, 10) ? '' : at.toLocaleDateString('sv') + ' ';
    time.append(' (' + day + at.toLocaleTimeString('sv', { hour: '2-digit', minute: '2-digit' }) + ' your time)');
  }

  const valueOf = (row, index) => {
    const text = row.cells[index].textContent.trim();
    const number = Number(text.replaceAll(',', ''));
    return text === '' ? -Infinity : Number.isNaN(number) ? text.toLowerCase() : number;
  };
  const compare = (one, other) =>
    typeof one === typeof other ? (one < other ? -1 : one > other ? 1 : 0) : typeof one === 'number' ? -1 : 1;
  for (const table of all('table.overview')) {
    const heads = all('thead th', table);
    heads.forEach((head, index) => {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener('click', () => {
        const numbers = table.tBodies[0].rows[0]?.cells[index].classList.contains('number');
        const was = head.getAttribute('aria-sort') ?? (numbers ? 'ascending' : 'descending');
        const down = was === 'ascending';
        for (const one of heads) one.removeAttribute('aria-sort');
        head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
        const sorted = [...table.tBodies[0].rows]
          .map((row) => [valueOf(row, index), row])
          .sort(([one], [other]) => (down ? compare(other, one) : compare(one, other)));
        table.tBodies[0].append(...sorted.map(([, row]) => row));
      });
    });
  }

  let closed = [];
  addEventListener('beforeprint', () => {
    // the history of each zone would be pages of its own
    closed = all('details:not([open])').filter((one) => one.closest('.overview') === null);
    for (const one of closed) one.open = true;
  });
  addEventListener('afterprint', () => {
    for (const one of closed) one.open = false;
  });

  const filters = byId('filters');
  if (filters === null) return;
  const search = byId('search');
  const boxes = all('input[type=checkbox]', filters);
  // a row belongs to a group, and a group to a zone; both are hidden where none of their rows is left
  const zones = all('.zone').map((zone) => ({
    zone,
    groups: all('.group', zone).map((group) => ({ group, open: group.open, rows: all('[data-tone]', group) })),
  }));
  const texts = new Map();
  const read = () => {
    for (const { zone, groups } of zones) {
      for (const { group, rows } of groups) {
        const head = (zone.dataset.zone ?? '') + ' ' + all(':scope > summary', group).map((one) => one.textContent).join(' ');
        for (const row of rows) texts.set(row, (head + ' ' + row.textContent).toLowerCase());
      }
    }
  };
  const hide = (element, hidden) => {
    if (element.hidden !== hidden) element.hidden = hidden;
  };
  const count = (number) => number.toLocaleString('en-US');
  const apply = () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
    if (words.length > 0 && texts.size === 0) read();
    const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const isAll = words.length === 0 && wanted.size === boxes.length;
    let [shown, total, places] = [0, 0, 0];
    for (const { zone, groups } of zones) {
      let inZone = 0;
      for (const { group, rows, open } of groups) {
        let inGroup = 0;
        for (const row of rows) {
          const fits = wanted.has(row.dataset.tone) && words.every((word) => texts.get(row).includes(word));
          hide(row, !fits);
          if (fits) inGroup += 1;
        }
        hide(group, !isAll && inGroup === 0);
        if (group.open !== undefined) group.open = words.length > 0 && inGroup < 50 ? inGroup > 0 : open;
        inZone += inGroup;
        total += rows.length;
      }
      hide(zone, zones.length > 1 && !isAll && inZone === 0);
      if (inZone > 0) places += 1;
      shown += inZone;
    }
    document.body.classList.toggle('filtered', !isAll);
    const where = zones.length > 1 ? ' in ' + count(places) + ' of ' + count(zones.length) + ' zones' : '';
    byId('shown').textContent = count(shown) + ' of ' + count(total) + ' rows shown' + where;
  };
  search.addEventListener('input', apply);
  for (const box of boxes) box.addEventListener('change', apply);
  byId('reset').addEventListener('click', () => {
    search.value = '';
    for (const box of boxes) box.checked = true;
    apply();
    search.focus();
  });

  filters.hidden = false;
  apply();
})();
`;
