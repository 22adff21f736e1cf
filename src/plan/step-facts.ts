import { providerMajors } from '../core/provider-majors';
import { type Configuration } from '../project/read-configuration';
import { type FileEdit, planNewFile } from '../tfconfig/plan-edit';
import { isSynthesised } from '../tfconfig/synthesised';
import {
  type DoneBlocks,
  type Facts,
  type OwnedRuleset,
  type PlannedRemoval,
  type PlannedZone,
  type StateFacts,
} from './facts';
import { backupFile, inFolder } from './paths';
import { majorOf } from './provider-versions';

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

/** The edit that writes the ruleset, where its text is known and no file of the name exists. */
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
