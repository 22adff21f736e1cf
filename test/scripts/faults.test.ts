import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const faults: { name: string; file: string; find: string }[] = JSON.parse(
  readFileSync(join(root, 'test/walks/faults.json'), 'utf8'),
);

it.each(faults)('the fault "$name" has one place in the sources', ({ file, find }) => {
  expect(readFileSync(join(root, file), 'utf8').split(find)).toHaveLength(2);
});
