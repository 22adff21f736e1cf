import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { renderSh } from '../../../src/plan/formats/sh';
import { type Plan } from '../../../src/plan/plan-schema';
import { type FileEdit, planEdit, planNewFile } from '../../../src/tfconfig/file-edit';
import { fakeTerraform } from '../../support/fake-terraform';
import { type ProcessRun, runProcess } from '../../support/run-process';
import { temporaryFolder } from '../../support/temporary-folder';
import { parseText } from '../../tfconfig/open-project';
import { planOf, withSteps } from '../support/plans';

const commands = planOf('tainted-3.35.tfstate', { from: '3.35.0' });
const ofAllZones = planOf('old-waf-3.35.tfstate', { from: '3.35.0', to: '5.22.0' });
/** Its decisions are tried over the command line. */
const removingFirst = { ...ofAllZones, findings: [] };
/** What tells a state from others, as Terraform prints it. */
const lineage = ({ states: [state] }: Plan, serial = state!.serial): string =>
  `{ "serial": ${serial}, "lineage": "${state!.lineage}" }`;
const BACKUP = 'cf-waf-migrate-backup';
const backupOf = (plan: Plan): string => plan.steps[0]!.runs![0]!.saveTo!;

interface ShRun extends ProcessRun {
  readonly folder: string;
  readonly calls: string[][];
}

/** Runs the script of a plan with a terraform of a few lines of shell. */
async function runSh(
  plan: Plan,
  terraform: string,
  { args = [], env = {}, folder = temporaryFolder() }: RunOptions = {},
): Promise<ShRun> {
  const fake = fakeTerraform(folder, terraform);
  writeFileSync(join(folder, 'plan.sh'), renderSh(plan));
  const ran = await runProcess('/bin/sh', ['plan.sh', ...args], {
    cwd: folder,
    env: { PATH: fake.searchPath, ...env },
  });
  return { ...ran, folder, calls: fake.calls() };
}

interface RunOptions {
  args?: string[];
  env?: Record<string, string>;
  folder?: string;
}

/** A terraform that removes and imports in a list of addresses, as the real one does. */
const withList = (plan: Plan): string => `
case "$*" in
  'state pull') printf '%s\\n' '${lineage(plan)}' ;;
  'state list') cat list ;;
  'state rm -dry-run'*) : ;;
  'state rm'*) shift 2; printf '%s\\n' "$@" | grep -Fxv -f - list > rest; mv rest list ;;
  import*) shift 2; printf '%s\\n' "$1" >> list ;;
esac`;

function folderWithList(plan: Plan): string {
  const addresses = plan.steps.find(({ kind }) => kind === 'remove')!.addresses!;
  return temporaryFolder({ list: `${addresses.join('\n')}\n` });
}

const plannedCalls = (plan: Plan, ...kinds: string[]): string[][] =>
  plan.steps
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap(({ runs = [] }) => runs.map(({ argv }) => argv.slice(1)));

