import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readPlans } from '../../src/cli/many-zones/for-plans';
import { temporaryFolder } from '../support/temporary-folder';

const onUnix = process.platform === 'win32' ? it.skip : it;

describe('a pipe that nobody named', () => {
  const pipeIn = (folder: string, name: string): string => {
    const pipe = join(folder, name);
    expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
    return pipe;
  };

  onUnix('among plans is refused before it is opened: it would be waited for', async () => {
    const folder = temporaryFolder();
    pipeIn(folder, 'a.plan.json');
    await expect(readPlans(folder, folder)).rejects.toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringMatching(/a\.plan\.json is not a file$/),
    });
  });
});
