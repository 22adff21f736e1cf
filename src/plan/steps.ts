import { withoutKeys } from '../core/resource-address';
import { isSynthesised } from '../tfconfig/synthesised';
import { type Configuration } from '../project/read-configuration';
import { providerMajors } from '../core/provider-majors';
import { type FileEdit, planNewFile } from '../tfconfig/plan-edit';
import {
  type Facts,
  type OwnedRuleset,
  type PlannedZone,
  type StateFacts,
  type DoneBlocks,
  type PlannedRemoval,
} from './facts';
import { backupFile, type Run, type StepDraft } from './plan';
import { majorOf } from './provider-versions';

/** A ruleset to import, and whether the configuration declares it already. */
export interface PlannedImport extends PlannedZone {
  readonly importId: string;
  readonly declared: boolean;
  /** The file that declares it, where its text is known. */
  readonly edit?: FileEdit | undefined;
}

/** What the steps of one state are written from: by a plan, and once more where a saved plan is read. */
export interface StepFacts {
  /** Whether there is a state to back up. */
  readonly exists: boolean;
  readonly dir: string;
  /** Its files, where these are known. */
  readonly configuration?: Configuration | undefined;
  /** Whether CDKTF writes the folder: nothing in it is edited then. */
  readonly isSynthesised: boolean;
  readonly backup: string;
  /** Addresses that are removed from the state: also of rulesets that {@link imports} imports again. */
  readonly leaving: readonly string[];
  /** Where legacy resources stay, and a full plan would read them: the rulesets, which are planned alone. */
  readonly staying: readonly Pick<PlannedZone, 'address'>[] | undefined;
  /** How the blocks of what leaves leave the files, where these are known. */
  readonly removal: Pick<PlannedRemoval, 'edits' | 'going' | 'manual' | 'diff'> | undefined;
  readonly doneBlocks: DoneBlocks;
  readonly imports: readonly PlannedImport[];
  /** Provider major that the configuration is for when the ruleset is declared. */
  readonly provider: number;
  /** The version to change to, where it is another major than the installed one. */
  readonly upgradeTo: string | undefined;
}

/** The facts of the steps of one state. */
export function stepFactsOf(facts: Facts): StepFacts {
  const { state, from, to, own, imports, leaving, retiring, reimported, removal, scope } = facts;
  const { exists, dir, configuration, legacyResources } = state;
  const { importId } = providerMajors[majorOf(to)];
  const isStack = configuration !== undefined && isSynthesised(configuration.project);
  const isPart = scope.asked.length > 0 && leaving.length < legacyResources.length;
  return {
    exists,
    dir,
    configuration,
    isSynthesised: isStack,
    backup: backupFile(state, state.serial),
    leaving: [
      ...new Set([...leaving, ...retiring].map(({ address }) => address)),
      ...reimported.map(({ address }) => address),
    ],
    staying: isPart ? own : undefined,
    removal,
    doneBlocks: facts.doneBlocks,
    imports: [
      ...reimported.map((ruleset) => importAgain(ruleset, importId)),
      ...imports.map((zone) => ({
        ...zone,
        importId: importId(zone.zoneId, zone.rulesetId),
        declared: state.declared.some(({ address }) => address === zone.address),
        edit: isStack ? undefined : declarationEdit(state, zone),
      })),
    ],
    provider: majorOf(to),
    upgradeTo: majorOf(to) > majorOf(from) ? to : undefined,
  };
}

/** A ruleset that is imported again at its address, where the configuration declares it. */
function importAgain(
  { address, id = '', zoneId, accountId = '' }: OwnedRuleset,
  ofZone: (zoneId: string, rulesetId: string) => string,
): PlannedImport {
  const importId = zoneId === undefined ? `accounts/${accountId}/${id}` : ofZone(zoneId, id);
  return { zoneId: zoneId ?? accountId, rulesetId: id, address, importId, declared: true };
}

/** The edit that writes the ruleset, where its text is known and no file of the name is there. */
function declarationEdit(
  { dir, configuration, declared }: StateFacts,
  { declaration, address }: PlannedZone,
): FileEdit | undefined {
  if (declared.some((one) => one.address === address)) return undefined;
  if (declaration === undefined || configuration === undefined) return undefined;
  const path = inFolder(dir, declaration.path);
  const { files } = configuration.project.rootModule;
  return files.some((file) => file.path === path) ? undefined : planNewFile(path, declaration.text);
}

