import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { otherWorkspaces } from '../../../src/plan/read/read-facts';
import { temporaryFolder } from '../../support/temporary-folder';

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
