import * as z from 'zod';
import { printable } from '../../core/printable';
import { fileEditSchema } from '../../tfconfig/file-edit';
import { addressLines, chdirOf, placedAddresses, say, words } from '../formats/render-command';

const text = z.string();
const texts = z.array(text).readonly();

const run = z.strictObject({
  argv: texts.describe('an argument vector, never a shell string'),
  saveTo: text.exactOptional().describe('file that receives the output, mode 0600'),
});

const expects = z.strictObject({
  gone: texts.exactOptional().describe('addresses that the state no longer has'),
  present: texts.exactOptional().describe('addresses that the state has'),
  plan: z.enum(['empty', 'target-empty', 'import-and-forget']).exactOptional(),
});

const KINDS = [
  'backup',
  'edit',
  'manual',
  'apply-blocks',
  'import',
  'remove-dry-run',
  'remove',
  'upgrade-provider',
  'check',
] as const;

/** A step of a saved plan. `parsePlan` checks that it has exactly the fields that `plan` writes for its kind. */
export const stepSchema = z
  .strictObject({
    id: text.regex(/^\d+$/),
    kind: z.enum(KINDS),
    state: text.describe('name of one of `states`'),
    states: texts
      .exactOptional()
      .describe('of an edit of files that several states share: all of them'),
    title: text,
    why: text,
    runs: z.array(run).readonly().exactOptional(),
    edits: z.array(fileEditSchema).readonly().exactOptional(),
    addresses: texts.exactOptional(),
    places: z
      .record(text, text)
      .readonly()
      .exactOptional()
      .describe('file and line of the blocks, by address, where they are known'),
    importId: text.exactOptional(),
    code: text.exactOptional().describe('what to add to a CDKTF stack, in TypeScript'),
    provider: text.exactOptional().describe('version of the provider that the step installs'),
    expects: expects.exactOptional(),
  })
  .readonly();

/** What a step does. See docs/plan-format.md. */
export type StepKind = (typeof KINDS)[number];

/** A command as an argument vector, never a shell string. The saved output is a state and gets mode 0600. */
export type Run = Readonly<z.infer<typeof run>>;

/** What is true after the step. Apply, verify, resume and tests share this definition. */
export type Expects = Readonly<z.infer<typeof expects>>;

/** A step, with only the fields that its kind needs. */
export type Step = z.infer<typeof stepSchema>;

export type StepDraft = Omit<Step, 'id' | 'state' | 'states'>;

interface ShellContext {
  /** The lineage and serial, which identify the file of the planned state. */
  readonly marks: readonly string[];
  /** False if the next step is manual too, so that the script prints both before it stops. */
  readonly stopsAfter: boolean;
}

interface Kind {
  /** Who does the step. `apply` and a script stop at a manual step that is not done. */
  readonly by: 'automatic' | 'manual';
  readonly changes: 'nothing' | 'files' | 'state';
  readonly shell: (step: Step, context: ShellContext) => readonly string[];
}

const commandsOf = ({ runs = [] }: Pick<Step, 'runs'>): string[] =>
  runs.map(({ argv }) => words(argv));

/** A new kind is written by orders.ts, read by parse-saved-plan.ts, and run by src/apply/steps/step-executors.ts. */
export const stepKinds: Readonly<Record<StepKind, Kind>> = {
  backup: {
    by: 'automatic',
    changes: 'nothing',
    shell: ({ runs = [] }, { marks }) =>
      runs.map(({ argv, saveTo = '' }) => `save ${words([saveTo, ...marks, ...argv])}`),
  },
  edit: {
    by: 'automatic',
    changes: 'files',
    shell: ({ edits = [] }) =>
      edits.map(
        ({ file, sha256, sha256After, insert, diff }) =>
          `edit ${words([file, sha256 ?? '', sha256After, insert ?? diff])}`,
      ),
  },
  manual: {
    by: 'manual',
    changes: 'files',
    shell: ({ id, code = '', ...step }, { stopsAfter }) => [
      ...[...placedAddresses(step), ...commandsOf(step), ...code.split('\n').slice(0, -1)].map(
        (line) => say(`   ${printable(line)}`),
      ),
      ...(stopsAfter ? [`resume ${Number(id) + 1} 'do this by hand'`] : []),
    ],
  },
  'apply-blocks': {
    by: 'automatic',
    changes: 'state',
    // the saved plan contains the state, so the trap always deletes it
    shell: ({ runs: [plan, show, apply] = [] }) =>
      plan === undefined || show === undefined || apply === undefined
        ? []
        : [
            `saved=${words([[chdirOf(show.argv), show.argv.at(-1)].filter(Boolean).join('/')])}`,
            // Terraform would write through a link
            'rm -f -- "$saved"',
            '(',
            `  trap 'rm -f -- "$saved"' EXIT`,
            "  trap 'exit 1' HUP INT TERM",
            `  ${words(plan.argv)}`,
            `  only_import_and_forget ${words(show.argv)}`,
            `  ${words(apply.argv)}`,
            ')',
          ],
  },
  import: {
    by: 'automatic',
    changes: 'state',
    shell: (step) =>
      commandsOf(step).map((one) => `import_once ${words(step.addresses ?? [''])} ${one}`),
  },
  'remove-dry-run': {
    by: 'automatic',
    changes: 'nothing',
    shell: (step) => (step.runs ?? []).flatMap((one) => addressLines(one, step)),
  },
  remove: {
    by: 'automatic',
    changes: 'state',
    shell: (step) => (step.runs ?? []).flatMap((one) => addressLines(one, step, 'remove_once ')),
  },
  'upgrade-provider': {
    by: 'manual',
    changes: 'files',
    shell: (step) => [
      `if [ "$first" -lt ${step.id} ]; then resume ${step.id} 'do this by hand (the script installs the provider)'; fi`,
      ...commandsOf(step),
    ],
  },
  check: {
    by: 'automatic',
    changes: 'nothing',
    shell: (step) => commandsOf(step).map((one) => `check ${one}`),
  },
};

export function kindOf({ kind }: Pick<Step, 'kind'>): Kind {
  return stepKinds[kind];
}

export function isManual(step: Pick<Step, 'kind'>): boolean {
  return kindOf(step).by === 'manual';
}

/** Whether the user makes the change of method blocks in a CDKTF program, which this tool never edits. */
export function isOfProgram({ code }: Pick<Step, 'code'>): boolean {
  return code !== undefined;
}

export function isCheck(step: Pick<Step, 'kind'>): boolean {
  return step.kind === 'check';
}

/** Whether an address of a manual step is `import <address>` or `removed <address>`, which names such a block. */
export function isStateBlock(address: string): boolean {
  return /^(import|removed) /.test(address);
}
