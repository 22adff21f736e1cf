import * as z from 'zod';
import { printable } from '../../core/printable';
import {
  addressLines,
  chdirOf,
  placedAddresses,
  say,
  splitAddresses,
  words,
} from '../formats/render-command';

const text = z.string();
const texts = z.array(text).readonly();

const run = z.strictObject({
  argv: texts.describe('an argument vector, never a shell string'),
  saveTo: text.exactOptional().describe('file that receives the output, mode 0600'),
});

const edit = z.strictObject({
  file: text,
  sha256: text.nullable().describe('of the file before the edit; null where there is none'),
  remove: z
    .array(z.strictObject({ address: text, startLine: z.int(), endLine: z.int() }))
    .readonly(),
  insert: text.exactOptional(),
  sha256After: text
    .nullable()
    .describe('of the file after the edit, to recognise a finished edit; null where it is deleted'),
  diff: text,
});

const expects = z.strictObject({
  gone: texts.exactOptional().describe('addresses that the state no longer has'),
  present: texts.exactOptional().describe('addresses that the state has'),
  plan: z.enum(['empty', 'target-empty', 'import-and-forget']).exactOptional(),
});

const common = {
  id: z.string().regex(/^\d+$/),
  state: text.describe('name of one of `states`'),
  title: text,
  why: text,
};

const fields = {
  states: texts.describe('of an edit of files that several states share: all of them'),
  runs: z.array(run).readonly(),
  edits: z.array(edit).readonly(),
  addresses: texts,
  places: z
    .record(text, text)
    .readonly()
    .describe('file and line of the blocks, by address, where they are known'),
  importId: text,
  code: text.describe('what to add to a CDKTF stack, in TypeScript'),
  provider: text.describe('version of the provider that the step installs'),
  expects,
};

function schemaOf<Kind extends string, Shape extends z.core.$ZodLooseShape>(
  kind: Kind,
  shape: Shape,
) {
  return z.strictObject({ ...common, kind: z.literal(kind), ...shape }).readonly();
}

/** A command as an argument vector, never a shell string. The saved output is a state and gets mode 0600. */
export type Run = Readonly<z.infer<typeof run>>;

/** What is true after the step. Apply, verify, resume and tests share this definition. */
export type Expects = Readonly<z.infer<typeof expects>>;

type Fields = { readonly [Name in keyof typeof fields]?: z.infer<(typeof fields)[Name]> };
type StepOfAnyKind = Fields & { readonly [Name in keyof typeof common]: string };

interface ShellContext {
  /** The lineage and serial, which identify the file of the planned state. */
  readonly marks: readonly string[];
  /** False if the next step is manual too, so that the script prints both before it stops. */
  readonly stopsAfter: boolean;
}

interface Kind {
  /** What a saved plan may contain. */
  readonly schema: z.ZodType<StepOfAnyKind>;
  /** Who does the step. `apply` and a script stop at a manual step that is not done. */
  readonly by: 'automatic' | 'manual';
  readonly changes: 'nothing' | 'files' | 'state';
  readonly checks?: true;
  readonly shell: (step: StepOfAnyKind, context: ShellContext) => readonly string[];
}

const commandsOf = ({ runs = [] }: StepOfAnyKind): string[] => runs.map(({ argv }) => words(argv));

/**
 * The table of step kinds. A new kind is written by orders.ts, read by parse-plan.ts, and run by
 * src/apply/steps/step-executors.ts, which names its places for src/apply/fault-points.ts.
 */