describe('the script of a plan', () => {
  it('stops at a manual step, and prints it and the number to resume with', async () => {
    const { code, stdout } = await runSh(commands, withList(commands), {
      folder: folderWithList(commands),
    });
    expect(code).toBe(2);
    expect(stdout).toContain('2. Declare the ruleset');
    expect(stdout).toContain('cf-waf-migrate generate --zone');
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/again with: 3$/);
  });

  it('prints all manual steps that follow one another, and stops once', async () => {
    const { stdout } = await runSh(removingFirst, withList(removingFirst), {
      folder: folderWithList(removingFirst),
    });
    expect(stdout).toContain('4. Remove the legacy blocks');
    expect(stdout).toContain('5. Declare the ruleset');
    expect(stdout.match(/do this by hand/g)).toHaveLength(1);
    expect(stdout).toContain('again with: 6');
  });

  it('resumes with the given step', async () => {
    const folder = folderWithList(commands);
    const { code, calls, stdout } = await runSh(commands, withList(commands), {
      folder,
      args: ['3'],
    });
    expect(code).toBe(2);
    expect(calls[1]).toEqual(plannedCalls(commands, 'import')[0]);
    expect(stdout).not.toContain('1. Back up');
  });

  it.each(['x', '1x', '-1', '99', '1 2', '$(id)'])('refuses the step "%s"', async (step) => {
    const { code, stdout, calls } = await runSh(commands, 'exit 0', { args: [step] });
    expect([code, stdout, calls]).toEqual([64, '', []]);
  });

  it('fails when not everything is gone after the removal', async () => {
    const folder = folderWithList(commands);
    const terraform = `case "$*" in 'state list') cat list ;; esac`;
    const { code, stderr } = await runSh(commands, terraform, { folder, args: ['6'] });
    expect([code, stderr]).toEqual([1, 'not everything was removed\n']);
  });

  it.each([
    ['Terraform exits with 2', 'exit 2'],
    ['a wrapper exits with 0', 'echo "Plan: 0 to add, 1 to change, 0 to destroy."'],
    [
      'a wrapper exits with 0, and a warning has other text',
      String.raw`printf '\033[1mPlan:\033[0m 0 to add, 1 to change\nWarning: x\nNo changes.\n'`,
    ],
  ])('says so when a plan is not empty, with exit 2: %s', async (_, terraform) => {
    const { code, stdout } = await runSh(commands, terraform, { args: ['8'] });
    expect(code).toBe(2);
    expect(stdout).toContain('the plan is not empty');
  });

  it('ends when a plan is empty', async () => {
    const terraform = String.raw`printf '\033[32mNo changes.\033[0m Your infrastructure matches.\n'`;
    const { code, stdout } = await runSh(commands, terraform, { args: ['8'] });
    expect(code).toBe(0);
    expect(stdout).toContain('No changes.');
  });

  it('stops where Terraform fails, with its exit code', async () => {
    const { code, stdout } = await runSh(commands, 'echo broken >&2; exit 7', { args: ['8'] });
    expect([code, stdout]).toEqual([7, '8. Check that the whole plan is empty\n']);
  });

  it('waits for the version constraint before it changes the provider', async () => {
    const upgrade = removingFirst.steps.find(({ kind }) => kind === 'upgrade-provider')!;
    const plan = withSteps(removingFirst, [
      { kind: 'check', state: 'main', title: 'First', why: '', runs: [] },
      upgrade,
    ]);
    const before = await runSh(plan, 'exit 0');
    expect([before.code, before.calls]).toEqual([2, []]);
    expect(before.stdout).toContain('again with: 2');
    const after = await runSh(plan, 'exit 0', { args: ['2'] });
    expect([after.code, after.calls]).toEqual([0, [upgrade.runs![0]!.argv.slice(1)]]);
  });

  it('neutralises what the environment would do to Terraform', async () => {
    const terraform = 'env > environment';
    const env = { TF_CLI_ARGS_plan: '-destroy', TF_CLI_ARGS: '-x', TF_LOG: 'TRACE', TF_INPUT: '1' };
    const { folder } = await runSh(commands, terraform, {
      args: ['8'],
      env: { ...env, TF_WORKSPACE: 'prod', TF_DATA_DIR: 'data' },
    });
    const seen = readFileSync(join(folder, 'environment'), 'utf8');
    expect(seen).not.toMatch(/^TF_(CLI_ARGS|LOG|INPUT)/m);
    expect(seen).toMatch(/^TF_WORKSPACE=prod$/m);
    expect(seen).toMatch(/^TF_DATA_DIR=data$/m);
  });
});

it('prints a folder on one line, whatever its name is', () => {
  const argv = ['terraform', '-chdir=a\n1. Back up: done', 'plan'];
  const script = renderSh(
    withSteps(commands, [
      { kind: 'manual', title: 'Plan', why: '', state: 'main', runs: [{ argv }] },
    ]),
  );
  expect(script).not.toMatch(/^1\. Back up/m);
  expect(script).toContain('a\\u{a}1. Back up: done');
});

