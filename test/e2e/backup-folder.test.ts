import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Plan } from '../../src/plan/plan-schema';
import { errorOf } from '../support/cli-lab';
import { journalOf } from '../support/plans';
import {
  apply,
  applySettings,
  expectMigrated,
  makePlan,
  rollback,
  stateNow,
} from '../support/apply-world';
import { temporaryFolder } from '../support/temporary-folder';
import { inWorld, type World } from '../support/world';

const BACKUP = 'cf-waf-migrate-backup';

type Prepare = (folder: string, world: World, journal: string) => void;

/** Writes a journal of the plan, as apply would not. */
const forge = (journal: string, { lab }: World, ...events: object[]): void => {
  const { digest } = JSON.parse(lab.read('plan.json'));
  const lines = [{ event: 'begin', digest }, ...events];
  lab.write(journal, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
};

/** Files that a pull request can add to the backup folder, and how `apply` refuses them. */
const unsafe: Readonly<Record<string, Prepare>> = {
  'BACKUP_FOLDER_UNSAFE the folder is a symbolic link': (folder) => {
    rmdirSync(folder);
    symlinkSync(temporaryFolder(), folder);
  },
  'BACKUP_FOLDER_UNSAFE the folder is a file': (folder) => {
    rmdirSync(folder);
    writeFileSync(folder, '');
  },
  'BACKUP_FOLDER_UNSAFE a file in it is a symbolic link': (folder) => {
    symlinkSync(join(temporaryFolder(), 'x'), join(folder, 'main-1.tfstate'));
  },
  'BACKUP_FOLDER_UNSAFE a folder in it is a symbolic link': (folder) => {
    symlinkSync(temporaryFolder(), join(folder, 'files'));
  },
  'BACKUP_FOLDER_UNSAFE git tracks a file in it': (folder, { lab }) => {
    writeFileSync(join(folder, 'README.md'), '');
    const git = (...args: string[]) => execFileSync('git', args, { cwd: lab.dir });
    git('init', '-q');
    git('add', '-f', `${BACKUP}/README.md`);
  },
  'BACKUP_FOLDER_UNSAFE git fails, as in a folder that looks like a bare repository': (
    _,
    { lab },
  ) => {
    for (const dir of ['objects', 'refs']) mkdirSync(join(lab.dir, dir));
    lab.write('HEAD', 'ref: refs/heads/main\n');
    lab.write('config', '[core]\n\tbare = true\n');
  },
  'JOURNAL_INVALID the journal is forged': (_, world, journal) => {
    forge(journal, world, { event: 'start', step: '1' }, { event: 'done', step: '1' });
  },
  'JOURNAL_INVALID the forged journal has a plan copy, and no backup': (_, world, journal) => {
    const { lab } = world;
    const { steps } = JSON.parse(lab.read('plan.json')) as Plan;
    const { id } = steps.find(({ kind }) => kind === 'remove')!;
    forge(journal, world, { event: 'start', step: id });
    lab.write(journal.replace('.journal.jsonl', '.plan.json'), lab.read('plan.json'));
  },
};

const isRoot = process.getuid?.() === 0;
const ofAnother: typeof unsafe = {
  'BACKUP_FOLDER_UNSAFE the folder is of another user': (folder) => {
    chownSync(folder, 12345, 12345);
  },
  'BACKUP_FOLDER_UNSAFE a file in it is of another user': (folder) => {
    writeFileSync(join(folder, 'main-1.tfstate'), '');
    chownSync(join(folder, 'main-1.tfstate'), 12345, 12345);
  },
};

it(
  'apply refuses a backup folder with files that it did not write, and changes nothing',
  () =>
    inWorld({ ...applySettings, backend: 'http' }, async (world) => {
      const { lab, http } = world;
      const { digest } = await makePlan(world, 'removing');
      const journal = journalOf({ digest });
      const before = stateNow(world);
      http!.clearLog();
      const found: string[] = [];
      const cases = { ...unsafe, ...(isRoot ? ofAnother : {}) };
      for (const [name, prepare] of Object.entries(cases)) {
        mkdirSync(join(lab.dir, BACKUP));
        prepare(join(lab.dir, BACKUP), world, journal);
        const { code, stderr } = await apply(world);
        const refusal = code === 1 ? errorOf({ stderr }).code : code;
        found.push(name.replace(/^\w+/, String(refusal)));
        for (const one of [BACKUP, '.git', 'HEAD', 'config', 'objects', 'refs'])
          rmSync(join(lab.dir, one), { recursive: true, force: true });
      }
      expect(found).toEqual(Object.keys(cases));
      expect([http!.writes(), stateNow(world)]).toEqual([0, before]);
    }),
  300_000,
);

it(
  'apply closes a backup folder that is open to others, and writes its .gitignore anew',
  () =>
    inWorld(applySettings, async (world) => {
      const { lab } = world;
      await makePlan(world, 'removing');
      mkdirSync(join(lab.dir, BACKUP));
      lab.write(`${BACKUP}/.gitignore`, '!*\n');
      chmodSync(join(lab.dir, BACKUP), 0o777);
      const { code, stdout } = await apply(world);
      expect(code).toBe(0);
      expect(statSync(join(lab.dir, BACKUP)).mode & 0o777).toBe(0o700);
      expect(readFileSync(join(lab.dir, BACKUP, '.gitignore'), 'utf8')).toBe('*\n');
      await expectMigrated(world);
      expect((await rollback(world, JSON.parse(stdout).journal)).code).toBe(0);
    }),
  300_000,
);
