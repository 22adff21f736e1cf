import { hasMoves, pendingMoves } from '../../src/tfconfig/pending-moves';
import { openProject } from './open-project';

const moved = (from: string, to: string) => `moved {\n  from = ${from}\n  to   = ${to}\n}\n`;
/** Of blocks of a root module, what a state with these addresses still has to move. */
async function pending(text: string, ...addresses: string[]): Promise<string[]> {
  const project = await openProject({ 'main.tf': text });
  return pendingMoves(project, addresses).map(({ from, to }) => `${from} → ${to}`);
}

describe('a `moved` block is pending', () => {
  test('while the state has the old address, and not afterwards', async () => {
    const text = moved('a.old', 'a.new');
    expect(await pending(text, 'a.other', 'a.old')).toEqual(['a.old → a.new']);
    expect(await pending(text, 'a.new', 'a.older', 'b.old', 'module.m.a.old')).toEqual([]);
    expect(await pending(text)).toEqual([]);
  });

  test('where any instance has the old address', async () => {
    expect(await pending(moved('a.old', 'a.new'), 'a.old["x"]')).toEqual(['a.old → a.new']);
  });

  test('where it moves a module, while the state has anything in it', async () => {
    const text = moved('module.old', 'module.new');
    expect(await pending(text, 'module.old.a.b')).toEqual(['module.old → module.new']);
    expect(await pending(text, 'module.old["x"].a.b')).toEqual(['module.old → module.new']);
    expect(await pending(text, 'module.older.a.b', 'module.new.a.b')).toEqual([]);
  });

  test('where it moves one instance, for this one alone', async () => {
    const text = moved('a.old["x"]', 'a.new');
    expect(await pending(text, 'a.old["x"]')).toEqual(['a.old["x"] → a.new']);
    expect(await pending(text, 'a.old["y"]', 'a.old')).toEqual([]);
  });

  test('where the key alone changes, for what has no key, or the old one', async () => {
    const text = moved('a.b', 'a.b["x"]');
    expect(await pending(text, 'a.b')).toEqual(['a.b → a.b["x"]']);
    expect(await pending(text, 'a.b["x"]')).toEqual([]);
    const module = moved('module.m', 'module.m[0]');
    expect(await pending(module, 'module.m.a.b')).toEqual(['module.m → module.m[0]']);
    expect(await pending(module, 'module.m[0].a.b')).toEqual([]);
  });

  test('in each place where its module is called', async () => {
    const project = await openProject({
      'main.tf': ['m', 'n'].map((name) => `module "${name}" {\n  source = "./m"\n}\n`).join(''),
      'm/main.tf': `\n${moved('a.old', 'a.new')}`,
    });
    expect(pendingMoves(project, ['module.m.a.old'])).toEqual([
      { from: 'a.old', to: 'a.new', file: 'm/main.tf', line: 2 },
    ]);
    expect(pendingMoves(project, ['a.old'])).toEqual([]);
    expect(hasMoves(project)).toBe(true);
  });

  test('only where it is whole, and no other kind of block', async () => {
    const text = [
      'moved {\n  from = a.old\n}\n',
      'moved {\n  to = a.old\n}\n',
      'import {\n  to = a.old\n  id = "x"\n}\n',
      moved('a.old', 'a.new').replace('moved', 'removed'),
    ].join('\n');
    expect(await pending(text, 'a.old')).toEqual([]);
  });
});

test('whether there are `moved` blocks at all is told without a state', async () => {
  const has = async (text: string) => hasMoves(await openProject({ 'main.tf': text }));
  expect(await has(`removed {\n  from = a.b\n}\n${moved('a.old', 'a.new')}`)).toBe(true);
  expect(await has('removed {\n  from = a.b\n}\n')).toBe(false);
});
