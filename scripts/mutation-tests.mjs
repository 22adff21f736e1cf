// Which tests a mutated file is held to (scripts/mutation.mjs).
import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Too slow to be run for each mutant of a folder: only for the files that share their name. */
const SLOW =
  /[/.-](column-width|compile|converter|corpus|identifier-name|law|laws|places|posix-quote|prettier|read-in-batches|sh|sh-edit|sizes|text)\.test\.ts$/;

/** The file itself, or the TypeScript files of a folder. */
export const filesBelow = (path) =>
  statSync(path).isFile()
    ? [path]
    : readdirSync(path, { recursive: true })
        .map((name) => join(path, name).replaceAll('\\', '/'))
        .filter((name) => name.endsWith('.ts'))
        .sort();

export const isTest = (file) => file.endsWith('.test.ts');

/**
 * The tests in the folder of the file, and in those above it as far as the part that it is of; not
 * those that hold the docs to the source, which is not what it was.
 */
export const testsOf = (source) =>
  filesBelow(source.replace(/^src(\/[^/]+)\/.*/, 'test$1')).filter((file) => {
    if (!isTest(file) || file.endsWith('-docs.test.ts')) return false;
    if (!source.slice('src'.length).startsWith(dirname(file).slice('test'.length))) return false;
    const [test, name] = [basename(file, '.test.ts'), basename(source, '.ts')];
    return !SLOW.test(file) || test.startsWith(name) || name.startsWith(test);
  });

/** Those of them that bear the name of the file. */
export const ownTests = (source, tests) =>
  tests.filter((file) => basename(file, '.test.ts') === basename(source, '.ts'));
