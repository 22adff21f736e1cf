import { type FileEdit } from '../../blocks/plan-edit';
import { type Configuration } from '../configuration';
import { type PlannedRemoval } from '../edit-configuration';
import { type PlannedZone } from '../planned-state';

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
