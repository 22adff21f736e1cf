import * as z from 'zod';
import { printable } from '../../core/printable';
import { withoutKeys, parseAddress } from '../../core/resource-address';
import { renderOverrides } from '../../tfconfig/state-blocks';
import { chunks, generate, planCommand, terraform } from './commands';
import { addressLines, chdirOf, say, splitAddresses, words } from '../formats/render-command';
import { stateBlocksEdit } from '../facts/plan-removal';
import { type PlannedImport, type PlannedZone, type StepFacts } from '../facts/facts';
import { majorOf } from '../facts/provider-versions';

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

/** Fields of every step. */
const common = {
  id: z.string().regex(/^\d+$/),
  state: text.describe('name of one of `states`'),
  title: text,
  why: text,
};

/** Fields of only some kinds. */
const fields = {
  states: texts.describe('of an edit of files that several states share: all of them'),
  runs: z.array(run).readonly(),
  edits: z.array(edit).readonly(),
  addresses: texts,
  importId: text,
  code: text.describe('what to add to a CDKTF stack, in TypeScript'),
  provider: text.describe('version of the provider that the step installs'),
  expects,
};

/** The schema of a step of one kind, with exactly these fields. */
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
  /** Whether this tool changes the state or files in it. */
  readonly changes: boolean;
  /** Lines for a shell script. */
  readonly shell: (step: StepOfAnyKind, context: ShellContext) => readonly string[];
}

const commandsOf = ({ runs = [] }: StepOfAnyKind): string[] => runs.map(({ argv }) => words(argv));

/**
 * The table of step kinds. To add a kind, add it here and to {@link orders}, and add an executor in
 * src/apply/steps/step-executors.ts.
 */
