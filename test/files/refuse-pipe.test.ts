import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPlans } from '../../src/cli/many-zones/for-plans';
import { readZoneList } from '../../src/fleet/zone-list';
import { temporaryFolder } from '../support/temporary-folder';

const onUnix = process.platform === 'win32' ? it.skip : it;

describe('a pipe that the command line does not name', () => {
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

it('a list of zones that is larger than any is refused as a whole', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'zones'), Buffer.alloc(8 * 2 ** 20 + 1, '\n'));
  const read = readZoneList('zones', { cwd, readStdin: () => Promise.resolve(Buffer.alloc(0)) });
  await expect(read).rejects.toMatchObject({
    code: 'ZONES_FILE_INVALID',
    message: 'zones is larger than 8 MiB, the limit for a list of zones',
  });
});
