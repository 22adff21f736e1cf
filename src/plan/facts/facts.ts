import { type Finding } from '../../core/finding';
import { type FileEdit } from '../../tfconfig/file-edit';
import { type JsonBlocks } from '../../tfconfig/state-blocks';
import { type LegacyResource } from '../../tfstate/parse-state';
import { type ConfigBlock, type ResourceBlock } from '../../tfconfig/config';
import { type Configuration } from '../../project/read-configuration';
import { type DeclaredRulesetAddress, type NamedValues } from '../../project/declared-rulesets';
import { type WrittenRuleset } from '../../core/provider-majors';
import { type TerraformVersion } from '../../terraform/terraform-version';
import { type Reference } from '../../tfconfig/find-references';

/** How the state changes: by subcommands of Terraform, or by blocks in the configuration. */
export type Method = 'commands' | 'blocks';

/** Everything the planner knows about one state and its folder. read-facts.ts reads it once. */
export interface StateFacts {
  readonly name: string;
  /** Folder of the configuration, relative to the folder of the plan. */
  readonly dir: string;
  readonly workspace: string;
  /** `TF_DATA_DIR`, if set. */
  readonly dataDir?: string | undefined;
  /** Whether the folder was found, not named: a plan without a step for it leaves it out. */
  readonly isFound?: boolean;

  /** Whether the backend has a state. A new stack has none before its first import. */
  readonly exists: boolean;
  /** Whether the state has no resource of any type. */
  readonly isEmpty: boolean;
  readonly lineage: string;
  readonly serial: number;
  readonly terraformVersion: string;
  readonly legacyResources: readonly LegacyResource[];
  readonly rulesets: readonly OwnedRuleset[];
  /** Addresses of filters and firewall rules. Provider 5 cannot plan while a firewall rule is in the state. */
  readonly retired: readonly string[];
  /** Addresses of resources whose type the target provider does not support. The legacy and retired types are not among them. */
  readonly unsupported?: readonly string[];

  /** The configuration of the folder. Undefined if only the state is known. */
  readonly configuration?: Configuration | undefined;
  readonly declared: readonly DeclaredRulesetAddress[];
  /** Zones whose ruleset the files declare for other workspaces or environments. */
  readonly declaredElsewhere?: readonly string[];
  /** Addresses that `moved` blocks rename, without keys, and the state still has. */
  readonly pendingMoves: readonly string[];
  /** The modules that Terraform folders outside of the plan call too, with one of these folders. */
  readonly otherCallers?: ReadonlyMap<string, string>;
  /** Variables without a value. */
  readonly unsetVariables: readonly string[];
  /** What references in the root module give. */
  readonly values?: NamedValues;
  /** Those that another environment can give other values: from its variables, flags, or files that git does not track. */
  readonly givenValues?: ReadonlySet<string>;
  /** Whether a local backend has states of other workspaces. Undefined for other backends. */
  readonly hasWorkspaces?: boolean | undefined;
  /** Whether `terraform init -backend-config` selected the backend: another environment can have the same files. */
  readonly hasBackendConfig?: boolean;

  /** The Terraform or OpenTofu version. Undefined if it was not queried. */
  readonly binary?: TerraformVersion | undefined;
  /** The installed provider version (`3.35.0`), from the lock file or the user. */
  readonly installed: string | undefined;
  /** The provider version of the lock file, which `terraform import` uses. */
  readonly locked?: string | undefined;
  /** The provider version that the user selected. Defaults to the installed one. */
  readonly wanted: string | undefined;
}

/** A ruleset in a state. */
export interface OwnedRuleset {
  readonly address: string;
  readonly zoneId: string | undefined;
  readonly id: string | undefined;
  readonly phase?: string | undefined;
  /** Set for a ruleset of an account. */
  readonly accountId?: string | undefined;
  readonly hasRules?: boolean | undefined;
  /** Whether the next apply replaces it. */
  readonly isTainted?: boolean | undefined;
  /** How the state has it, which some later provider versions cannot read. */
  readonly written?: WrittenRuleset | undefined;
}

/** A zone of the plan. */
export interface PlannedZone {
  readonly zoneId: string;
  /** The domain, if the user or the API names it. */
  readonly name?: string | undefined;
  readonly rulesetId: string;
  /** The address that declares the ruleset, or will declare it. */
  readonly address: string;
  /** Returns the file that declares the ruleset in a state, with its path relative to the folder of the configuration. */
  readonly declare?:
    ((zone: OwnedZone) => { readonly path: string; readonly text: string } | undefined) | undefined;
  readonly findings?: readonly Finding[];
}

/** A zone with the state that has its ruleset, or will import it. */
export interface OwnedZone extends PlannedZone {
  readonly owner: StateFacts;
  /** Whether the state has the ruleset already, so that no import is planned. */
  readonly imported: boolean;
}

export interface PlanScope {
  readonly selected: readonly string[];
  /** The selected zones whose ruleset is in a state, or will be imported. */
  readonly owned: readonly OwnedZone[];
  /** The selected zones that are in no state. */
  readonly missing: readonly string[];
  /** The method that the user selected. A state without a zone of the plan keeps `commands`. */
  readonly method: Method;
  /** Whether the plan has only one state. */
  readonly isAlone: boolean;
}

