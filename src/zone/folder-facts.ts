import { existsSync } from 'node:fs';
import { isIdentifier } from '../core/identifier';
import { type Finding } from '../core/finding';
import { listed } from '../core/lists';
import { MigrationError } from '../core/migration-error';
import { findProviderMajor, type ProviderMajor } from '../core/provider-majors';
import { printable } from '../core/printable';
import { partsBefore, withoutKeys } from '../core/resource-address';
import { MANAGED_PHASE } from '../core/ruleset';
import { followLinks, planFolder } from '../files/paths';
import { type StateFacts } from '../plan/facts/facts';
import { zonesWithLegacyResources } from '../plan/make-plan';
import { isEntryPointOf, isInOtherBlock } from '../plan/facts/ruleset-address';
import { isUndeclared, undeclaredAmong } from '../plan/facts/plan-removal';
import { canDestroy } from '../plan/facts/provider-versions';
import {
  misplacedRuleset,
  REVERTED,
  taintedRuleset,
} from '../plan/findings/state-ruleset-findings';
import { zonesOfBlocks } from '../plan/facts/zones-of-blocks';
import { factsWithoutState, readStateOfDir } from '../plan/facts/read-facts';
import { declaredRulesets, isOfOtherProvider, laterMajor } from '../project/declared-rulesets';
import { constraintExcluding, constraintWithin } from '../project/provider-version';
import { requireConfiguration } from '../project/read-configuration';
import { type TerraformSettings } from '../terraform/run-terraform';
import { type ConfigBlock, type ConfigProject } from '../tfconfig/config';
import { findBlocks } from '../tfconfig/find-blocks';
import { startsOf } from '../tfconfig/state-blocks';
import { type LegacyResource } from '../tfstate/parse-state';

export interface FolderFacts extends StateFacts {
  readonly unread?: MigrationError;
  /** The zones of each legacy block. */
  readonly blockZones: readonly ReadonlySet<string>[];
  /** The legacy blocks that no zone is known of. */
  readonly blocksWithoutZone: readonly ConfigBlock[];
  /** What an apply would destroy or replace. */
  readonly losses: readonly Finding[];
}

/**
 * Reads the state and the configuration of a Terraform folder; an unreadable state counts as empty.
 * @param dir absolute path
 * @param cwd the folder that shown paths are relative to
 */
export async function readFolder(
  dir: string,
  terraform: TerraformSettings,
  cwd: string,
): Promise<FolderFacts> {
  if (!existsSync(dir)) {
    const message = `the folder ${printable(planFolder(cwd, dir), 200)} does not exist`;
    throw new MigrationError('FILE_UNREADABLE', message, {
      hint: 'correct --dir, or the column dir of the list',
    });
  }
  const facts = await readStateOfDir(dir, terraform, {}, cwd).catch(async (unread: unknown) => {
    if (!(unread instanceof MigrationError) || unread.code.startsWith('CONFIG_')) throw unread;
    const place = planFolder(cwd, await followLinks(dir));
    const configuration = await requireConfiguration(place, cwd);
    const declared = configuration === undefined ? [] : declaredRulesets(configuration);
    return { ...factsWithoutState(place), configuration, declared, unread };
  });
  return withConsequences(facts);
}

/** Derives once what follows from a folder for all its zones. */
export function withConsequences(facts: StateFacts): FolderFacts {
  const { configuration, legacyResources, values } = facts;
  const zones = zonesOfBlocks(configuration, legacyResources, values);
  return {
    ...facts,
    blockZones: [...zones.values()],
    blocksWithoutZone: [...zones].flatMap(([block, own]) => (own.size === 0 ? block : [])),
    losses: findLosses(facts),
  };
}

/**
 * Whether Terraform refuses each plan with the installed provider: the version constraint, or the syntax of a declared
 * ruleset, is of another version.
 */
export function requiresOtherProvider(facts: FolderFacts): boolean {
  const { installed = '', locked, configuration, declared } = facts;
  const major = findProviderMajor(installed);
  if (major === undefined || configuration === undefined) return false;
  return (
    constraintExcluding([major], configuration.project) !== undefined ||
    (locked !== undefined && constraintWithin(locked, configuration.project) !== undefined) ||
    declared.some((one) => isOfOtherProvider(one, major))
  );
}

/** The provider version that a declared ruleset is written for, if it is later than the installed one. */
export function requiredMajor({
  installed = '',
  declared,
}: FolderFacts): ProviderMajor | undefined {
  const major = findProviderMajor(installed);
  if (major === undefined) return undefined;
  return declared.flatMap((one) => laterMajor(one, major) ?? [])[0];
}

/** A ruleset of the state is declared if a block has its address: its zone id may be an expression. */
export function rulesetOf(
  folders: readonly FolderFacts[],
  zone: string,
): { readonly declared: boolean; readonly inState: boolean } {
  const areDeclared = folders.flatMap((folder) =>
    folder.rulesets
      .filter(isEntryPointOf(zone))
      .map(
        (one) => !isUndeclared(one.address, folder.configuration) && !isInOtherBlock(folder, one),
      ),
  );
  const inState = areDeclared.length > 0;
  const isDeclared = folders.some(({ declared }) => declared.some(({ zoneId }) => zoneId === zone));
  return { declared: inState ? areDeclared.includes(true) : isDeclared, inState };
}

