import { type Configuration, type DeclaredRulesetAddress } from '../project/configuration';
import { type OldResource } from '../tfstate/pick-old-resources';
import { type PendingMove } from '../tfconfig/pending-moves';
import { type TerraformVersion } from '../core/version-range';

/** A ruleset that a state already owns. */
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

/** A resource whose interface is retired. */
export interface RetiredResource {
  readonly type: string;
  readonly address: string;
}

/** A stack that is synthesised together with another one. */
export interface OtherStack {
  readonly name: string;
  /** Relative to the folder of the plan. */
  readonly dir: string;
}

/** Another workspace of a folder, whose state holds something. */
export interface OtherWorkspace {
  readonly name: string;
  /** The addresses of its old resources. */
  readonly oldResources: readonly string[];
  readonly rulesets: readonly OwnedRuleset[];
}

/** All that the planner needs to know of one state and the folder it belongs to. */
export interface PlannedState {
  readonly name: string;
  readonly dir: string;
  readonly workspace: string;
  /** `TF_DATA_DIR`, where it is set. */
  readonly dataDir?: string | undefined;
  readonly lineage: string;
  readonly serial: number;
  readonly terraformVersion: string;
  readonly oldResources: readonly OldResource[];
  readonly rulesets: readonly OwnedRuleset[];
  /** Whether the backend holds a state at all: a new stack has none before its first import. */
  readonly exists: boolean;
  /** The files of its folder; undefined where only the state is known. */
  readonly configuration?: Configuration | undefined;
  /** Rulesets of the managed phase that the configuration declares, where it is known. */
  readonly declared: readonly DeclaredRulesetAddress[];
  /** Filters and firewall rules, which provider 5 cannot plan with. */
  readonly retired: readonly RetiredResource[];
  /** Addresses of resources whose type the provider of the plan does not know, those of the legacy WAF aside. */
  readonly unknownEntries?: readonly string[] | undefined;
  /** Page rules that switch the old WAF, by address. */
  readonly pageRules?: readonly string[] | undefined;
  /** Settings of zones that hold the switch of the old WAF, by address. */
  readonly wafSettings?: readonly string[] | undefined;
  /** `moved` blocks that are not applied yet. */
  readonly pendingMoves?: readonly PendingMove[] | undefined;
  /** The other workspaces of its folder that are in use, as far as they are known. */
  readonly otherWorkspaces?: readonly OtherWorkspace[] | undefined;
  /** Other stacks of its CDKTF project, where its provider is to change. */
  readonly otherStacks?: readonly OtherStack[] | undefined;
  /** The binary that works on the state, where it was asked. */
  readonly binary?: TerraformVersion | undefined;
  /** The version of the provider that is installed (`3.35.0`), where a lock file or the user says so. */
  readonly installed: string | undefined;
  /** The version that the user wants; the installed one otherwise. */
  readonly wanted: string | undefined;
}

/** A zone that the plan is for. */
export interface PlannedZone {
  readonly zoneId: string;
  readonly rulesetId: string;
  /** Where the ruleset is, or is to be, declared. */
  readonly address: string;
  /** What it is called live, where it was read. */
  readonly live?:
    | { readonly name?: string | undefined; readonly kind: string; readonly phase: string }
    | undefined;
  /** The file that declares it, path relative to the folder of its configuration. */
  readonly declaration?: { readonly path: string; readonly text: string } | undefined;
}
