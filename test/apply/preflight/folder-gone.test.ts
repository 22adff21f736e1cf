import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requirePlaces } from '../../../src/apply/preflight/require-places';
import { type Plan } from '../../../src/plan/plan';
import { failureOf } from '../../support/client-under-test';
import { temporaryFolder } from '../../support/temporary-folder';

const dir = 'cdktf.out/stacks/edge';
const backup = 'cf-waf-migrate-backup/edge-7.tfstate';
const plan = {
  states: [{ name: 'edge', dir, workspace: 'default', lineage: 'l' }],
  steps: [{ id: '1', kind: 'backup', state: 'edge', runs: [{ argv: [], saveTo: backup }] }],
} as unknown as Plan;

const placesIn = (folder: string): Promise<void> =>
  Promise.resolve().then(() => {
    requirePlaces(plan, folder, {});
  });

describe('a folder of a plan that is gone, as that of a stack which was renamed', () => {
  it('is named, with what brings it back', async () => {
    const error = await failureOf(placesIn(temporaryFolder()));
    expect([error.code, error.message]).toEqual([
      ...['FILE_UNREADABLE', `the folder ${dir} of state edge is not there`],
    ]);
    expect(error.hint).toContain('a renamed CDKTF stack by its old name');
    expect(error.hint).not.toContain(backup);
  });

  it('is named with the backup of its state, once there is one', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'cf-waf-migrate-backup'));
    writeFileSync(join(folder, backup), '{"lineage":"l"}');
    const { hint } = await failureOf(placesIn(folder));
    expect(hint).toContain(`the state of before is in ${backup}: \`terraform state push\` it`);
  });

  it('is named with its own backup, where that of another state has the name', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'cf-waf-migrate-backup'));
    writeFileSync(join(folder, backup), '{"lineage":"of another"}');
    const other = await failureOf(placesIn(folder));
    expect(other.hint).not.toContain('terraform state push');
    const own = backup.replace('7', '7.2');
    writeFileSync(join(folder, own), '{"lineage":"l"}');
    const { hint } = await failureOf(placesIn(folder));
    expect(hint).toContain(`the state of before is in ${own}: `);
  });

  it('is no complaint where it is there', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, dir), { recursive: true });
    await expect(placesIn(folder)).resolves.toBeUndefined();
  });
});
