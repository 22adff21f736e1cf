import { type FileEdit } from '../../blocks/file-edit';
import { type Configuration, type PlannedRemoval } from '../edit-configuration';
import { type PlannedZone } from '../planned-state';
import { type Run, type StepDraft } from '../plan';

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
  /** Addresses that leave the state. */
  readonly leaving: readonly string[];
  /** Whether old resources of other zones stay: a full plan would ask the old interfaces of them. */
  readonly staying: boolean;
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
  /** Rulesets whose entries provider 3 wrote, which are to be written anew on the way to 5. */
  readonly unreadable: readonly string[];
  /** The version to stop at on the way from 3 to 5. */
  readonly via: string | undefined;
}

/** Most characters of one command: Windows takes 32,767, Linux and macOS far more. */
const LONGEST_COMMAND = 30_000;

export function backup(input: OrderInput): StepDraft {
  return {
    kind: 'backup',
    title: 'Back up the state',
    why: 'remote backends keep no backup of `state rm`, and local ones overwrite theirs',
    runs: [{ argv: terraform(input, 'state', 'pull'), saveTo: input.backup }],
  };
}

/** Nothing where the state owns every ruleset already, or the configuration declares it. */
export function declareRulesets(input: OrderInput): StepDraft[] {
  return input.imports
    .filter(({ declared }) => !declared)
    .map((zone) => {
      const step = {
        title: `Declare the ruleset of zone ${zone.zoneId} as ${zone.address}`,
        why: 'it exists in the service: declare exactly what is live, or the first plan changes or replaces it',
        addresses: [zone.address],
      };
      if (zone.edit !== undefined) return { ...step, kind: 'edit', edits: [zone.edit] };
      return { ...step, kind: 'manual', runs: [{ argv: generateCommand(input, zone) }] };
    });
}

function generateCommand(
  { provider, dir, isSynthesised }: OrderInput,
  { zoneId, address }: PlannedZone,
): string[] {
  const source = ['--zone', zoneId, '--source', 'live', '--provider', String(provider)];
  return [
    'cf-waf-migrate',
    'generate',
    ...source,
    '--format',
    isSynthesised ? 'cdktf' : 'hcl',
    '--address',
    address,
    '--out',
    isSynthesised ? 'stacks' : dir,
  ];
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

export function checkImports(input: OrderInput): StepDraft[] {
  return input.imports.map((zone) => ({
    kind: 'check',
    title: `Plan ${zone.address} alone: no changes`,
    why: 'the full plan would ask the old interfaces, which no longer answer',
    runs: [
      {
        argv: terraform(
          input,
          'plan',
          '-input=false',
          '-detailed-exitcode',
          `-target=${zone.address}`,
        ),
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
      title: 'Remove the old resources from the state',
      why: 'destroying them would re-arm the defaults of the old WAF; forgetting them asks nothing of the service',
      runs: runs(),
      addresses: input.leaving,
      expects: { gone: input.leaving },
    },
  ];
}

/** An edit where the files are known and nothing refers to the blocks; by hand otherwise. */
export function deleteBlocks({ blocks, removal }: OrderInput): StepDraft[] {
  const step = {
    title: 'Take the old blocks out of the configuration',
    why: 'left there, Terraform would plan to create them again, or refuse their type',
  };
  if (removal === undefined && blocks.length === 0) return [];
  if (removal === undefined) return [{ ...step, kind: 'manual', addresses: blocks }];
  const { edits, manual } = removal;
  return [
    ...(edits.length === 0 ? [] : [{ ...step, kind: 'edit' as const, edits }]),
    ...(manual.length === 0 ? [] : [{ ...step, kind: 'manual' as const, addresses: manual }]),
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

export function checkAll(input: OrderInput): StepDraft {
  return {
    kind: 'check',
    title: 'Plan everything: no changes',
    why: 'an empty plan is the proof that nothing was lost',
    runs: [{ argv: terraform(input, 'plan', '-input=false', '-detailed-exitcode') }],
    expects: { plan: 'empty' },
  };
}

export function terraform({ dir }: OrderInput, ...args: readonly string[]): string[] {
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