/** Nothing where there is no state yet. */
export function backup(facts: StepFacts): StepDraft[] {
  if (!facts.exists) return [];
  return [
    {
      kind: 'backup',
      title: 'Back up the state',
      why: 'remote backends keep no backup of `state rm`, and local ones overwrite theirs',
      runs: [{ argv: terraform(facts, 'state', 'pull'), saveTo: facts.backup }],
    },
  ];
}

/** Nothing where the state owns every ruleset already, or the configuration declares it. */
export function declareRulesets(facts: StepFacts): StepDraft[] {
  return undeclared(facts).map((zone) => {
    const step = {
      title: `Declare the ruleset of zone ${zone.zoneId} as ${zone.address}`,
      why: facts.isSynthesised
        ? `the command writes a construct of what is live, and prints the line that puts it into the stack: add it to the stack of ${facts.dir}, and synthesise`
        : 'it exists already: declare exactly what is live, or the first plan changes or replaces it',
      addresses: [zone.address],
    };
    return zone.edit === undefined
      ? { ...step, kind: 'manual', runs: [generateRun(facts, zone)] }
      : { ...step, kind: 'edit', edits: [zone.edit] };
  });
}

export function undeclared({ imports }: StepFacts): PlannedImport[] {
  return imports.filter(({ declared }) => !declared);
}

/** In a stack the ruleset is a construct of it: a stack of its own would have a state of its own. */
export function generateRun(
  { provider, dir, isSynthesised: isStack }: StepFacts,
  { zoneId, address }: PlannedZone,
): Run {
  const format = isStack ? 'construct' : 'hcl';
  const out = isStack ? `${projectOf(dir)}constructs` : dir;
  return {
    argv: [
      ...['cf-waf-migrate', 'generate', '--zone', zoneId, '--source', 'live'],
      ...['--provider', String(provider), '--format', format, '--address', address, '--out', out],
    ],
  };
}

/** Where the project of a synthesised folder lies, which is `<output>/stacks/<stack>` in it (cdktf 0.21). */
function projectOf(dir: string): string {
  if (dir === '.') return '../../../';
  const output = dir.search(/[^/]+\/stacks\/[^/]+$/);
  return output === -1 ? '' : dir.slice(0, output);
}

export function importRulesets(facts: StepFacts): StepDraft[] {
  return facts.imports.map(({ address, importId }) => ({
    kind: 'import',
    title: `Import the ruleset as ${address}`,
    why: 'the entry point exists since the zone was migrated: creating it would collide',
    runs: [{ argv: terraform(facts, 'import', '-input=false', address, importId) }],
    addresses: [address],
    importId,
    expects: { present: [address] },
  }));
}

export function checkRulesets(
  place: Pick<StepFacts, 'dir'>,
  rulesets: readonly Pick<PlannedZone, 'address'>[],
): StepDraft[] {
  return rulesets.map(({ address }) => ({
    kind: 'check',
    title: `Plan ${address} alone: no changes`,
    why: 'the full plan would call the legacy API, which no longer answers',
    runs: [{ argv: [...planCommand(place), '-detailed-exitcode', `-target=${address}`] }],
    expects: { plan: 'target-empty' },
  }));
}

export function checkAll(place: Pick<StepFacts, 'dir'>): StepDraft {
  return {
    kind: 'check',
    title: 'Plan everything: no changes',
    why: 'an empty plan is the proof that nothing was lost',
    runs: [{ argv: [...planCommand(place), '-detailed-exitcode'] }],
    expects: { plan: 'empty' },
  };
}

export function remove(facts: StepFacts): StepDraft[] {
  const { leaving } = facts;
  if (leaving.length === 0) return [];
  const runs = (...flags: string[]): Run[] =>
    chunks(leaving).map((addresses) => ({
      argv: terraform(facts, 'state', 'rm', ...flags, ...addresses),
    }));
  return [
    {
      kind: 'remove-dry-run',
      title: 'Rehearse the removal',
      why: 'prints what would be removed and changes nothing',
      runs: runs('-dry-run'),
      addresses: leaving,
    },
    {
      kind: 'remove',
      ...removalTexts(facts),
      runs: runs(),
      addresses: leaving,
      expects: { gone: leaving },
    },
  ];
}

