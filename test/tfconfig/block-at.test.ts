import { blockAt } from '../../src/tfconfig/read-body';
import { parseText } from './open-project';

test('the block that stands at an offset is the one that begins there, until it ends', async () => {
  const text = '# x\na {}\n\nb {}\n# y\nc {}\n';
  const file = await parseText(text);
  const at = Array.from(text, (_, offset) => blockAt(file, offset)?.address ?? ' ').join('');
  expect(at).toBe('    aaaa  bbbb     cccc ');
  expect(blockAt(await parseText(''), 0)).toBeUndefined();
});
