import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPlans } from '../../src/cli/many-zones/for-plans';
import { readZoneList } from '../../src/fleet/zone-list';
import { temporaryFolder } from '../support/temporary-folder';

const onUnix = process.platform === 'win32' ? it.skip : it;

onUnix('refuses a pipe among plans before it opens it, which would block', async () => {
  const folder = temporaryFolder();
  expect(spawnSync('mkfifo', [join(folder, 'a.plan.json')]).status).toBe(0);
  await expect(readPlans(folder, folder)).rejects.toMatchObject({
    code: 'FILE_UNREADABLE',
    message: expect.stringMatching(/a\.plan\.json is not a file$/),
  });
});

it('refuses a list of zones over 8 MiB', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'zones'), Buffer.alloc(8 * 2 ** 20 + 1, '\n'));
  const read = readZoneList('zones', { cwd, readStdin: () => Promise.resolve(Buffer.alloc(0)) });
  await expect(read).rejects.toMatchObject({
    code: 'ZONES_FILE_INVALID',
    message: 'zones is larger than 8 MiB, the limit for a list of zones',
  });
});
