import { CONSTRUCTS, providerMajors } from '../../core/provider-majors';
import { listed } from '../../core/lists';
import { parseAddress, withoutKeys } from '../../core/resource-address';
import { BINDINGS, versionOverride } from '../../project/cdktf-project';
import { placesExcluding } from '../../project/provider-version';
import { renderOverrides } from '../../tfconfig/state-blocks';
import { type PlannedImport, type PlannedZone, type StepFacts } from '../facts/facts';
import { stateBlocksEdit } from '../facts/plan-removal';
import { majorOf } from '../facts/provider-versions';
import { generateLive } from './declare-live';
import { type Run, type Step, type StepDraft } from './step-kinds';
import { chunks } from './terraform-flags';

/** Writes steps of one state, or none if there is nothing to do. */
type Writer = (facts: StepFacts) => readonly StepDraft[];

export type OrderName = 'import first' | 'remove first' | 'blocks' | 'upgrade' | 'nothing';

/**
 * All orders that `plan` writes, each in three phases: before the removal from state, the removal, and after it. A saved
 * plan may have no others.
 */
export const orders: Readonly<Record<OrderName, readonly (readonly Writer[])[]>> = {
  /** The order of the specification. Needs provider 3 and no legacy data source. */
  'import first': [
    [backup, declareRulesets, importRulesets, (facts) => checkEach(facts, facts.own)],
    [remove],
    [deleteBlocks, (facts) => (checksWhole(facts) ? lastCheck(facts) : [])],
  ],
  /** Works with every provider version, even if the state cannot be planned or has no legacy resources. */
  'remove first': [
    [backup],
    [remove],
    [
      deleteBlocks,
      // bindings support one provider version, so a stack changes them before it declares a ruleset
      (facts) =>
        facts.isSynthesised
          ? [...upgradeProvider(facts), ...declareRulesets(facts)]
          : [...declareRulesets(facts), ...upgradeProvider(facts)],
      importRulesets,
      lastCheck,
    ],
  ],
  /** For a pull request: one edit and one saved plan, whose `import` and `removed` blocks send no request. */
  blocks: [[backup, replaceBlocks], [], [applyBlocks, checkWhole]],
  /** A stack whose bindings change with those of the other stacks of its program. */
  upgrade: [[], [], [upgradeProvider, checkWhole]],
  nothing: [],
};

export function writeSteps(order: OrderName, facts: StepFacts): StepDraft[][] {
  return orders[order].map((phase) => phase.flatMap((write) => write(facts)));
}

function backup(facts: StepFacts): StepDraft[] {
  if (!facts.exists) return [];
  return [
    {
      kind: 'backup',
      title: 'Back up the state',
      why: '`terraform state rm` keeps no complete backup',
      runs: [{ argv: terraform(facts, 'state', 'pull'), saveTo: facts.backup }],
    },
  ];
}

function declareRulesets(facts: StepFacts): StepDraft[] {
  return importsToDeclare(facts).map((zone) => {
    const step = {
      title: `Declare the ruleset of zone ${zone.name ?? zone.zoneId} as ${zone.address}`,
      why: facts.isSynthesised
        ? `run the command, add the lines that it prints to the stack of ${facts.dir}, and synthesise${providerOf([zone])}`
        : 'a declaration that differs would change or replace the live ruleset',
      addresses: [zone.address],
    };
    return zone.edit === undefined
      ? { ...step, kind: 'manual', runs: [{ argv: generate(facts, zone) }] }
      : { ...step, kind: 'edit', edits: [zone.edit] };
  });
}

function importsToDeclare({ imports }: StepFacts): PlannedImport[] {
  return imports.filter(({ declared }) => !declared);
}

/** What to add to the constructs of a stack with several provider configurations. */
function providerOf(zones: readonly PlannedImport[]): string {
  const [provider] = zones.flatMap((zone) => zone.provider ?? []);
  return provider === undefined
    ? ''
    : `. The legacy resources use provider ${provider}: if the file of the construct does not name it, add ruleset.addOverride("provider", "${provider}")`;
}

/** No state tells which others have the ruleset. */
const OTHER_FOLDER = '. If another folder manages the ruleset, pass both with --dir';