export const stepKinds = {
  backup: {
    schema: schemaOf('backup', { runs: fields.runs }),
    by: 'automatic',
    changes: 'nothing',
    shell: ({ runs = [] }, { marks }) =>
      runs.map(({ argv, saveTo = '' }) => `save ${words([saveTo, ...marks, ...argv])}`),
  },
  edit: {
    schema: schemaOf('edit', {
      edits: fields.edits,
      states: fields.states.exactOptional(),
      addresses: fields.addresses.exactOptional(),
    }),
    by: 'automatic',
    changes: 'files',
    shell: ({ edits = [] }) =>
      edits.map(({ file, sha256, sha256After, insert = '', diff }) => {
        const content = sha256 === null ? insert : diff;
        return `edit ${words([file, sha256 ?? '', sha256After ?? '', content])}`;
      }),
  },
  manual: {
    schema: schemaOf('manual', {
      addresses: fields.addresses.exactOptional(),
      places: fields.places.exactOptional(),
      runs: fields.runs.exactOptional(),
      code: fields.code.exactOptional(),
    }),
    by: 'manual',
    changes: 'nothing',
    shell: ({ id, code = '', ...step }, { stopsAfter }) => [
      ...[
        ...placedAddresses(step),
        ...commandsOf({ id, ...step }),
        ...code.split('\n').slice(0, -1),
      ].map((line) => say(`   ${printable(line)}`)),
      ...(stopsAfter ? [`resume ${Number(id) + 1} 'do this by hand'`] : []),
    ],
  },
  'apply-blocks': {
    schema: schemaOf('apply-blocks', {
      runs: fields.runs,
      addresses: fields.addresses,
      expects,
    }),
    by: 'automatic',
    changes: 'state',
    // the saved plan contains the state, so the trap always deletes it
    shell: ({ runs: [plan, show, apply] = [] }) =>
      plan === undefined || show === undefined || apply === undefined
        ? []
        : [
            `saved=${words([[chdirOf(show.argv), show.argv.at(-1)].filter(Boolean).join('/')])}`,
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
    schema: schemaOf('import', {
      runs: fields.runs,
      addresses: fields.addresses,
      importId: fields.importId,
      expects,
    }),
    by: 'automatic',
    changes: 'state',
    shell: (step) =>
      commandsOf(step).map((one) => `import_once ${words(step.addresses ?? [''])} ${one}`),
  },
  'remove-dry-run': {
    schema: schemaOf('remove-dry-run', { runs: fields.runs, addresses: fields.addresses }),
    by: 'automatic',
    changes: 'nothing',
    shell: (step) => (step.runs ?? []).flatMap((one) => addressLines(splitAddresses(one, step))),
  },
  remove: {
    schema: schemaOf('remove', { runs: fields.runs, addresses: fields.addresses, expects }),
    by: 'automatic',
    changes: 'state',
    shell: (step) =>
      (step.runs ?? []).flatMap((one) => addressLines(splitAddresses(one, step), 'remove_once ')),
  },
  'upgrade-provider': {
    schema: schemaOf('upgrade-provider', { runs: fields.runs, provider: fields.provider }),
    by: 'manual',
    changes: 'files',
    shell: (step) => [
      `if [ "$first" -lt ${step.id} ]; then resume ${step.id} 'do this by hand (the script installs the provider)'; fi`,
      ...commandsOf(step),
    ],
  },
  check: {
    schema: schemaOf('check', { runs: fields.runs, expects }),
    by: 'automatic',
    changes: 'nothing',
    checks: true,
    shell: (step) => commandsOf(step).map((one) => `check ${one}`),
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type StepKind = keyof typeof stepKinds;

/** A step, with only the fields that its kind needs. */
export type Step = StepOfAnyKind & { readonly kind: StepKind };

export type StepDraft = Omit<Step, 'id' | 'state' | 'states'>;

export function kindOf({ kind }: Pick<Step, 'kind'>): Kind {
  return stepKinds[kind];
}

export function isManual(step: Step): boolean {
  return kindOf(step).by === 'manual';
}

export function isCheck(step: Step): boolean {
  return kindOf(step).checks === true;
}

// a discriminated union needs at least one member by its type
const { backup: first, ...others } = stepKinds;

export const stepSchema: z.ZodType<Step> = z.discriminatedUnion('kind', [
  first.schema,
  ...Object.values(others).map(({ schema }) => schema),
]);
