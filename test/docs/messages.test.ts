import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listMessages, renderMessages } from '../../scripts/messages';

it('docs/messages.md lists the texts of the source: run `npm run messages`', () => {
  const page = readFileSync(join(__dirname, '../../docs/messages.md'), 'utf8');
  expect(page).toBe(renderMessages(listMessages()));
});