export type ZonesOfBlocks = ReadonlyMap<ConfigBlock, ReadonlySet<string>>;

/** What the steps of a state are written from. A saved plan has these facts, but no {@link StateFacts}. */
export interface StepFacts {
  readonly exists: boolean;
  readonly dir: string;
  readonly configuration?: Configuration | undefined;
  /** Whether CDKTF generates the folder. Its files are then not edited. */
  readonly isSynthesised: boolean;
  /** The `import` and `removed` blocks of a CDKTF stack. */
  readonly stackBlocks?: JsonBlocks | undefined;
  readonly backup: string;
  /** Addresses to remove from state, including rulesets that {@link imports} imports again. */
  readonly removed: readonly string[];
  /** Rulesets of the planned zones that the state has, or will import. */
  readonly own: readonly Pick<PlannedZone, 'address'>[];
  /** Rulesets to check one by one, if a full plan would read remaining legacy resources. */
  readonly checkedAlone: readonly Pick<PlannedZone, 'address'>[] | undefined;
  /** How the blocks of the removed resources are removed from the files, if known. */
  readonly removal: BlockRemoval | undefined;
  readonly imports: readonly PlannedImport[];
  /** Provider major of the configuration when the ruleset is declared. */
  readonly provider: number;
  /** The target version, if its major differs from the installed one. */
  readonly upgradeTo: string | undefined;
}

/** All facts that decide the order, the steps and the findings of one state. */
export interface Facts extends StepFacts {
  readonly state: StateFacts;
  readonly scope: PlanScope;
  /** The installed and the target provider version. */
  readonly from: string;
  readonly to: string;
  readonly method: Method;
  /** Zones whose ruleset is in the state, or will be imported. */
  readonly own: readonly OwnedZone[];
  /** The zones whose ruleset is not in the state yet. */
  readonly entering: readonly OwnedZone[];
  /** Whether legacy resources of other zones are removed too: with method blocks, or because no plan works while one is left. */
  readonly removesAll: boolean;
  readonly removedResources: readonly LegacyResource[];
  /** Filters and firewall rules that are removed from state too. */
  readonly retiring: readonly string[];
  readonly legacyBlocks: readonly ResourceBlock[];
  readonly blockZones: ZonesOfBlocks;
  /** Missing provider configurations that legacy resources use. */
  readonly orphans: readonly string[];
  /** Whether the legacy resources were removed before. The plan then only imports the ruleset. */
  readonly removedBefore: boolean;
  /** Zones to import into a state that has lost their resources: their blocks are still in its files. */
  readonly lostZones: ReadonlySet<string>;
  /** Legacy blocks of the zones whose ruleset the state has or imports, without resources in it. */
  readonly lostBlocks: readonly ResourceBlock[];
  /** Whether nothing is removed from the state or imported. */
  readonly isIdle: boolean;
  readonly removal: PlannedRemoval | undefined;
  /** Legacy blocks that stay, without resources in the state. */
  readonly blocksWithoutResource: readonly ResourceBlock[];
}

export interface BlockRemoval {
  readonly edits: readonly FileEdit[];
  /** Addresses of the resources whose blocks are removed, including those not in the state. */
  readonly removedAddresses: readonly string[];
  /** Blocks that the user has to remove, as addresses or CDKTF construct paths. */
  readonly manual: readonly string[];
  /** The file and line of blocks, by address: `main.tf:12`. Empty in a CDKTF stack, whose files are generated. */
  readonly places?: Readonly<Record<string, string>>;
  /** What refers to blocks that are removed. A saved plan has them only as text. */
  readonly references?: readonly Reference[];
}

/** The removal, and what the user has to know about it. */
export interface PlannedRemoval extends BlockRemoval {
  readonly blocks: readonly ResourceBlock[];
  /** The real paths of their files. */
  readonly files: ReadonlySet<string>;
  /** Places of the outputs that are removed with the blocks. */
  readonly outputs: readonly string[];
  /** Keys of the outputs that stay, because something reads them, or they may not be edited. */
  readonly keptOutputs: readonly string[];
  readonly references: readonly Reference[];
  /** References to legacy blocks that are gone, which Terraform refuses. */
  readonly broken: readonly Reference[];
  /** Addresses whose block also declares resources that stay. */
  readonly shared: readonly string[];
  /** Addresses in modules that were not read. */
  readonly inModules: readonly string[];
  /** Addresses that the state has and the configuration no longer declares. */
  readonly undeclared: readonly string[];
}

export interface PlannedImport extends Pick<PlannedZone, 'zoneId' | 'name' | 'address'> {
  readonly importId: string;
  readonly declared: boolean;
  readonly edit?: FileEdit | undefined;
  /**
   * In a CDKTF stack: the provider configuration of its legacy resources, if it is not the default. A saved plan has it
   * only as text.
   */
  readonly provider?: string | undefined;
}