it.each(['::error::x/main.tf', 'a\u001b[31m/main.tf'])(
  'is refused if it would print the name of %j',
  (file) => {
    const edits = [planNewFile(file, 'a\n')];
    const step = { kind: 'edit', title: 'Edit', why: '', state: 'main', edits } as const;
    expect(() => renderSh(withSteps(commands, [step]))).toThrow(/as it is$/);
  },
);

/** A folder in which the backup of an earlier run stands. */
const keeping = (text: string): string => temporaryFolder({ [backupOf(commands)]: text });

describe('the backup of the script', () => {
  const runBackup = (terraform: string, folder?: string): Promise<ShRun> =>
    runSh(withSteps(commands, [commands.steps[0]!]), terraform, folder ? { folder } : {});

  it('is never overwritten', async () => {
    const { folder } = await runBackup(`printf '%s' '${lineage(commands)}'`);
    // the script itself has written since: that is no reason to stop
    const later = lineage(commands, 99);
    const again = await runBackup(`printf '%s' '${later}'`, folder);
    expect([again.code, again.calls.length]).toEqual([0, 2]);
    expect(again.stdout).toContain('kept: ');
    expect(readFileSync(join(folder, backupOf(commands)), 'utf8')).toBe(lineage(commands));
    const other = await runBackup(`printf '%s' 'another state'`, folder);
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('not the state')]);
    expect(readFileSync(join(folder, backupOf(commands)), 'utf8')).toBe(lineage(commands));
  });

  it.each([
    ['Terraform fails', 'echo half; exit 1', 1],
    ['Terraform is killed', 'echo half; kill -9 $$', 137],
    ['there is no state', 'exit 0', 1],
  ])('leaves nothing behind when %s', async (_, terraform, expected) => {
    const { code, folder } = await runBackup(terraform);
    expect(code).toBe(expected);
    const file = join(folder, backupOf(commands));
    expect([existsSync(file), existsSync(`${file}.part`)]).toEqual([false, false]);
  });

  it('is refused for another state than the one of the plan, before anything is removed', async () => {
    const terraform = `case "$*" in 'state pull') echo '{ "lineage": "other" }' ;; esac`;
    const { code, stderr, calls } = await runSh(commands, terraform);
    expect(code).toBe(1);
    expect(stderr).toContain('not the state that the plan was made for');
    expect(calls).toEqual([['state', 'pull']]);
    const ran = await runSh(commands, 'exit 1', { folder: keeping('{ "lineage": "other" }') });
    expect([ran.code, ran.calls]).toEqual([1, []]);
  });

  it('is refused for a state that was written since, before anything is removed', async () => {
    const { serial } = commands.states[0]!;
    const terraform = `printf '%s' '${lineage(commands, serial + 1)}'`;
    const { code, stderr, calls } = await runSh(commands, terraform);
    expect([code, stderr]).toEqual([1, expect.stringContaining('written since the plan was made')]);
    expect(calls).toEqual([['state', 'pull']]);
  });

  it('can be made in a folder whose name would break a shell', async () => {
    const saveTo = "it's $(touch hit)\u001b[2J\n-rf/main-1.tfstate";
    const plan = withSteps(commands, [
      { ...commands.steps[0]!, runs: [{ argv: ['terraform', 'state', 'pull'], saveTo }] },
    ]);
    const { code, folder } = await runSh(plan, `printf '%s' '${lineage(commands)}'`);
    expect(code).toBe(0);
    expect(readFileSync(join(folder, saveTo), 'utf8')).toBe(lineage(commands));
    expect(existsSync(join(folder, 'hit'))).toBe(false);
  });

  it('uses a folder that is there already, and leaves its permissions', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, BACKUP));
    chmodSync(join(folder, BACKUP), 0o750);
    const { code } = await runBackup(`printf '%s' '${lineage(commands)}'`, folder);
    expect(code).toBe(0);
    expect(statSync(join(folder, BACKUP)).mode & 0o777).toBe(0o750);
  });
});

