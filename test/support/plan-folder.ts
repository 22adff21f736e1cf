import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ApplyRequest } from '../../src/apply/apply-context';
import { applyPlan } from '../../src/apply/apply-plan';
import { journalPath } from '../../src/apply/journal/journal';
import { MigrationError } from '../../src/core/migration-error';
import { rollback } from '../../src/apply/rollback/rollback';
import { type Plan } from '../../src/plan/plan-schema';
import { type FileEdit, planEdit } from '../../src/tfconfig/file-edit';
import { parseConfig } from '../../src/tfconfig/read-project';
import { fakeTerraform } from './fake-terraform';
import { temporaryFolder } from './temporary-folder';

/**
 * The behaviour of Terraform, as patterns of `case "$1 $2"`. The state is `state.json`; a removal copies
 * `removed.json` to it.
 */
const TERRAFORM = `'state pull') cat state.json ;;
  'state rm') cp removed.json state.json ;;
  'state push') for last; do :; done; cp "$last" state.json ;;
  plan*) echo 'No changes.' ;;
  version*) echo 'Terraform v1.11.4' ;;`;

/**
 * A folder with files, a plan for it, and a fake Terraform as a shell script.
 * @param terraform patterns before the usual ones
 */
export function planFolder(
  plan: Plan,
  files: Readonly<Record<string, string>>,
  terraform = '',
  folder = temporaryFolder(),
) {
  const at = (file: string): string => join(folder, file);
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(at(file)), { recursive: true });
    writeFileSync(at(file), text);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);
  const fake = fakeTerraform(
    temporaryFolder(),
    `case "$1 $2" in\n  ${terraform}\n  ${TERRAFORM}\nesac`,
  );
  const environment = { PATH: process.env['PATH'] };
  const request = { plan, folder, terraform: { binary: fake.path, environment } };
  const journal = at(journalPath(plan.digest));
  return {
    ...{ folder, at, write, journal, request },
    text: (file: string) => (existsSync(at(file)) ? readFileSync(at(file), 'utf8') : undefined),
    commands: () => fake.calls(),
    /** The subcommands so far, without those of `state`: `pull`, `import`. */
    calls: () => fake.calls().map(([word = '', verb = '']) => (word === 'state' ? verb : word)),
    apply: (more: Partial<ApplyRequest> = {}) => applyPlan({ ...request, ...more }),
    applyUntil: (killedAt: string) => {
      const fault = (point: string): void => {
        if (point === killedAt) throw new Error('killed');
      };
      const applied = applyPlan({ ...request, fault });
      return expect(applied).rejects.toThrow('killed');
    },
    rollback: (more: { force?: boolean; fault?: (point: string) => void } = {}) =>
      rollback({
        ...{ journal, ...request, force: false, ...more },
        confirm: () => Promise.resolve(),
      }),
  };
}

/** An edit that removes the blocks of an address from a file. */
export async function removalOf(file: string, text: string, address: string): Promise<FileEdit> {
  const parsed = await parseConfig({ path: file, bytes: Buffer.from(text) });
  const blocks = parsed.blocks.filter((block) => block.address === address);
  return planEdit(parsed, blocks)!;
}

export async function statusesOf(applied: ReturnType<typeof applyPlan>): Promise<string[]> {
  return (await applied).steps.map(({ status }) => status);
}

/** `done`, or the code and message of the error with which a promise ends. */
export const endOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'done',
    (error: unknown) =>
      error instanceof MigrationError ? `${error.code} ${error.message}` : String(error),
  );