/**
 * The first folder in which the next `terraform apply` completes the migration of a zone: its import and removed blocks
 * are in the files, as after the merge of a pull request, and no apply has run them. None if a folder needs a plan, or
 * would lose something.
 */
export function folderToApply(
  folders: readonly FolderFacts[],
  zone: string,
): FolderFacts | undefined {
  const ofZone = folders.filter(({ legacyResources }) =>
    legacyResources.some(({ zoneId }) => zoneId === zone),
  );
  const pending = folders.filter((one) => isToApply(one, zone) && !losesZone(one, folders));
  const isWhole = ofZone.every((one) => pending.includes(one));
  return isWhole && pending.every(({ losses }) => losses.length === 0) ? pending[0] : undefined;
}

function isToApply(folder: FolderFacts, zone: string): boolean {
  const { legacyResources, configuration, unread, blockZones } = folder;
  if (configuration === undefined || unread !== undefined) return false;
  const isForgotten = forgottenIn(configuration.project);
  const leaving = legacyResources.filter(
    ({ mode, zoneId }) => mode === 'managed' && zoneId === zone,
  );
  return (
    (hasRuleset(folder, zone) ? leaving.length > 0 : isEntering(folder, zone)) &&
    leaving.every(isForgotten) &&
    !blockZones.some((zones) => zones.has(zone))
  );
}

/** Whether a `terraform apply` would forget the resources of a zone whose ruleset no folder has or imports. */
function losesZone(
  { legacyResources, configuration }: FolderFacts,
  folders: readonly FolderFacts[],
): boolean {
  if (configuration === undefined) return false;
  const leaving = legacyResources.filter(forgottenIn(configuration.project));
  const zones = new Set(leaving.flatMap(({ zoneId }) => zoneId ?? []));
  return [...zones].some(
    (zone) => !folders.some((one) => hasRuleset(one, zone) || isEntering(one, zone)),
  );
}

export const hasRuleset = ({ rulesets }: FolderFacts, zone: string): boolean =>
  rulesets.some(isEntryPointOf(zone));

/** Whether an `import` block imports the ruleset of a zone to an address that is declared. */
function isEntering({ configuration }: FolderFacts, zone: string): boolean {
  if (configuration === undefined) return false;
  const { project } = configuration;
  return project.rootModule.stateBlocks.some(
    ({ kind, id = '', to = '' }) =>
      kind === 'import' &&
      id.split('/').includes(zone) &&
      findBlocks(project, withoutKeys(to)).length > 0,
  );
}

function forgottenIn(project: ConfigProject) {
  const forgotten = new Set(startsOf(project, 'removed'));
  return ({ address }: Pick<LegacyResource, 'address'>): boolean =>
    partsBefore(withoutKeys(address)).some((part) => forgotten.has(part));
}

/** Whether a folder has nothing of a zone but blocks, and another one has its ruleset: a plan leaves such a folder out. */
export const isLeftOutOfPlan = (
  folder: FolderFacts,
  folders: readonly FolderFacts[],
  zone: string,
): boolean =>
  folder.unread === undefined &&
  folder.legacyResources.length === 0 &&
  !hasRuleset(folder, zone) &&
  folders.some((one) => hasRuleset(one, zone));

export function zonesOfFolder(folder: FolderFacts): string[] {
  const { legacyResources, rulesets, declared, blockZones } = folder;
  const entryPoints = rulesets.filter(({ phase }) => phase === MANAGED_PHASE);
  const known = [...legacyResources, ...entryPoints, ...declared];
  const ofBlocks = blockZones.flatMap((ids) => [...ids]);
  const zones = new Set([...known.flatMap(({ zoneId }) => zoneId ?? []), ...ofBlocks]);
  return [...zones].filter(isIdentifier);
}

/** The zones to check if none is selected: those with legacy resources, or else all of the folders. */
export function zonesToCheck(states: readonly StateFacts[]): string[] {
  const zones = zonesWithLegacyResources(states);
  return zones.length > 0
    ? zones
    : [...new Set(states.map(withConsequences).flatMap(zonesOfFolder))];
}

/** What the next apply would destroy or replace, as after a rollback before the blocks are back. */
function findLosses(folder: StateFacts): Finding[] {
  const { dir, configuration, legacyResources, rulesets, installed } = folder;
  const managed = legacyResources.filter(({ mode }) => mode === 'managed');
  const entryPoints = rulesets.filter(({ phase }) => phase === MANAGED_PHASE);
  const addresses = [...managed, ...entryPoints].map(({ address }) => address);
  const gone = undeclaredAmong(addresses, configuration).filter((one) =>
    canDestroy(installed, one),
  );
  const others = [
    ...entryPoints.filter((one) => isInOtherBlock(folder, one)).flatMap(misplacedRuleset.find),
    ...entryPoints.filter(({ isTainted }) => isTainted).flatMap(taintedRuleset.find),
  ];
  if (gone.length === 0) return others;
  const destroyed: Finding = {
    code: 'BLOCK_ALREADY_GONE',
    severity: 'decision',
    subject: dir,
    message: `the state has these, and the configuration does not declare them: ${listed(gone)}`,
    remedy: `run no \`terraform apply\` in this folder before they are declared again, or removed from the state by a plan of this tool; ${REVERTED}`,
  };
  return [destroyed, ...others];
}
