import { type FileEdit } from '../tfconfig/plan-edit';
import { type Run, type StepDraft } from './plan';
import { type PlannedRemoval } from './edit-configuration';
import { type Configuration } from '../project/read-configuration';
import { type PlannedZone } from './facts';
import { majorOf } from './provider-versions';

/** A ruleset to import, and whether the configuration declares it already. */
export interface PlannedImport extends PlannedZone {
  readonly importId: string;
  readonly declared: boolean;
  /** The file that declares it, where its text is known. */
  readonly edit?: FileEdit | undefined;
}

/** What the orders arrange: the steps of one state. */
export interface OrderInput {
  /** Whether there is a state to back up. */
  readonly exists: boolean;
  readonly dir: string;
  /** Its files, where these are known. */
  readonly configuration?: Configuration | undefined;
  /** Whether CDKTF writes the folder: nothing in it is edited then. */
  readonly isSynthesised: boolean;
  readonly backup: string;
  /** Addresses that are removed from the state: also of rulesets that {@link imports} takes in again. */
  readonly leaving: readonly string[];
  /**
   * Where legacy resources of other zones stay, and a full plan would ask the legacy API for them: the rulesets of the
   * planned zones, which are planned alone.
   */
  readonly staying: readonly Pick<PlannedZone, 'address'>[] | undefined;
  /** Blocks that leave the configuration: addresses without keys. */
  readonly blocks: readonly string[];
  /** How they leave the files, where these are known. */
  readonly removal: PlannedRemoval | undefined;
  /** Zones whose ruleset this state is to own, and does not yet. */
  readonly imports: readonly PlannedImport[];
  /** Provider major that the configuration is for when the ruleset is declared. */
  readonly provider: number;
  /** The version to change to, where it is another major than the installed one. */
  readonly upgradeTo: string | undefined;
}

/** Nothing where there is no state yet. */
export function backup(input: OrderInput): StepDraft[] {
  if (!input.exists) return [];
  return [
    {
      kind: 'backup',
      title: 'Back up the state',
      why: 'remote backends keep no backup of `state rm`, and local ones overwrite theirs',
      runs: [{ argv: terraform(input, 'state', 'pull'), saveTo: input.backup }],
    },
  ];
}

/** Nothing where the state owns every ruleset already, or the configuration declares it. */
export function declareRulesets(input: OrderInput): StepDraft[] {
  return undeclared(input).map((zone) => {
    const step = {
      title: `Declare the ruleset of zone ${zone.zoneId} as ${zone.address}`,
      why: input.isSynthesised
        ? `the command writes a construct of what is live, and prints the line that puts it into the stack: add it to the stack of ${input.dir}, and synthesise`
        : 'it exists in the service: declare exactly what is live, or the first plan changes or replaces it',
      addresses: [zone.address],
    };
    if (zone.edit !== undefined) return { ...step, kind: 'edit', edits: [zone.edit] };
    return { ...step, kind: 'manual', runs: [generateRun(input, zone)] };
  });
}

/** The commands that write the rulesets which the configuration does not declare. */
export function generateRuns(input: OrderInput): Run[] {
  return undeclared(input).map((zone) => generateRun(input, zone));
}

function undeclared({ imports }: OrderInput): PlannedImport[] {
  return imports.filter(({ declared }) => !declared);
}

/** In a stack the ruleset is a construct of it: a stack of its own would have a state of its own. */
function generateRun(
  { provider, dir, isSynthesised }: OrderInput,
  { zoneId, address }: PlannedZone,
): Run {
  const source = ['--zone', zoneId, '--source', 'live', '--provider', String(provider)];
  return {
    argv: [
      'cf-waf-migrate',
      'generate',
      ...source,
      '--format',
      isSynthesised ? 'construct' : 'hcl',
      '--address',
      address,
      '--out',
      isSynthesised ? `${projectOf(dir)}constructs` : dir,
    ],
  };
}

/** Where the project of a synthesised folder lies, which is `<output>/stacks/<stack>` in it (cdktf 0.21). */
function projectOf(dir: string): string {
  if (dir === '.') return '../../../';
  const output = dir.search(/[^/]+\/stacks\/[^/]+$/);
  return output === -1 ? '' : dir.slice(0, output);
}

export function importRulesets(input: OrderInput): StepDraft[] {
  return input.imports.map((zone) => ({
    kind: 'import',
    title: `Import the ruleset as ${zone.address}`,
    why: 'the entry point exists since the zone was migrated: creating it would collide',
    runs: [{ argv: terraform(input, 'import', '-input=false', zone.address, zone.importId) }],
    addresses: [zone.address],
    importId: zone.importId,
    expects: { present: [zone.address] },
  }));
}

export function checkRulesets(
  dir: Pick<OrderInput, 'dir'>,
  rulesets: readonly Pick<PlannedZone, 'address'>[],
): StepDraft[] {
  return rulesets.map(({ address }) => ({
    kind: 'check',
    title: `Plan ${address} alone: no changes`,
    why: 'the full plan would ask the old interfaces, which no longer answer',
    runs: [
      {
        argv: terraform(dir, 'plan', '-input=false', '-detailed-exitcode', `-target=${address}`),
      },
    ],
    expects: { plan: 'target-empty' },
  }));
}