const planWith = (...edits: FileEdit[]) =>
  withSteps(commands, [{ kind: 'edit', state: 'main', title: 'Edit', why: 'because', edits }]);

/** The edit that removes the resource `a.b` from a text. */
async function removal(text: string): Promise<FileEdit> {
  const file = await parseText(text, 'main.tf');
  const leaving = file.blocks.filter(({ address }) => address === 'a.b');
  return planEdit(file, leaving)!;
}

const runEdits = (edits: FileEdit[], files: Record<string, string>): Promise<ShRun> =>
  runSh(planWith(...edits), '', { folder: temporaryFolder(files) });
/** What lies in the folder of a script before it runs. */
const OWN = ['fake-bin', 'plan.sh'];

const block = 'resource "a" "b" {\n  x = "it\'s $(id) `id` \\\\ ${y} %%{z}"\n}\n';

describe('an edit of the script', () => {
  it.each([
    ['plain', `first {}\n\n${block}\nlast {}\n`],
    ['with CRLF', `first {}\n\n${block}\nlast {}\n`.replaceAll('\n', '\r\n')],
    ['with a byte order mark', `\ufefffirst {}\n\n${block}\nlast {}\n`],
    ['without a line end at its end', `first {}\n\n${block}\nlast {}`],
    ['of the block alone', block],
    ['with control characters', `# \u001b[2J \u0085 \u202e\n${block}# \u0007\n`],
    ['of a thousand blocks', `${'other {}\n\n'.repeat(1000)}${block}${'\nmore {}\n'.repeat(1000)}`],
  ])('makes a file %s what the plan promises', async (_, text) => {
    const edit = await removal(text);
    const { code, stderr, folder } = await runEdits([edit], { 'main.tf': text });
    expect([stderr, code]).toEqual(['', 0]);
    const left = readFileSync(join(folder, 'main.tf'), 'utf8');
    expect(left).not.toContain('resource "a" "b"');
    expect((await parseText(left, 'main.tf')).sha256).toBe(edit.sha256After);
    expect(readdirSync(folder).sort()).toEqual(['main.tf', ...OWN].sort());
  });

  it('writes new files, with nothing of them read by the shell', async () => {
    const evil = `# '"$(touch hit)\` \\n %s\n${block}`;
    const { code, folder } = await runEdits([planNewFile("it's new $HOME.tf", evil)], {});
    expect(code).toBe(0);
    expect(readFileSync(join(folder, "it's new $HOME.tf"), 'utf8')).toBe(evil);
    expect(existsSync(join(folder, 'hit'))).toBe(false);
  });

  it.each([
    ['has changed', { 'main.tf': `${block}# more\n` }],
    ['is gone', {}],
  ])('of a file that %s stops, and leaves nothing behind', async (_, files) => {
    const ran = await runEdits([await removal(block)], files);
    expect([ran.code, ran.stderr]).toEqual([
      1,
      'main.tf has changed since the plan was made: plan again\n',
    ]);
    expect(readdirSync(ran.folder).sort()).toEqual([...Object.keys(files), ...OWN].sort());
  });

  it('refuses to change the file that a link leads to', async () => {
    const edit = await removal(`first {}\n${block}`);
    const folder = temporaryFolder({ 'shared.tf': `first {}\n${block}` });
    symlinkSync('shared.tf', join(folder, 'main.tf'));
    const { code, stderr } = await runSh(planWith(edit), '', { folder });
    expect([stderr, code]).toEqual([
      ...['main.tf is a link: use cf-waf-migrate apply PLAN --only edits\n', 1],
    ]);
    expect(readFileSync(join(folder, 'shared.tf'), 'utf8')).toBe(`first {}\n${block}`);
  });

  it('never overwrites a file that was not there', async () => {
    const ran = await runEdits([planNewFile('new.tf', 'a {}\n')], { 'new.tf': 'mine' });
    expect(ran.code).toBe(1);
    expect(readFileSync(join(ran.folder, 'new.tf'), 'utf8')).toBe('mine');
  });

  it('whose difference does not give what was promised changes nothing', async () => {
    const edit = { ...(await removal(`first {}\n${block}`)), sha256After: '0'.repeat(64) };
    const ran = await runEdits([edit], { 'main.tf': `first {}\n${block}` });
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('cannot edit main.tf')]);
    expect(readFileSync(join(ran.folder, 'main.tf'), 'utf8')).toBe(`first {}\n${block}`);
    expect(readdirSync(ran.folder).sort()).toEqual(['main.tf', ...OWN].sort());
  });
});

