import { mkdirSync, writeFileSync } from 'node:fs';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApplyRequest } from '../../../src/actions/apply/apply-request';
import { type LiveState } from '../../../src/actions/preflight/live-state';
import { type Disk, requireSpace } from '../../../src/actions/preflight/require-space';
import { type Plan } from '../../../src/plan/plan';
import { temporaryFolder } from '../../support/temporary-folder';

const SIZE = 100_000;
const plan = {
  states: [{ name: 'main', dir: '.', workspace: 'default' }],
  steps: [{ id: '1', kind: 'backup', state: 'main', edits: [{ file: 'main.tf', insert: 'abc' }] }],
} as unknown as Plan;
const live = new Map([['main', { bytes: Buffer.alloc(SIZE) } as unknown as LiveState]]);
const backup = {
  event: 'backup' as const,
  state: 'main',
  file: '',
  sha256: '',
  lineage: '',
  serial: 1,
};

const terraform = { environment: {} } as ApplyRequest['terraform'];

async function hasSpace({
  folder,
  entries = [],
  diskOf,
}: {
  folder: string;
  entries?: (typeof backup)[];
  diskOf?: (place: string) => Disk;
}): Promise<boolean> {
  try {
    await requireSpace({ plan, folder, terraform }, live, entries, diskOf);
    return true;
  } catch {
    return false;
  }
}

/** The least that the disk of the plan, and the one of temporary files, have to have. */
async function least(folder: string, entries: (typeof backup)[] = []): Promise<number[]> {
  const disks = [folder, tmpdir()];
  const needs: number[] = [];
  for (const which of [0, 1]) {
    let [low, high] = [0, 10 * SIZE];
    while (low < high) {
      const middle = (low + high) >> 1;
      const diskOf = (place: string): Disk => {
        const id = disks.indexOf(place);
        return { id, free: id === which ? middle : Infinity };
      };
      const fits = await hasSpace({ folder, entries, diskOf });
      if (fits) high = middle;
      else low = middle + 1;
    }
    needs.push(low);
  }
  return needs;
}

const BLOCK = 4096;
/** Journal, lock and the like, and the copy of the plan. */
const SMALL = 9 * BLOCK;
/** What a disk takes for a state. */
const WHOLE = 25 * BLOCK;

it('is the backup of the state and of what is edited, and the edited files; below the temporary folder the saved plan', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'main.tf'), 'x'.repeat(1000));
  expect(await least(folder)).toEqual([SMALL + WHOLE + 2 * BLOCK, WHOLE]);
});

it('is two more copies where the state is beside the files, and none for a backup that is there', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'terraform.tfstate'), '{}');
  expect(await least(folder)).toEqual([SMALL + 3 * WHOLE + BLOCK, WHOLE]);
  expect(await least(folder, [backup])).toEqual([SMALL + 2 * WHOLE + BLOCK, WHOLE]);
});

it('is as much for the state of a workspace, which lies in a folder of its own', async () => {
  const folder = temporaryFolder();
  const place = join(folder, 'terraform.tfstate.d/prod');
  mkdirSync(place, { recursive: true });
  const states = [{ name: 'main', dir: '.', workspace: 'prod' }];
  const ask = () => {
    const inWorkspace = { ...plan, states } as unknown as Plan;
    return requireSpace({ plan: inWorkspace, folder, terraform }, live, [backup], () => ({
      id: 1,
      free: 3 * WHOLE,
    }));
  };
  await expect(ask()).resolves.toBeUndefined();
  writeFileSync(join(place, 'terraform.tfstate'), '{}');
  await expect(ask()).rejects.toThrow('KiB are needed');
});

it('is on the disk to which the backend takes the state, which Terraform writes in place', async () => {
  const folder = temporaryFolder();
  const [elsewhere, inWorkspace] = [join(folder, 'disk'), join(folder, 'disk/prod')];
  mkdirSync(inWorkspace, { recursive: true });
  for (const file of ['my.tfstate', 'prod/terraform.tfstate']) {
    writeFileSync(join(elsewhere, file), '{}');
  }
  mkdirSync(join(folder, 'data'));
  const backend = { type: 'local', config: { path: 'disk/my.tfstate', workspace_dir: elsewhere } };
  writeFileSync(join(folder, 'data/terraform.tfstate'), JSON.stringify({ backend }));
  const own = { environment: { TF_DATA_DIR: 'data' } } as unknown as ApplyRequest['terraform'];
  const ask = (workspace: string, disk: string, free: number) => {
    const states = [{ name: 'main', dir: '.', workspace }];
    const removal = { id: '2', kind: 'remove', state: 'main', runs: [{ argv: [] }] };
    const removing = { states, steps: [removal] } as unknown as Plan;
    const diskOf = (place: string) =>
      place === disk ? { id: 1, free } : { id: 2, free: Infinity };
    return requireSpace({ plan: removing, folder, terraform: own }, live, [backup], diskOf);
  };
  for (const [workspace, disk] of [
    ['default', elsewhere],
    ['prod', inWorkspace],
  ] as const) {
    await expect(ask(workspace, disk, 2 * WHOLE)).resolves.toBeUndefined();
    const missing = `the disk of ${disk} has 200 KiB left, and 200 KiB are needed`;
    await expect(ask(workspace, disk, 2 * WHOLE - 1)).rejects.toThrow(missing);
  }
  // the copies of Terraform's own stay in the folder, and what else is written there
  await expect(ask('default', folder, SMALL + WHOLE)).resolves.toBeUndefined();
  await expect(ask('default', folder, SMALL + WHOLE - 1)).rejects.toThrow('are needed');
});

