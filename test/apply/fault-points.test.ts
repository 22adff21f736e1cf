import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const apply = join(__dirname, '../../src/apply');
/** What changes a file, a state or the Cloudflare API, by the verbs of Node and of this project; and `fault`. */
const CALL =
  /\b((?:rename|copyFile|cp|rm|unlink|truncate|symlink)Sync|write\w+|append\w*|archive\w+|statePush|stateRemove|runArgv|runTerraform|applyEdits|applySavedPlan|fault)\(/g;
/** Functions that write for a step, which has the points. */
const WRITERS = /^(?:export )?(?:async )?function (?:runArgv|applyEdits)\b[^]*?^\}$/gm;

const callsOf = (text: string): string[] =>
  [...text.replace(WRITERS, '').matchAll(CALL)].map(([, name = '']) => name);
const bare = (text: string): string[] => {
  const calls = callsOf(text);
  return calls.filter((name, at) => name !== 'fault' && calls[at + 1] !== 'fault');
};

// without the copy of a rehearsal, the journal, the lock and the folder of the backups
const files = readdirSync(apply, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/^(?:rehearsal|journal)\//.test(file))
  .sort();
const read = (file: string): string => readFileSync(join(apply, file), 'utf8');

/** What only reads, or is no function. */
const READERS =
  /^(existsSync|lstatSync|readdirSync|readFileSync|planFolder|accessSync|constants|inspectTarget|linkOf|readJsonFile|readObject|textOfFile|deleteParts|BACKUP_FOLDER|backupFile|gitIgnore|statePull|PULLS_AT_ONCE|withTemporaryFolder|judgeEmptyPlan|withJudgedPlan|withLockTimeout)$/;
const IMPORT =
  /import \{([^}]*)\} from '(?:node:fs|[./]*files\/[\w-]+|[./]*terraform\/(?:subcommands|run-terraform|temporary-folder))'/g;

test.each(files)(
  '%s imports nothing that writes under a name that this test does not know',
  (file) => {
    const names = [...read(file).matchAll(IMPORT)].flatMap(([, list = '']) => list.split(','));
    const values = names.map((name) => name.trim()).filter((name) => /^\w+$/.test(name));
    const unknown = values.filter(
      (name) => !READERS.test(name) && callsOf(`${name}(`).length === 0,
    );
    expect(unknown).toEqual([]);
  },
);

test.each(files)('%s: each write is followed by a fault point, before the next one', (file) => {
  expect(bare(read(file))).toEqual([]);
});

test('a write without a point would be found', () => {
  expect(bare("fault('a'); writeFiles([]); journal.append({}); fault('b');")).toEqual([
    'writeFiles',
  ]);
});
