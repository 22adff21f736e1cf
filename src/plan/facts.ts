import { type Finding } from '../core/finding';
import { type FileEdit } from '../tfconfig/plan-edit';
import { type LegacyResource } from '../tfstate/legacy-resources';
import { type ResourceBlock } from '../tfconfig/config';
import { type Configuration } from '../project/read-configuration';
import { type DeclaredRulesetAddress } from '../project/declared-rulesets';
import { type TerraformVersion } from '../core/provider-majors';
import { type PendingMove } from '../tfconfig/state-blocks';

/** How the state is changed: by subcommands of Terraform, or by blocks in the configuration. */
export type Method = 'commands' | 'blocks';

/** All that the planner knows of one state and the folder it belongs to: read once, by read/read-facts.ts. */
export interface StateFacts {
  readonly name: string;
  /** Folder of its configuration, relative to the folder of the plan. */
  readonly dir: string;
  readonly workspace: string;
  /** `TF_DATA_DIR`, where it is set. */
  readonly dataDir: string | undefined;

  /** Whether the backend holds a state at all: a new stack has none before its first import. */
  readonly exists: boolean;
  readonly lineage: string;
  readonly serial: number;
  readonly terraformVersion: string;
  readonly legacyResources: readonly LegacyResource[];
  readonly rulesets: readonly OwnedRuleset[];
  /** Names of the zones that the state has as `cloudflare_zone`, by id. */
  readonly zoneNames: ReadonlyMap<string, string>;
  /** Filters and firewall rules, which provider 5 cannot plan with. */
  readonly retired: readonly RetiredResource[];
  /** Addresses of resources whose type the wanted provider does not know, those of the legacy WAF aside. */
  readonly unknownEntries: readonly string[];
  /** Page rules that switch the legacy WAF, by address. */
  readonly pageRules: readonly string[];
  /** Settings of zones that hold the switch of the legacy WAF, by address. */
  readonly wafSettings: readonly string[];

  /** The files of its folder; undefined where only the state is known. */
  readonly configuration: Configuration | undefined;
  /** Rulesets of the managed phase that the configuration declares. */
  readonly declared: readonly DeclaredRulesetAddress[];
  /** `moved` blocks that are not applied yet. */
  readonly pendingMoves: readonly PendingMove[];
  /** The other workspaces of a local backend that are in use. */
  readonly otherWorkspaces: readonly OtherWorkspace[];
  /** Other stacks of its CDKTF project, where its provider is to change; folders relative to that of the plan. */
  readonly otherStacks: readonly { readonly name: string; readonly dir: string }[];

  /** The binary that works on the state, where it was asked. */
  readonly binary: TerraformVersion | undefined;
  /** The version of the provider that is installed (`3.35.0`), where a lock file or the user says so. */
  readonly installed: string | undefined;
  /** The version that the user wants; the installed one otherwise. */
  readonly wanted: string | undefined;
}

/** A ruleset that a state owns. */
export interface OwnedRuleset {
  readonly address: string;
  readonly zoneId: string | undefined;
  readonly id: string | undefined;
  readonly phase?: string | undefined;
  /** Of a ruleset of an account. */
  readonly accountId?: string | undefined;
  /** Whether provider 3 or 4 wrote it: not every version of 5 can read that. */
  readonly precedesFive?: boolean | undefined;
}

/** A filter or a firewall rule. */
export interface RetiredResource {
  readonly type: string;
  readonly address: string;
}

/** Another workspace of a folder, whose state holds something. */
export interface OtherWorkspace {
  readonly name: string;
  /** The addresses of its legacy resources. */
  readonly legacyResources: readonly string[];
  readonly rulesets: readonly OwnedRuleset[];
}

/** A zone that the plan is for. */
export interface PlannedZone {
  readonly zoneId: string;
  /** Its domain, where the user or a state names it. */
  readonly name?: string | undefined;
  readonly rulesetId: string;
  /** Where the ruleset is declared, or will be. */
  readonly address: string;
  /** What it is called live, where it was read. */
  readonly live?:
    | { readonly name?: string | undefined; readonly kind: string; readonly phase: string }
    | undefined;
  /** The file that declares it, path relative to the folder of its configuration. */
  readonly declaration?: { readonly path: string; readonly text: string } | undefined;
}

/** A zone with the one state that owns, or is to own, its ruleset. */
export interface OwnedZone extends PlannedZone {
  readonly owner: StateFacts;
  /** Whether that state owns it already: then no import is planned. */
  readonly imported: boolean;
}