export function remove(input: OrderInput): StepDraft[] {
  if (input.leaving.length === 0) return [];
  const runs = (...flags: string[]): Run[] =>
    chunks(input.leaving).map((addresses) => ({
      argv: terraform(input, 'state', 'rm', ...flags, ...addresses),
    }));
  return [
    {
      kind: 'remove-dry-run',
      title: 'Rehearse the removal',
      why: 'prints what would be removed and changes nothing',
      runs: runs('-dry-run'),
      addresses: input.leaving,
    },
    {
      kind: 'remove',
      ...whatLeaves(input),
      runs: runs(),
      addresses: input.leaving,
      expects: { gone: input.leaving },
    },
  ];
}

const REFERENCED = {
  title: 'Change what refers to these blocks, then remove them',
  why: 'BLOCK_REFERENCED lists each reference; the diff removes the blocks, and the outputs that refer to them',
};

/** Of rulesets that are imported again, it is said that they are. */
function whatLeaves({ leaving, imports, provider }: OrderInput): Pick<StepDraft, 'title' | 'why'> {
  const imported = new Set(imports.map(({ address }) => address));
  const own = leaving.filter((address) => imported.has(address)).length;
  const why =
    'destroying them would re-arm the defaults of the old WAF; forgetting them asks nothing of the service';
  if (own === 0) return { title: 'Remove the old resources from the state', why };
  const again = `provider ${provider} may fail to read rulesets of another version: they are imported again below`;
  return own === leaving.length
    ? { title: 'Remove the rulesets from the state', why: again }
    : {
        title: 'Remove the legacy resources and the rulesets from the state',
        why: `${why}; ${again}`,
      };
}

/** An edit where the files are known and nothing refers to the blocks; by hand otherwise. */
export function deleteBlocks({ blocks, removal }: OrderInput): StepDraft[] {
  const step = {
    title: 'Take the old blocks out of the configuration',
    why: 'left there, Terraform would plan to create them again, or refuse their type',
  };
  if (removal === undefined && blocks.length === 0) return [];
  if (removal === undefined) return [{ ...step, kind: 'manual', addresses: blocks }];
  const { edits, manual, diff } = removal;
  return [
    ...(edits.length === 0 ? [] : [{ ...step, kind: 'edit' as const, edits }]),
    ...(manual.length === 0
      ? []
      : [
          {
            ...(diff === '' ? step : { ...REFERENCED, code: diff }),
            kind: 'manual' as const,
            addresses: manual,
          },
        ]),
  ];
}

/** Nothing where the major stays. */
export function upgradeProvider(input: OrderInput): StepDraft[] {
  const version = input.upgradeTo;
  if (version === undefined) return [];
  return [
    {
      kind: 'upgrade-provider',
      ...(input.isSynthesised
        ? {
            title: `Use bindings of provider ${majorOf(version)} (package.json, or terraformProviders of cdktf.json), synthesise and install it`,
            why: `this tool never edits a program; the old resources are out of the way now. Bindings from npm ask for one version (the last for 4.52.0 and 5.14.0): stack.addOverride('terraform.required_providers.cloudflare.version', '${version}') asks for this one`,
          }
        : {
            title: `Set the version constraint of the provider to ${version} and install it`,
            why: 'this tool never edits required_providers; the old resources are out of the way now',
          }),
      runs: [{ argv: terraform(input, 'init', '-upgrade', '-input=false') }],
      provider: version,
    },
  ];
}

/** After method blocks: what has done its work. */
export function takeBlocksOut(edits: readonly FileEdit[]): StepDraft {
  return {
    kind: 'edit',
    title: 'Take the import and removed blocks out of the configuration',
    why: 'they have done their work: the state is as they say',
    edits,
  };
}

/** The same in a CDKTF stack. */
export function takeOverridesOut(addresses: readonly string[]): StepDraft {
  return {
    kind: 'manual',
    title: 'Take the import and removed overrides out of the stack, and synthesise it',
    why: 'they have done their work: the state is as they say',
    addresses,
  };
}

export function checkAll(dir: Pick<OrderInput, 'dir'>): StepDraft {
  return {
    kind: 'check',
    title: 'Plan everything: no changes',
    why: 'an empty plan is the proof that nothing was lost',
    runs: [{ argv: terraform(dir, 'plan', '-input=false', '-detailed-exitcode') }],
    expects: { plan: 'empty' },
  };
}

/** The name of a saved plan in the commands of a plan; `apply` puts its own elsewhere. */
export const SAVED_PLAN = 'cf-waf-migrate.tfplan';

/** Most characters of one command: Windows takes 32,767, Linux and macOS far more. */
const LONGEST_COMMAND = 30_000;

/** A command of Terraform in the folder of a state. */
export function terraform({ dir }: Pick<OrderInput, 'dir'>, ...args: readonly string[]): string[] {
  return ['terraform', ...(dir === '.' ? [] : [`-chdir=${dir}`]), ...args];
}

/** The addresses in as few commands as fit. */
export function chunks(addresses: readonly string[]): string[][] {
  const result: string[][] = [];
  let length = Infinity;
  for (const address of addresses) {
    length += address.length + 3;
    if (length > LONGEST_COMMAND) {
      result.push([]);
      length = address.length;
    }
    result.at(-1)?.push(address);
  }
  return result;
}