export const stepKinds = {
  backup: {
    schema: schemaOf('backup', { runs: fields.runs }),
    by: 'automatic',
    changes: false,
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
    changes: true,
    shell: ({ edits = [] }) =>
      edits.map(({ file, sha256, sha256After, insert = '', diff }) => {
        const content = sha256 === null ? insert : diff;
        return `edit ${words([file, sha256 ?? '', sha256After ?? '', content])}`;
      }),
  },
  manual: {
    schema: schemaOf('manual', {
      addresses: fields.addresses.exactOptional(),
      runs: fields.runs.exactOptional(),
      code: fields.code.exactOptional(),
    }),
    by: 'manual',
    changes: false,
    shell: ({ id, addresses = [], code = '', ...step }, { stopsAfter }) => [
      ...[...addresses, ...commandsOf({ id, ...step }), ...code.split('\n').slice(0, -1)].map(
        (line) => say(`   ${printable(line)}`),
      ),
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
    changes: true,
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
    changes: true,
    shell: (step) =>
      commandsOf(step).map((one) => `import_once ${words(step.addresses ?? [''])} ${one}`),
  },
  'remove-dry-run': {
    schema: schemaOf('remove-dry-run', { runs: fields.runs, addresses: fields.addresses }),
    by: 'automatic',
    changes: false,
    shell: (step) => (step.runs ?? []).flatMap((one) => addressLines(splitAddresses(one, step))),
  },
  remove: {
    schema: schemaOf('remove', { runs: fields.runs, addresses: fields.addresses, expects }),
    by: 'automatic',
    changes: true,
    shell: (step) =>
      (step.runs ?? []).flatMap((one) => addressLines(splitAddresses(one, step), 'remove_once ')),
  },
  'upgrade-provider': {
    schema: schemaOf('upgrade-provider', { runs: fields.runs, provider: fields.provider }),
    by: 'manual',
    changes: true,
    shell: (step) => [
      `if [ "$first" -lt ${step.id} ]; then resume ${step.id} 'set the constraint in required_providers'; fi`,
      ...commandsOf(step),
    ],
  },
  check: {
    schema: schemaOf('check', { runs: fields.runs, expects }),
    by: 'automatic',
    changes: false,
    shell: (step) => commandsOf(step).map((one) => `check ${one}`),
  },
} as const satisfies Readonly<Record<string, Kind>>;

/** What a step does. See docs/plan-format.md. */
export type StepKind = keyof typeof stepKinds;

/** A step, with only the fields that its kind needs. */
export type Step = StepOfAnyKind & { readonly kind: StepKind };

/** A step without its number and state. */
export type StepDraft = Omit<Step, 'id' | 'state' | 'states'>;

const { backup: first, ...others } = stepKinds;

/** A step of a saved plan. */
export const stepSchema: z.ZodType<Step> = z.discriminatedUnion('kind', [
  first.schema,
  ...Object.values(others).map(({ schema }) => schema),
]);

/** Writes steps of one state, or none if there is nothing to do. */
type Writer = (facts: StepFacts) => readonly StepDraft[];

/** The names of the orders in the table of order.ts. */
export type OrderName = 'import first' | 'remove first' | 'blocks' | 'nothing';

/** All orders that `plan` writes. A saved plan may have no others. */
export const orders: Readonly<Record<OrderName, readonly Writer[]>> = {
  /** The order of the specification. Needs provider 3 and no legacy data source. */
  'import first': [
    backup,
    declareRulesets,
    importRulesets,
    (facts) => checkEach(facts, facts.imports),
    remove,
    deleteBlocks,
    // if nothing was removed, the check after the import was the last one
    (facts) => (facts.staying && facts.removed.length === 0 ? [] : checkEach(facts, facts.staying)),
  ],
  /** Works with every provider version, even if the state cannot be planned or has no legacy resources. */
  'remove first': [
    backup,
    remove,
    deleteBlocks,
    // bindings support one provider version, so a stack changes them before it declares a ruleset
    (facts) =>
      facts.isSynthesised
        ? [...upgradeProvider(facts), ...declareRulesets(facts)]
        : [...declareRulesets(facts), ...upgradeProvider(facts)],
    importRulesets,
    (facts) => checkEach(facts, facts.staying),
  ],
  /** For a pull request: one edit and one saved plan, whose `import` and `removed` blocks send no request. */
  blocks: [backup, replaceBlocks, applyBlocks, (facts) => checkEach(facts)],
  nothing: [],
};

export function writeSteps(order: OrderName, facts: StepFacts): StepDraft[] {
  return orders[order].flatMap((write) => write(facts));
}

function backup(facts: StepFacts): StepDraft[] {
  if (!facts.exists) return [];
  return [
    {
      kind: 'backup',
      title: 'Back up the state',
      why: 'remote backends keep no backup of `state rm`, and local backends overwrite it',
      runs: [{ argv: terraform(facts, 'state', 'pull'), saveTo: facts.backup }],
    },
  ];
}

function declareRulesets(facts: StepFacts): StepDraft[] {
  return undeclared(facts).map((zone) => {
    const step = {
      title: `Declare the ruleset of zone ${zone.name ?? zone.zoneId} as ${zone.address}`,
      why: facts.isSynthesised
        ? `the command writes the live ruleset as a construct, and prints the line that adds it to the stack of ${facts.dir}: add it, then synthesise`
        : 'the ruleset exists: a declaration that differs from it would change or replace it',
      addresses: [zone.address],
    };
    return zone.edit === undefined
      ? { ...step, kind: 'manual', runs: [{ argv: generate(facts, zone) }] }
      : { ...step, kind: 'edit', edits: [zone.edit] };
  });
}

function undeclared({ imports }: StepFacts): PlannedImport[] {
  return imports.filter(({ declared }) => !declared);
}

function importRulesets(facts: StepFacts): StepDraft[] {
  return facts.imports.map(({ address, importId }) => ({
    kind: 'import',
    title: `Import the ruleset as ${address}`,
    why: 'the migration of the zone created the ruleset: creating another one would fail',
    runs: [{ argv: terraform(facts, 'import', '-input=false', address, importId) }],
    addresses: [address],
    importId,
    expects: { present: [address] },
  }));
}

/** Checks the whole plan, or single rulesets if a full plan would read legacy resources. */
export function checkEach(
  place: Pick<StepFacts, 'dir'>,
  rulesets?: readonly Pick<PlannedZone, 'address'>[],
): StepDraft[] {
  const argv = [...planCommand(place), '-detailed-exitcode'];
  if (rulesets === undefined) {
    return [
      {
        kind: 'check',
        title: 'Check that the whole plan is empty',
        why: 'an empty plan proves that nothing was lost',
        runs: [{ argv }],
        expects: { plan: 'empty' },
      },
    ];
  }
  return rulesets.map(({ address }) => ({
    kind: 'check',
    title: `Check that the plan of ${address} is empty`,
    why: 'a full plan would call the legacy API, which no longer answers',
    runs: [{ argv: [...argv, `-target=${address}`] }],
    expects: { plan: 'target-empty' },
  }));
}

function remove(facts: StepFacts): StepDraft[] {
  const { removed } = facts;
  if (removed.length === 0) return [];
  const runs = (...flags: string[]): Run[] =>
    chunks(removed).map((addresses) => ({
      argv: terraform(facts, 'state', 'rm', ...flags, ...addresses),
    }));
  return [
    {
      kind: 'remove-dry-run',
      title: 'Preview the removal from state',
      why: 'prints what would be removed, and changes nothing',
      runs: runs('-dry-run'),
      addresses: removed,
    },
    {
      kind: 'remove',
      ...removalTexts(facts),
      runs: runs(),
      addresses: removed,
      expects: { gone: removed },
    },
  ];
}

function removalTexts(facts: StepFacts): Pick<StepDraft, 'title' | 'why'> {
  const { removed, provider } = facts;
  const legacy = withoutImported(facts).length;
  const why =
    'destroying them would restore the defaults of the legacy WAF; removing them from state sends no request';
  if (legacy === removed.length)
    return { title: 'Remove the legacy resources from the state', why };
  const again = `provider ${provider} may fail to read rulesets of another version, so a later step imports them again`;
  return legacy === 0
    ? { title: 'Remove the rulesets from the state', why: again }
    : {
        title: 'Remove the legacy resources and the rulesets from the state',
        why: `${why}; ${again}`,
      };
}

/** Resources that are removed from state and not imported again. */
function withoutImported({ removed, imports }: StepFacts): string[] {
  const imported = new Set(imports.map(({ address }) => address));
  return removed.filter((address) => !imported.has(address));
}

/** Edits the files if they are known and nothing refers to the blocks. Otherwise the step is manual. */
function deleteBlocks(facts: StepFacts): StepDraft[] {
  const step = {
    title: facts.isSynthesised
      ? 'Remove the legacy constructs from the program, and synthesise'
      : 'Remove the legacy blocks from the configuration',
    why: 'otherwise Terraform would plan to create the resources again, or refuse their type',
  };
  const blocks = [...new Set(withoutImported(facts).map(withoutKeys))];
  const { edits, manual } = facts.removal ?? { edits: [], manual: blocks };
  const byHand =
    manual.length === 0 ? [] : [{ kind: 'manual', ...step, addresses: manual } as const];
  return [...editStep(step, edits), ...byHand];
}

/** Returns no step if the major stays the same. */
function upgradeProvider(facts: StepFacts): StepDraft[] {
  const version = facts.upgradeTo;
  if (version === undefined) return [];
  return [
    {
      kind: 'upgrade-provider',
      ...(facts.isSynthesised
        ? {
            title: `Use bindings of provider ${majorOf(version)} (package.json, or terraformProviders of cdktf.json), synthesise, and install the provider`,
            why: `this tool never edits a program. Bindings from npm require one version (the last for 4.52.0 and 5.14.0): stack.addOverride('terraform.required_providers.cloudflare.version', '${version}') requires this one`,
          }
        : {
            title: `Set the provider version constraint to ${version}, and install that version`,
            why: 'this tool never edits required_providers; the state has no legacy resource any more',
          }),
      runs: [{ argv: terraform(facts, 'init', '-upgrade', '-input=false') }],
      provider: version,
    },
  ];
}

/**
 * Method blocks: replaces the legacy blocks with the ruleset and `import` and `removed` blocks. In a CDKTF stack the
 * user makes the change in one step. Without the constructs and without `removed` blocks, a plan destroys.
 */
function replaceBlocks(facts: StepFacts): StepDraft[] {
  const { configuration, imports, removal, dir } = facts;
  const blocks = {
    imports: imports.map(({ address, importId }) => ({ to: address, id: importId })),
    // another environment with the same files may have these resources in its state
    removed: [...legacyResourcesOf(facts), ...(removal?.going ?? [])],
  };
  if (facts.isSynthesised) {
    const runs = undeclared(facts).map((zone) => ({ argv: generate(facts, zone) }));
    return [
      {
        kind: 'manual',
        title:
          'Replace the legacy constructs with the ruleset and these overrides, and synthesise once',
        why: 'without the legacy constructs and without removed blocks, a plan destroys their resources; with both, Terraform refuses to plan. The command writes the ruleset as a construct, and prints the line that adds it to the stack',
        addresses: [
          ...(removal?.manual ?? []),
          ...blocks.imports.map(({ to }) => `import ${to}`),
          ...new Set(blocks.removed.map((address) => `removed ${withoutKeys(address)}`)),
        ],
        ...(runs.length === 0 ? {} : { runs }),
        code: renderOverrides(blocks, configuration?.project),
      },
    ];
  }
  return editStep(
    {
      title: 'Replace the legacy blocks with the ruleset, and import and removed blocks',
      why: 'one change to review, which Terraform applies in one run',
    },
    [
      // first, because Terraform refuses to plan without the other edits, but would destroy without this one
      ...((configuration && stateBlocksEdit(dir, configuration, blocks)) ?? []),
      ...imports.flatMap(({ edit: declaration }) => declaration ?? []),
      ...(removal?.edits ?? []),
    ],
  );
}

/** Managed resources only, because Terraform forgets data sources without `removed` blocks. */
function legacyResourcesOf({ removed }: StepFacts): string[] {
  return removed.filter((address) => parseAddress(address).mode === 'managed');
}

/**
 * Provider 3.35 and Terraform 1.11.4 send no request (measured). Before 1.9.3, Terraform reads removed resources first.
 */
function applyBlocks(facts: StepFacts): StepDraft[] {
  const saved = 'cf-waf-migrate.tfplan';
  return [
    {
      kind: 'apply-blocks',
      title:
        'Plan, check that the plan only imports and removes from state, and apply exactly that plan',
      why: 'a plan that creates, changes or destroys anything is not applied; the import and removed blocks can be deleted later',
      runs: [
        { argv: [...planCommand(facts), `-out=${saved}`] },
        { argv: terraform(facts, 'show', '-json', saved) },
        { argv: terraform(facts, 'apply', '-input=false', saved) },
      ],
      addresses: legacyResourcesOf(facts),
      expects: {
        gone: facts.removed,
        present: facts.imports.map(({ address }) => address),
        plan: 'import-and-forget',
      },
    },
  ];
}

function editStep(
  texts: Pick<StepDraft, 'title' | 'why'>,
  edits: NonNullable<Step['edits']>,
): StepDraft[] {
  return edits.length === 0 ? [] : [{ kind: 'edit', ...texts, edits }];
}