/** What is asked for, the same for each state. */
export interface PlanScope {
  /** The zones that are asked for; none where only what keeps Terraform from planning is to go. */
  readonly asked: readonly string[];
  /** Those of them whose ruleset is known. */
  readonly zones: readonly PlannedZone[];
  /** Those that a state owns, or is to own. */
  readonly owned: readonly OwnedZone[];
  readonly method: Method | 'auto';
  /** Whether the plan has one state. */
  readonly isAlone: boolean;
}

/** What leaves a state, and why: all that is known before other states are looked at. */
export interface Departure {
  readonly state: StateFacts;
  /** Provider versions: installed, and wanted. */
  readonly from: string;
  readonly to: string;
  readonly method: Method;
  /** Zones whose ruleset the state owns, or is to own. */
  readonly own: readonly OwnedZone[];
  /** Those of them whose ruleset is not in the state yet. */
  readonly imports: readonly OwnedZone[];
  /** Legacy resources and data sources that the files declare. */
  readonly legacyBlocks: readonly ResourceBlock[];
  /** Provider configurations that legacy resources are bound to and the files no longer have, with how many. */
  readonly orphans: ReadonlyMap<string, number>;
  /** Rulesets that are removed, and imported again by the provider of the plan. */
  readonly reimported: readonly OwnedRuleset[];
  /**
   * Whether no legacy resource can stay, of any zone: provider 4 and 5 cannot plan while one is in the state.
   */
  readonly leavesAll: boolean;
  /** What keeps Terraform from planning, in words; empty where zones are asked for. */
  readonly blockages: readonly string[];
  readonly leaving: readonly LegacyResource[];
}

/** Everything that order, steps and findings of one state are decided by. */
export interface Facts extends Departure {
  readonly scope: PlanScope;
  /** With the asked zones of which nothing was looked up, because the state owns their rulesets. */
  readonly rulesets: readonly OwnedZone[];
  /** Whether all that is left to do is to import its rulesets again. */
  readonly importsAgain: boolean;
  /** Filters and firewall rules that leave with the rest. */
  readonly retiring: readonly RetiredResource[];
  /** Whether the legacy resources left before: nothing is in the state, and the ruleset is imported. */
  readonly leftBefore: boolean;
  /** How the blocks of what leaves leave the files. */
  readonly removal: PlannedRemoval | undefined;
  /** Legacy blocks of which the state holds nothing, and that stay. */
  readonly unheld: readonly string[];
  /** `import` and `removed` blocks that have done their work. */
  readonly doneBlocks: DoneBlocks;
  /** Whether nothing leaves or enters the state. */
  readonly isIdle: boolean;
}

/** `import` and `removed` blocks that have done their work. */
export interface DoneBlocks {
  readonly edits: readonly FileEdit[];
  /** Of a CDKTF stack, which the user edits: `import <address>`, `removed <address>`. */
  readonly overrides: readonly string[];
}

/** How the legacy blocks leave the files: what can be edited, and what is left to the user. */
export interface PlannedRemoval {
  readonly edits: readonly FileEdit[];
  /** Addresses of the resources whose blocks go, also those of which the state holds nothing. */
  readonly going: readonly string[];
  /** Blocks that the user has to remove, as addresses, or construct paths of CDKTF. */
  readonly manual: readonly string[];
  /** The difference that removes the blocks that are referred to, and the outputs that refer to them. */
  readonly diff: string;
  readonly findings: readonly Finding[];
}

/** A ruleset to import, and whether the configuration declares it already. */
export interface PlannedImport extends PlannedZone {
  readonly importId: string;
  readonly declared: boolean;
  /** The file that declares it, where its text is known. */
  readonly edit?: FileEdit | undefined;
}

/** What the steps of one state are written from: by `plan`, and again when a saved plan is read. */
export interface StepFacts {
  /** Whether there is a state to back up. */
  readonly exists: boolean;
  readonly dir: string;
  /** Its files, where these are known. */
  readonly configuration?: Configuration | undefined;
  /** Whether CDKTF writes the folder: nothing in it is edited then. */
  readonly isSynthesised: boolean;
  readonly backup: string;
  /** Addresses that are removed from the state, also of rulesets that {@link imports} imports again. */
  readonly leaving: readonly string[];
  /** The rulesets to check one by one, where legacy resources stay and a full plan would read them. */
  readonly staying: readonly Pick<PlannedZone, 'address'>[] | undefined;
  /** How the blocks of what leaves are removed from the files, where these are known. */
  readonly removal: Pick<PlannedRemoval, 'edits' | 'going' | 'manual' | 'diff'> | undefined;
  readonly doneBlocks: DoneBlocks;
  readonly imports: readonly PlannedImport[];
  /** Provider major that the configuration is for when the ruleset is declared. */
  readonly provider: number;
  /** The version to change to, where it is another major than the installed one. */
  readonly upgradeTo: string | undefined;
}