describe('a link that a pull request adds', () => {
  const text = `first {}\n${block}`;
  const outside = (): string => join(temporaryFolder({ target: 'mine' }), 'target');
  const withBackup = async (): Promise<Plan> =>
    withSteps(commands, [
      commands.steps[0]!,
      { kind: 'edit', state: 'main', title: 'Edit', why: '', edits: [await removal(text)] },
    ]);

  it.each([
    'main.tf.part',
    'main.tf.part.orig',
    'main.tf.part.rej',
    `${backupOf(commands)}.part`,
    BACKUP,
  ])(
    'at %s is refused by its name before Terraform runs, and not written through',
    async (name) => {
      const folder = temporaryFolder({ 'main.tf': text });
      const target = name === BACKUP ? temporaryFolder() : outside();
      if (name.startsWith(`${BACKUP}/`)) mkdirSync(join(folder, BACKUP));
      symlinkSync(target, join(folder, name));
      const { code, stderr, calls } = await runSh(await withBackup(), '', { folder });
      expect([code, calls, stderr]).toEqual([
        ...[1, [], expect.stringMatching(/: delete it, then run this script again\n$/)],
      ]);
      expect(stderr).toContain(name);
      expect(readFileSync(join(folder, 'main.tf'), 'utf8')).toBe(text);
      if (name === BACKUP) expect(readdirSync(target)).toEqual([]);
      else expect(readFileSync(target, 'utf8')).toBe('mine');
    },
  );

  it('to no file is not written through', async () => {
    const folder = temporaryFolder({ 'main.tf': text });
    const target = join(temporaryFolder(), 'new');
    mkdirSync(join(folder, BACKUP));
    symlinkSync(target, join(folder, BACKUP, '.gitignore'));
    const ran = await runSh(await withBackup(), `printf '%s' '${lineage(commands)}'`, { folder });
    expect([ran.code === 0, existsSync(target)]).toEqual([false, false]);
  });

  it('is not followed by a saved plan of Terraform', async () => {
    const folder = temporaryFolder();
    const target = outside();
    symlinkSync(target, join(folder, 'saved'));
    const terraform = `case "$*" in plan*) printf state > saved ;; esac`;
    const runs = [
      ['plan', '-out=saved'],
      ['show', '-json', 'saved'],
      ['apply', 'saved'],
    ];
    const plan = withSteps(commands, [
      {
        ...{ kind: 'apply-blocks', state: 'main', title: 'Apply', why: '' },
        runs: runs.map((argv) => ({ argv: ['terraform', ...argv] })),
      },
    ]);
    const { code } = await runSh(plan, terraform, { folder });
    expect([code, readFileSync(target, 'utf8')]).toEqual([0, 'mine']);
  });

  it('or another change of a file to edit stops the script before Terraform runs', async () => {
    const folder = temporaryFolder({ 'main.tf': `${text}# mine\n` });
    const { code, stderr, calls } = await runSh(await withBackup(), '', { folder });
    expect([code, calls]).toEqual([1, []]);
    expect(stderr).toBe('main.tf has changed since the plan was made: plan again\n');
  });
});