function importRulesets(facts: StepFacts): StepDraft[] {
  const { removed } = facts;
  return facts.imports.map(({ address, importId }) => ({
    kind: 'import',
    title: `Import the ruleset as ${address}`,
    why: `creating a second one would fail${removed.includes(address) ? '' : OTHER_FOLDER}`,
    runs: [{ argv: terraform(facts, 'import', '-input=false', address, importId) }],
    addresses: [address],
    importId,
    expects: { present: [address] },
  }));
}

/**
 * Checks a changed state. If a full plan would read legacy resources, it checks each ruleset, and then the whole without
 * refresh, which shows whether Terraform would destroy a legacy resource that stays.
 */
function lastCheck(facts: StepFacts): StepDraft[] {
  const { checkedAlone } = facts;
  if (checkedAlone === undefined) return checkWhole(facts);
  return [...checkEach(facts, checkedAlone), ...checkWhole(facts, '-refresh=false')];
}

/** Whether a step requires an empty plan of the whole state. If nothing is removed, rulesets may be checked alone. */
export function checksWhole({ checkedAlone, removed, removal }: StepFacts): boolean {
  return checkedAlone === undefined || removed.length > 0 || (removal?.edits ?? []).length > 0;
}

type Place = Pick<StepFacts, 'dir'>;

export function checkWhole(place: Place, ...flags: readonly string[]): StepDraft[] {
  return [
    {
      kind: 'check',
      title: 'Check that the whole plan is empty',
      why:
        flags.length === 0
          ? 'an empty plan shows that Terraform would change nothing'
          : 'an empty plan shows that Terraform would change nothing of what stays',
      runs: [{ argv: [...planCommand(place), '-detailed-exitcode', ...flags] }],
      expects: { plan: 'empty' },
    },
  ];
}

