import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { otherStacks } from '../../../src/plan/read/read-facts';
import { temporaryFolder } from '../../support/temporary-folder';

/** The other stacks of `edge` in a folder with these files. */
async function othersIn(files: Readonly<Record<string, string>>): Promise<unknown[]> {
  const cwd = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  }
  const others = await otherStacks(join(cwd, 'cdktf.out/stacks/edge'), cwd);
  return others.map(({ name, dir }) => [name, dir]);
}

const manifest = (...names: string[]): string =>
  JSON.stringify({
    version: '0.21.0',
    stacks: Object.fromEntries(
      names.map((name) => [name, { name, workingDirectory: `stacks/${name}` }]),
    ),
  });

describe('the other stacks of a CDKTF project', () => {
  it('are read from its manifest', async () => {
    const others = await othersIn({ 'cdktf.out/manifest.json': manifest('docs', 'edge') });
    expect(others).toEqual([['docs', 'cdktf.out/stacks/docs']]);
  });

  it.each([
    ['there is none', undefined],
    ['it is no JSON', 'edge'],
    ['it is something else', '{"stacks":["edge"]}'],
    ['it does not list the folder', manifest('docs')],
  ])('are none where of the manifest %s', async (_, text) => {
    expect(await othersIn(text === undefined ? {} : { 'cdktf.out/manifest.json': text })).toEqual(
      [],
    );
  });
});
