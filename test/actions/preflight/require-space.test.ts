import { mkdirSync, writeFileSync } from 'node:fs';
import os, { tmpdir } from 'node:os';
import { join } from 'node:path';
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

function hasSpace({
  folder,
  entries = [],
  diskOf,
}: {
  folder: string;
  entries?: (typeof backup)[];
  diskOf?: (place: string) => Disk;
}): boolean {
  try {
    requireSpace({ plan, folder }, live, entries, diskOf);
    return true;
  } catch {
    return false;
  }
}

/** The least that the disk of the plan, and the one of temporary files, have to have. */
function least(folder: string, entries: (typeof backup)[] = []): number[] {
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
      const fits = hasSpace({ folder, entries, diskOf });
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

it('is the backup of the state and of what is edited, and the edited files; below the temporary folder the saved plan', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'main.tf'), 'x'.repeat(1000));
  expect(least(folder)).toEqual([SMALL + WHOLE + 2 * BLOCK, WHOLE]);
});

it('is two more copies where the state is beside the files, and none for a backup that is there', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'terraform.tfstate'), '{}');
  expect(least(folder)).toEqual([SMALL + 3 * WHOLE + BLOCK, WHOLE]);
  expect(least(folder, [backup])).toEqual([SMALL + 2 * WHOLE + BLOCK, WHOLE]);
});

it('is as much for the state of a workspace, which lies in a folder of its own', () => {
  const folder = temporaryFolder();
  const place = join(folder, 'terraform.tfstate.d/prod');
  mkdirSync(place, { recursive: true });
  const states = [{ name: 'main', dir: '.', workspace: 'prod' }];
  const ask = () => {
    const inWorkspace = { ...plan, states } as unknown as Plan;
    requireSpace({ plan: inWorkspace, folder }, live, [backup], () => ({ id: 1, free: 3 * WHOLE }));
  };
  expect(ask).not.toThrow();
  writeFileSync(join(place, 'terraform.tfstate'), '{}');
  expect(ask).toThrow('KiB are needed');
});

it('is one copy more for each removal, of which Terraform keeps a backup beside the state', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'terraform.tfstate'), '{}');
  const removal = { id: '2', kind: 'remove', state: 'main', runs: [{ argv: [] }, { argv: [] }] };
  const removing = { ...plan, steps: [removal] } as unknown as Plan;
  const free = SMALL + 6 * WHOLE;
  const ask = (missing: number) => () => {
    requireSpace({ plan: removing, folder }, live, [], () => ({ id: 1, free: free - missing }));
  };
  expect(ask(0)).not.toThrow();
  expect(ask(1)).toThrow(`and ${free / 1024} KiB are needed`);
});

it('is the sum where all is on one disk; the error says what is missing', () => {
  const folder = temporaryFolder();
  const diskOf = (free: number) => () => ({ id: 1, free });
  expect(hasSpace({ folder, diskOf: diskOf(SMALL + 2 * WHOLE + BLOCK) })).toBe(true);
  expect(() => {
    requireSpace({ plan, folder }, live, [], diskOf(SMALL + 2 * WHOLE));
  }).toThrow(`the disk of ${folder} has 236 KiB left, and 240 KiB are needed`);
});

it('is that of backups on the disk where these lie, which can be one of its own', () => {
  const folder = temporaryFolder();
  const own = join(folder, 'cf-waf-migrate-backup');
  mkdirSync(own);
  const diskOf = (free: number) => (place: string) =>
    place === own ? { id: 1, free } : { id: 2, free: Infinity };
  expect(hasSpace({ folder, diskOf: diskOf(SMALL + WHOLE) })).toBe(true);
  expect(hasSpace({ folder, diskOf: diskOf(SMALL + WHOLE - 1) })).toBe(false);
});

it('is that of an edited file on the disk where it lies, and not on that of the plan', () => {
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
  const ask = (free: number) => () => {
    const diskOf = (place: string) =>
      place === infra ? { id: 1, free } : { id: 2, free: Infinity };
    requireSpace({ plan: editing, folder }, live, [backup], diskOf);
  };
  expect(ask(BLOCK)).not.toThrow();
  expect(ask(BLOCK - 1)).toThrow(`the disk of ${infra} has 4 KiB left, and 4 KiB are needed`);
});

it('is what the ruleset adds to a local state, which Terraform would cut on a disk that is full', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'terraform.tfstate'), '{}');
  const edits = [{ file: 'main.tf', insert: 'a'.repeat(BLOCK) }];
  const step = { id: '1', kind: 'edit', state: 'main', edits };
  const growing = { ...plan, steps: [step] } as unknown as Plan;
  const small = new Map([['main', { bytes: Buffer.alloc(1) } as unknown as LiveState]]);
  const place = 2 * 9 * BLOCK + BLOCK;
  const ask = (free: number) => () => {
    requireSpace({ plan: growing, folder }, small, [backup], () => ({ id: 1, free }));
  };
  // beside those of the plan and of the temporary folder
  const others = BLOCK * (8 + 2) + BLOCK;
  expect(ask(others + place)).not.toThrow();
  expect(ask(others + place - 1)).toThrow('KiB are needed');
});

it('asks the real disk unless told', () => {
  expect(hasSpace({ folder: temporaryFolder() })).toBe(true);
});

it('names the temporary folder that is not there', () => {
  const folder = temporaryFolder();
  const gone = join(folder, 'gone');
  const spied = jest.spyOn(os, 'tmpdir').mockReturnValue(gone);
  const ask = (): void => {
    requireSpace({ plan, folder }, live, []);
  };
  expect(ask).toThrow(`cannot make a temporary folder in ${gone}`);
  spied.mockRestore();
});
