import { type Finding } from '../core/finding';
import { type FileEdit } from '../tfconfig/plan-edit';
import { type LegacyResource } from '../tfstate/legacy-resources';
import { type ResourceBlock } from '../tfconfig/config';
import { type Configuration } from '../project/read-configuration';
import { type DeclaredRulesetAddress } from '../project/declared-rulesets';
import { type TerraformVersion } from '../core/provider-majors';
import { type PendingMove } from '../tfconfig/state-blocks';

/** How the state changes: by subcommands of Terraform, or by blocks in the configuration. */
export type Method = 'commands' | 'blocks';

/** Everything the planner knows about one state and its folder. read/read-facts.ts reads it once. */
export interface StateFacts {
  readonly name: string;
  /** Folder of the configuration, relative to the folder of the plan. */
  readonly dir: string;
  readonly workspace: string;
  /** `TF_DATA_DIR`, if set. */
  readonly dataDir: string | undefined;

  /** Whether the backend has a state. A new stack has none before its first import. */
  readonly exists: boolean;
  readonly lineage: string;
  readonly serial: number;
  readonly terraformVersion: string;
  readonly legacyResources: readonly LegacyResource[];
  readonly rulesets: readonly OwnedRuleset[];
  /** Names of the `cloudflare_zone` resources in the state, by zone id. */
  readonly zoneNames: ReadonlyMap<string, string>;
  /** Filters and firewall rules. Provider 5 cannot plan while they are in the state. */
  readonly retired: readonly RetiredResource[];
  /** Addresses of resources whose type the target provider does not know, without those of the legacy WAF. */
  readonly unknownEntries: readonly string[];
  /** Addresses of page rules that switch the legacy WAF. */
  readonly pageRules: readonly string[];

  /** The configuration of the folder. Undefined if only the state is known. */
  readonly configuration: Configuration | undefined;
  /** Rulesets of the managed phase in the configuration. */
  readonly declared: readonly DeclaredRulesetAddress[];
  /** Variables without a value, if no flag for Terraform sets one. */
  readonly unsetVariables: readonly string[];
  /** `moved` blocks that are not applied yet. */
  readonly pendingMoves: readonly PendingMove[];
  /** The other workspaces of a local backend that are in use. */
  readonly otherWorkspaces: readonly OtherWorkspace[];

  /** The Terraform or OpenTofu version. Undefined if it was not queried. */
  readonly binary: TerraformVersion | undefined;
  /** The installed provider version (`3.35.0`), from the lock file or the user. */
  readonly installed: string | undefined;
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
  /** Whether provider 3 or 4 wrote it. Some versions of provider 5 cannot read it. */
  readonly precedesFive?: boolean | undefined;
}

/** A filter or a firewall rule. */
export interface RetiredResource {
  readonly type: string;
  readonly address: string;
}

/** Another workspace of a folder with resources in its state. */
export interface OtherWorkspace {
  readonly name: string;
  /** The addresses of its legacy resources. */
  readonly legacyResources: readonly string[];
  readonly rulesets: readonly OwnedRuleset[];
}

/** A zone of the plan. */
export interface PlannedZone {
  readonly zoneId: string;
  /** The domain, if the user or a state names it. */
  readonly name?: string | undefined;
  readonly rulesetId: string;
  /** The address that declares the ruleset, or will declare it. */
  readonly address: string;
  /** The properties of the live ruleset. Undefined if it was not read. */
  readonly live?:
    | { readonly name?: string | undefined; readonly kind: string; readonly phase: string }
    | undefined;
  /** The file that declares the ruleset, relative to the folder of the configuration. */
  readonly declaration?: { readonly path: string; readonly text: string } | undefined;
}

/** A zone with the state that has its ruleset, or will import it. */
export interface OwnedZone extends PlannedZone {
  readonly owner: StateFacts;
  /** Whether the state has the ruleset already, so that no import is planned. */
  readonly imported: boolean;
}

