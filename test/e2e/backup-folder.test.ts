import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
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

/** Files that a pull request can contain, and how `apply` refuses them. */
const unsafe: Readonly<Record<string, (world: World, journal: string) => void>> = {
  'BACKUP_FOLDER_UNSAFE the folder is a symbolic link': ({ lab }) => {
    symlinkSync(temporaryFolder(), join(lab.dir, BACKUP));
  },
  'BACKUP_FOLDER_UNSAFE the folder is a file': ({ lab }) => {
    lab.write(BACKUP, '');
  },
  'BACKUP_FOLDER_UNSAFE a file in it is a symbolic link': ({ lab }) => {
    mkdirSync(join(lab.dir, BACKUP));
    symlinkSync(join(temporaryFolder(), 'x'), join(lab.dir, BACKUP, 'main-1.tfstate'));
  },
  'BACKUP_FOLDER_UNSAFE a folder in it is a symbolic link': ({ lab }) => {
    mkdirSync(join(lab.dir, BACKUP));
    symlinkSync(temporaryFolder(), join(lab.dir, BACKUP, 'files'));
  },
  'BACKUP_FOLDER_UNSAFE git tracks a file in it': ({ lab }) => {
    mkdirSync(join(lab.dir, BACKUP));
    lab.write(`${BACKUP}/README.md`, '');
    const git = (...args: string[]) => execFileSync('git', args, { cwd: lab.dir });
    git('init', '-q');
    git('add', '-f', `${BACKUP}/README.md`);
  },
  'BACKUP_FOLDER_UNSAFE git fails, as in a folder that looks like a bare repository': ({ lab }) => {
    mkdirSync(join(lab.dir, BACKUP));
    for (const dir of ['objects', 'refs']) mkdirSync(join(lab.dir, dir));
    lab.write('HEAD', 'ref: refs/heads/main\n');
    lab.write('config', '[core]\n\tbare = true\n');
  },
  'JOURNAL_INVALID the journal is forged': ({ lab }, journal) => {
    const lines = [
      { event: 'begin', digest: JSON.parse(lab.read('plan.json')).digest },
      ...['start', 'done'].map((event) => ({ event, step: '1' })),
    ];
    mkdirSync(join(lab.dir, BACKUP));
    lab.write(journal, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  },
  'JOURNAL_INVALID the forged journal has a plan copy, and no backup': ({ lab }, journal) => {
    const plan = JSON.parse(lab.read('plan.json'));
    const { id } = plan.steps.find(({ kind }: { kind: string }) => kind === 'remove');
    const lines = [
      { event: 'begin', digest: plan.digest },
      { event: 'start', step: id },
    ];
    mkdirSync(join(lab.dir, BACKUP));
    lab.write(journal, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    lab.write(journal.replace('.journal.jsonl', '.plan.json'), lab.read('plan.json'));
  },
};

const isRoot = process.getuid?.() === 0;
const ofAnother: typeof unsafe = {
  'BACKUP_FOLDER_UNSAFE the folder is of another user': ({ lab }) => {
    mkdirSync(join(lab.dir, BACKUP));
    chownSync(join(lab.dir, BACKUP), 12345, 12345);
  },
  'BACKUP_FOLDER_UNSAFE a file in it is of another user': ({ lab }) => {
    mkdirSync(join(lab.dir, BACKUP));
    lab.write(`${BACKUP}/main-1.tfstate`, '');
    chownSync(join(lab.dir, BACKUP, 'main-1.tfstate'), 12345, 12345);
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
        prepare(world, journal);
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