it('is none for a state that another backend has, whatever an old file holds', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'terraform.tfstate'), '{}');
  mkdirSync(join(folder, '.terraform'));
  writeFileSync(join(folder, '.terraform/terraform.tfstate'), '{"backend":{"type":"s3"}}');
  expect(await least(folder, [backup])).toEqual([SMALL + BLOCK, WHOLE]);
});

it('is one copy more for each removal, of which Terraform keeps a backup beside the state', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'terraform.tfstate'), '{}');
  const removal = { id: '2', kind: 'remove', state: 'main', runs: [{ argv: [] }, { argv: [] }] };
  const removing = { ...plan, steps: [removal] } as unknown as Plan;
  const free = SMALL + 6 * WHOLE;
  const ask = (missing: number) =>
    requireSpace({ plan: removing, folder, terraform }, live, [], () => ({
      id: 1,
      free: free - missing,
    }));
  await expect(ask(0)).resolves.toBeUndefined();
  await expect(ask(1)).rejects.toThrow(`and ${free / 1024} KiB are needed`);
});

it('is the sum where all is on one disk; the error says what is missing', async () => {
  const folder = temporaryFolder();
  const diskOf = (free: number) => () => ({ id: 1, free });
  expect(await hasSpace({ folder, diskOf: diskOf(SMALL + 2 * WHOLE + BLOCK) })).toBe(true);
  await expect(
    requireSpace({ plan, folder, terraform }, live, [], diskOf(SMALL + 2 * WHOLE)),
  ).rejects.toThrow(`the disk of ${folder} has 236 KiB left, and 240 KiB are needed`);
});

it('is that of backups on the disk where these lie, which can be one of its own', async () => {
  const folder = temporaryFolder();
  const own = join(folder, 'cf-waf-migrate-backup');
  mkdirSync(own);
  const diskOf = (free: number) => (place: string) =>
    place === own ? { id: 1, free } : { id: 2, free: Infinity };
  expect(await hasSpace({ folder, diskOf: diskOf(SMALL + WHOLE) })).toBe(true);
  expect(await hasSpace({ folder, diskOf: diskOf(SMALL + WHOLE - 1) })).toBe(false);
});

it('is that of an edited file on the disk where it lies, and not on that of the plan', async () => {
  const folder = temporaryFolder();
  const infra = join(folder, 'infra');
  mkdirSync(infra);
  const step = {
    id: '1',
    kind: 'edit',
    state: 'main',
    edits: [{ file: 'infra/a.tf', insert: 'a' }],
  };
  const states = [{ name: 'main', dir: 'infra', workspace: 'default' }];
  const editing = { states, steps: [step] } as unknown as Plan;
  const ask = (free: number) => {
    const diskOf = (place: string) =>
      place === infra ? { id: 1, free } : { id: 2, free: Infinity };
    return requireSpace({ plan: editing, folder, terraform }, live, [backup], diskOf);
  };
  await expect(ask(BLOCK)).resolves.toBeUndefined();
  await expect(ask(BLOCK - 1)).rejects.toThrow(
    `the disk of ${infra} has 4 KiB left, and 4 KiB are needed`,
  );
});

it('is what the ruleset adds to a local state, which Terraform would cut on a disk that is full', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'terraform.tfstate'), '{}');
  const edits = [{ file: 'main.tf', insert: 'a'.repeat(BLOCK) }];
  const step = { id: '1', kind: 'edit', state: 'main', edits };
  const growing = { ...plan, steps: [step] } as unknown as Plan;
  const small = new Map([['main', { bytes: Buffer.alloc(1) } as unknown as LiveState]]);
  const place = 2 * 9 * BLOCK + BLOCK;
  const ask = (free: number) =>
    requireSpace({ plan: growing, folder, terraform }, small, [backup], () => ({ id: 1, free }));
  // beside those of the plan and of the temporary folder
  const others = BLOCK * (8 + 2) + BLOCK;
  await expect(ask(others + place)).resolves.toBeUndefined();
  await expect(ask(others + place - 1)).rejects.toThrow('KiB are needed');
});

it('asks the real disk unless told', async () => {
  expect(await hasSpace({ folder: temporaryFolder() })).toBe(true);
});

it('names the temporary folder that is not there', async () => {
  const folder = temporaryFolder();
  const gone = join(folder, 'gone');
  const spied = jest.spyOn(os, 'tmpdir').mockReturnValue(gone);
  const ask = () => requireSpace({ plan, folder, terraform }, live, []);
  await expect(ask()).rejects.toThrow(`cannot make a temporary folder in ${gone}`);
  spied.mockRestore();
});
