import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalogue } from '../../src/core/error-catalogue';

const page = readFileSync(join(__dirname, '../../docs/troubleshooting.md'), 'utf8');

it('the troubleshooting page has each error code, and no other', () => {
  const rows = [...page.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, code]) => code);
  expect(rows.toSorted()).toEqual(Object.keys(errorCatalogue).toSorted());
});