/** Checks single rulesets, if a full plan would read legacy resources. */
export function checkEach(
  place: Place,
  rulesets: readonly Pick<PlannedZone, 'address'>[],
): StepDraft[] {
  return rulesets.map(({ address }) => ({
    kind: 'check',
    title: `Check that the plan of ${address} is empty`,
    why: 'a full plan would call the legacy API, which no longer answers',
    runs: [{ argv: [...planCommand(place), '-detailed-exitcode', `-target=${address}`] }],
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
  const again = `provider ${provider} may fail to read rulesets of another version, so a later step imports them again`;
  if (legacy === 0) return { title: 'Remove the rulesets from the state', why: again };
  return legacy === removed.length
    ? { title: 'Remove the legacy resources from the state', why }
    : { title: 'Remove legacy resources and rulesets from the state', why: `${why}; ${again}` };
}

function withoutImported({ removed, imports }: StepFacts): string[] {
  const imported = new Set(imports.map(({ address }) => address));
  return removed.filter((address) => !imported.has(address));
}

/** Edits the files if they are known and nothing refers to the blocks. Otherwise the step is manual. */
function deleteBlocks(facts: StepFacts): StepDraft[] {
  const { isSynthesised, checkedAlone, dir } = facts;
  // the last check shows what Terraform would destroy
  const others = checkedAlone && 'Keep those of other zones. ';
  // the bindings of another provider have no classes for them
  const stacks =
    facts.upgradeTo === undefined
      ? 'Edit only the stacks of this plan: a deploy would destroy the resources of others. Keep a stack that becomes empty until `apply` is done'
      : 'Deploy no other stack of the program before its own steps';
  const step = {
    title: isSynthesised
      ? 'Remove the legacy constructs from the program, and synthesise'
      : 'Remove the legacy blocks from the configuration',
    why: `otherwise Terraform would create them again, or refuse their type${isSynthesised ? `. The step is done when ${dir} no longer has them. ${others ?? ''}${stacks}` : ''}`,
  };
  const blocks = [...new Set(withoutImported(facts).map(withoutKeys))];
  const { edits = [], manual = blocks, places = {}, references = [] } = facts.removal ?? {};
  const placed = Object.entries(places).filter(([address]) => manual.includes(address));
  const users = isSynthesised
    ? []
    : references.map(({ from, file, line }) => `${from} (${file}:${line})`);
  const also =
    users.length === 0 ? '' : `. These refer to them, so change them too: ${listed(users)}`;
  const byHand: StepDraft = {
    kind: 'manual',
    ...step,
    why: `${step.why}${also}`,
    addresses: manual,
    ...(placed.length === 0 ? {} : { places: Object.fromEntries(placed) }),
  };
  return [...editStep(step, edits), ...(manual.length === 0 ? [] : [byHand])];
}

function upgradeProvider(facts: StepFacts): StepDraft[] {
  const version = facts.upgradeTo;
  if (version === undefined) return [];
  const major = majorOf(version);
  const { bindings, cdktf } = providerMajors[major];
  const excluding =
    facts.configuration === undefined ? [] : placesExcluding(major, facts.configuration.project);
  return [
    {
      kind: 'upgrade-provider',
      ...(facts.isSynthesised
        ? {
            title: `Use the bindings of provider ${major} (${BINDINGS}@${bindings} in package.json, or terraformProviders of cdktf.json), and synthesise`,
            why: `this tool never edits a program. Do this for all stacks, then synthesise once. 1. Remove the legacy constructs and their imports: the bindings have no classes for them. 2. With bindings from npm, run \`npm install cdktf@0.${cdktf} ${BINDINGS}@${bindings} ${CONSTRUCTS}\`, and add ${versionOverride(version)} to each stack. 3. If a decision of the plan names rulesets of another provider version, rewrite their constructs as it says. ${cdktf < 21 ? '' : '4. cdktf 0.21 names resources without their stack: if cdktf.json has no excludeStackIdFromLogicalIds, keep their names with overrideLogicalId. '}Then \`apply\` runs \`terraform init -upgrade\``,
          }
        : {
            title: `Set the provider version constraint to ${version}, and install that version`,
            why: `${excluding.length === 0 ? 'this tool never edits required_providers' : `set it in ${excluding.join(', ')}, then run \`apply\` again: it runs \`terraform init -upgrade\``}. Workspaces of a folder share the version: plan each with --to`,
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
    removed: [...legacyResourcesOf(facts), ...(removal?.removedAddresses ?? [])],
  };
  if (facts.isSynthesised) {
    const runs = importsToDeclare(facts).map((zone) => ({ argv: generate(facts, zone) }));
    return [
      {
        kind: 'manual',
        title:
          'Replace the legacy constructs with the ruleset and these overrides, and synthesise once',
        why: `${runs.length === 0 ? '' : 'run the command, and add the lines that it prints. '}Remove the listed constructs, and add the overrides. Only then synthesise: with half of these edits, a deploy destroys the resources, or Terraform refuses to plan. Do not change stacks that are not migrated${providerOf(importsToDeclare(facts))}`,
        addresses: [
          ...(removal?.manual ?? []),
          ...blocks.imports.map(({ to }) => `import ${to}`),
          ...new Set(blocks.removed.map((address) => `removed ${withoutKeys(address)}`)),
        ],
        ...(runs.length === 0 ? {} : { runs }),
        code: renderOverrides(blocks, facts.stackBlocks),
      },
    ];
  }
  return editStep(
    {
      title: 'Replace the legacy blocks with the ruleset, and import and removed blocks',
      why: `one change to review, which Terraform applies in one run${imports.length === 0 ? '' : OTHER_FOLDER}`,
    },
    [
      // first, because Terraform refuses to plan without the other edits, but would destroy without this one
      ...(configuration === undefined ? [] : stateBlocksEdit(dir, configuration, blocks)),
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

function terraform({ dir }: Place, ...args: readonly string[]): string[] {
  return ['terraform', ...(dir === '.' ? [] : [`-chdir=${dir}`]), ...args];
}

function planCommand(place: Place): string[] {
  return terraform(place, 'plan', '-input=false');
}

function generate(facts: StepFacts, zone: PlannedImport): string[] {
  const format = facts.isSynthesised ? [] : ['--format', 'hcl'];
  return generateLive(facts, zone, '--provider', String(facts.provider), ...format);
}
