import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyPlan } from '../../src/apply/apply-plan';
import { writeFiles } from '../../src/files/write-files';
import { fakeTerraform } from '../support/fake-terraform';
import { removalPlan } from '../support/removal-plan';
import { temporaryFolder } from '../support/temporary-folder';

/** Applies a plan where the folder of the backups is there already, for everybody to read. */
async function apply(prepare: (folder: string) => void = () => undefined): Promise<string> {
  const folder = temporaryFolder();
  const kept = join(folder, 'cf-waf-migrate-backup');
  mkdirSync(kept);
  chmodSync(kept, 0o755);
  prepare(kept);
  const state = { version: 4, terraform_version: '1.11.4', serial: 1, lineage: 'l', resources: [] };
  writeFileSync(join(folder, 'state.json'), JSON.stringify({ ...state, outputs: {} }));
  const binary = fakeTerraform(temporaryFolder(), 'cat state.json').path;
  await applyPlan({
    plan: removalPlan('e'.repeat(64)),
    folder,
    terraform: { binary, environment: { PATH: process.env['PATH'] } },
    report: () => undefined,
  });
  return kept;
}

describe('the folder of the backups', () => {
  it('has nothing in it that others may read, though the folder was there for all', async () => {
    const kept = await apply();
    const modes = readdirSync(kept).map((name) => statSync(join(kept, name)).mode & 0o777);
    expect(new Set(modes)).toEqual(new Set([0o600]));
    expect(modes.length).toBeGreaterThan(2);
  });

  it('closes a backup to others that was there before, byte for byte the same', () => {
    const path = join(temporaryFolder(), 'main-1.tfstate');
    writeFileSync(path, 'state', { mode: 0o644 });
    writeFiles([{ path, text: 'state' }], { force: false, mode: 0o600 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('has folders in it that are for their owner alone', () => {
    const folder = join(temporaryFolder(), 'files');
    writeFiles([{ path: join(folder, 'x'), text: '' }], { force: false, mode: 0o600 });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });
});