function removalTexts(facts: StepFacts): Pick<StepDraft, 'title' | 'why'> {
  const { leaving, provider } = facts;
  const legacy = withoutImported(facts).length;
  const why =
    'destroying them would restore the defaults of the legacy WAF; removing them from state sends no request';
  if (legacy === leaving.length)
    return { title: 'Remove the legacy resources from the state', why };
  const again = `provider ${provider} may fail to read rulesets of another version: they are imported again below`;
  return legacy === 0
    ? { title: 'Remove the rulesets from the state', why: again }
    : {
        title: 'Remove the legacy resources and the rulesets from the state',
        why: `${why}; ${again}`,
      };
}

/** What leaves the state for good. */
function withoutImported({ leaving, imports }: StepFacts): string[] {
  const imported = new Set(imports.map(({ address }) => address));
  return leaving.filter((address) => !imported.has(address));
}

/** An edit where the files are known and nothing refers to the blocks; by hand otherwise. */
export function deleteBlocks(facts: StepFacts): StepDraft[] {
  const step = {
    title: 'Remove the legacy blocks from the configuration',
    why: 'left there, Terraform would plan to create them again, or refuse their type',
  };
  const blocks = [...new Set(withoutImported(facts).map(withoutKeys))];
  const { edits, manual, diff } = facts.removal ?? { edits: [], manual: blocks, diff: '' };
  const byHand =
    diff === ''
      ? step
      : {
          title: 'Change what refers to these blocks, then remove them',
          why: 'BLOCK_REFERENCED lists each reference; the diff removes the blocks, and the outputs that refer to them',
          code: diff,
        };
  return [
    ...(edits.length === 0 ? [] : [{ ...step, kind: 'edit' as const, edits }]),
    ...(manual.length === 0 ? [] : [{ ...byHand, kind: 'manual' as const, addresses: manual }]),
  ];
}

/** Nothing where the major stays. */
export function upgradeProvider(facts: StepFacts): StepDraft[] {
  const version = facts.upgradeTo;
  if (version === undefined) return [];
  return [
    {
      kind: 'upgrade-provider',
      ...(facts.isSynthesised
        ? {
            title: `Use bindings of provider ${majorOf(version)} (package.json, or terraformProviders of cdktf.json), synthesise and install it`,
            why: `this tool never edits a program; the legacy resources are removed now. Bindings from npm ask for one version (the last for 4.52.0 and 5.14.0): stack.addOverride('terraform.required_providers.cloudflare.version', '${version}') asks for this one`,
          }
        : {
            title: `Set the version constraint of the provider to ${version} and install it`,
            why: 'this tool never edits required_providers; the legacy resources are removed now',
          }),
      runs: [{ argv: terraform(facts, 'init', '-upgrade', '-input=false') }],
      provider: version,
    },
  ];
}

/** After method blocks: an edit of the files, or of a stack by hand. */
export function removeDoneBlocks({ doneBlocks }: Pick<StepFacts, 'doneBlocks'>): StepDraft[] {
  const { edits, overrides } = doneBlocks;
  const why = 'they have done their work: the state matches them';
  return [
    ...(edits.length === 0
      ? []
      : [
          {
            kind: 'edit' as const,
            title: 'Remove the import and removed blocks from the configuration',
            why,
            edits,
          },
        ]),
    ...(overrides.length === 0
      ? []
      : [
          {
            kind: 'manual' as const,
            title: 'Remove the import and removed overrides from the stack, and synthesise it',
            why,
            addresses: overrides,
          },
        ]),
  ];
}

export function planCommand(place: Pick<StepFacts, 'dir'>): string[] {
  return terraform(place, 'plan', '-input=false');
}

/** A command of Terraform in the folder of a state. */
export function terraform({ dir }: Pick<StepFacts, 'dir'>, ...args: readonly string[]): string[] {
  return ['terraform', ...(dir === '.' ? [] : [`-chdir=${dir}`]), ...args];
}

export function inFolder(dir: string, name: string): string {
  return dir === '.' ? name : `${dir}/${name}`;
}

/** Most characters of one command: Windows takes 32,767, Linux and macOS far more. */
const LONGEST_COMMAND = 30_000;

/** The addresses in as few commands as fit. */
function chunks(addresses: readonly string[]): string[][] {
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
