import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { otherStacks, otherWorkspaces } from '../../../src/plan/read/read-facts';
import { temporaryFolder } from '../../support/temporary-folder';

describe('other stacks', () => {
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
});

describe('other workspaces', () => {
  const PATH = 'terraform.tfstate';

  /** The other workspaces of a folder, whose own is `default`. */
  function others(put: (workspace: string) => void): ReturnType<typeof otherWorkspaces> {
    const dir = temporaryFolder();
    const workspace = join(dir, 'terraform.tfstate.d/prod');
    mkdirSync(workspace, { recursive: true });
    put(workspace);
    return otherWorkspaces(dir, 'default', undefined);
  }

  describe('another workspace of a folder is in use', () => {
    const unknown = [{ name: 'prod', legacyResources: [], rulesets: [] }];

    it('where its state cannot be read', async () => {
      const found = await others((workspace) => {
        mkdirSync(join(workspace, PATH));
      });
      expect(found).toEqual(unknown);
    });

    it('where its state is encrypted', async () => {
      const found = await others((workspace) => {
        writeFileSync(join(workspace, PATH), '{"encrypted_data":"AAAA","encryption_version":"v0"}');
      });
      expect(found).toEqual(unknown);
    });
  });

  it('a workspace without a state, or with an empty one, is not in use', async () => {
    expect(await others(() => undefined)).toEqual([]);
    const empty = await others((workspace) => {
      writeFileSync(join(workspace, PATH), '');
    });
    expect(empty).toEqual([]);
  });
});