/** What the user selected, the same for each state. */
export interface PlanScope {
  /** The selected zones. Empty if the plan only removes what stops `terraform plan`. */
  readonly asked: readonly string[];
  /** The selected zones whose ruleset is known. */
  readonly zones: readonly PlannedZone[];
  /** The selected zones whose ruleset is in a state, or will be imported. */
  readonly owned: readonly OwnedZone[];
  readonly method: Method | 'auto';
  /** Whether the plan has only one state. */
  readonly isAlone: boolean;
}

/** What is removed from a state and why, before other states are considered. */
export interface Departure {
  readonly state: StateFacts;
  /** The installed and the target provider version. */
  readonly from: string;
  readonly to: string;
  readonly method: Method;
  /** Zones whose ruleset is in the state, or will be imported. */
  readonly own: readonly OwnedZone[];
  /** The zones whose ruleset is not in the state yet. */
  readonly imports: readonly OwnedZone[];
  /** Legacy resources and data sources in the files. */
  readonly legacyBlocks: readonly ResourceBlock[];
  /** Missing provider configurations that legacy resources use, with the number of these resources. */
  readonly orphans: ReadonlyMap<string, number>;
  /** Rulesets that are removed from state, and imported again with the target provider. */
  readonly reimported: readonly OwnedRuleset[];
  /** Whether the legacy resources of all zones are removed. Provider 4 and 5 cannot plan while one is in the state. */
  readonly leavesAll: boolean;
  /** What stops `terraform plan`, as texts. Empty if zones are selected. */
  readonly blockages: readonly string[];
  readonly leaving: readonly LegacyResource[];
}

/** All facts that decide the order, steps and findings of one state. */
export interface Facts extends Departure {
  readonly scope: PlanScope;
  /** Includes the selected zones without a lookup, whose rulesets are in the state. */
  readonly rulesets: readonly OwnedZone[];
  /** Whether the only remaining work is to import the rulesets again. */
  readonly importsAgain: boolean;
  /** Filters and firewall rules that are removed from state too. */
  readonly retiring: readonly RetiredResource[];
  /** Whether the legacy resources were removed before. The plan then only imports the ruleset. */
  readonly leftBefore: boolean;
  /** How the blocks of the removed resources are removed from the files. */
  readonly removal: PlannedRemoval | undefined;
  /** Legacy blocks that stay, without resources in the state. */
  readonly unheld: readonly string[];
  /** Whether nothing is removed from the state or imported. */
  readonly isIdle: boolean;
}

/** How the legacy blocks are removed from the files: by edits, and by the user. */
export interface PlannedRemoval {
  readonly edits: readonly FileEdit[];
  /** Addresses of the resources whose blocks are removed, including those not in the state. */
  readonly going: readonly string[];
  /** Blocks that the user has to remove, as addresses or CDKTF construct paths. */
  readonly manual: readonly string[];
  /** The diff that removes the referenced blocks, and the outputs that refer to them. */
  readonly diff: string;
  readonly findings: readonly Finding[];
}

/** A ruleset to import, and whether the configuration declares it already. */
export interface PlannedImport extends PlannedZone {
  readonly importId: string;
  readonly declared: boolean;
  /** The edit that declares the ruleset, if its text is known. */
  readonly edit?: FileEdit | undefined;
}

/** The input of the steps of one state, from `plan` or from a saved plan. */
export interface StepFacts {
  /** Whether there is a state to back up. */
  readonly exists: boolean;
  readonly dir: string;
  /** The configuration, if known. */
  readonly configuration?: Configuration | undefined;
  /** Whether CDKTF generates the folder. Its files are then not edited. */
  readonly isSynthesised: boolean;
  readonly backup: string;
  /** Addresses to remove from state, including rulesets that {@link imports} imports again. */
  readonly leaving: readonly string[];
  /** Rulesets to check one by one, if a full plan would read remaining legacy resources. */
  readonly staying: readonly Pick<PlannedZone, 'address'>[] | undefined;
  /** How the blocks of the removed resources are removed from the files, if known. */
  readonly removal: Pick<PlannedRemoval, 'edits' | 'going' | 'manual' | 'diff'> | undefined;
  readonly imports: readonly PlannedImport[];
  /** Provider major of the configuration when the ruleset is declared. */
  readonly provider: number;
  /** The target version, if its major differs from the installed one. */
  readonly upgradeTo: string | undefined;
}
