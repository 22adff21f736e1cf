import { type Finding, hintLines } from '../core/finding';
import { listed } from '../core/lists';
import { posixQuote } from '../core/posix-quote';
import { counted } from '../core/printable';
import { partsBefore, withoutKeys } from '../core/resource-address';
import { isEntryPointOf } from '../plan/facts/ruleset-address';
import { movePending, renamedBlocks } from '../plan/findings/block-findings';
import { PLAN_ZONE, WITHOUT_RESOURCE } from '../plan/findings/finding-table';
import { KEEP_ONE, replacedRuleset, shownPlace } from '../plan/findings/state-ruleset-findings';
import { initOf } from '../terraform/failures';
import { isBlocksFile } from '../tfconfig/file-edit';
import { type FolderFacts, isLeftOutOfPlan } from './folder-facts';

const decision = (one: Omit<Finding, 'severity'>): Finding[] => [{ severity: 'decision', ...one }];

/** @param isChosen whether the user can leave the folder out by `--dir` */
export function stateUnread({ dir, unread }: FolderFacts, isChosen: boolean): Finding[] {
  if (unread === undefined) return [];
  const init = initOf(unread.hint);
  const how = init === undefined ? unread.hint : `run \`terraform ${init}\` in that folder`;
  const hasCommand = hintLines(unread.hint).length > 1;
  const others =
    isChosen && !hasCommand ? '; if you cannot, pass --dir for each of the other folders' : '';
  return decision({
    code: 'STATE_UNREAD',
    subject: dir,
    message: `the state cannot be read, so its resources are not counted: ${unread.message}`,
    remedy: how + others,
  });
}

/** A zone has one entry point: two states would undo each other's changes, or one would create what another one has. */
export function declaredTwice(folders: readonly FolderFacts[], zone: string): Finding[] {
  const own = folders.flatMap((folder) => {
    const found = folder.rulesets.filter(isEntryPointOf(zone));
    // at its next address, it is the declared one
    if (found.length === 1 && found.every(({ address }) => isMoving(folder, address))) return [];
    return found.map(({ address }) => ({ address, dir: folder.dir }));
  });
  const declared = folders.flatMap(({ dir, declared: all }) =>
    all.filter(({ zoneId }) => zoneId === zone).map((one) => ({ ...one, dir })),
  );
  const known = new Set(
    own.map((one) => shownPlace({ ...one, address: withoutKeys(one.address) })),
  );
  const alone = declared.map(shownPlace).filter((place) => !known.has(place));
  const places = [...new Set([...alone, ...own.map(shownPlace)])];
  if (places.length < 2) return [];
  return decision({
    code: 'ENTRY_POINT_DECLARED_TWICE',
    subject: zone,
    message: `two resources undo each other's changes: ${listed(places)}`,
    remedy:
      own.length > 1
        ? KEEP_ONE
        : 'keep the one that is imported, and remove the other from the configuration',
  });
}

/** The rulesets that states have as the entry point of a zone, and that another one has replaced. */
export function notLive(
  folders: readonly FolderFacts[],
  zone: string,
  liveId: string | undefined,
): Finding[] {
  if (liveId === undefined) return [];
  return folders
    .flatMap(({ rulesets }) => rulesets.filter(isEntryPointOf(zone)))
    .filter(({ id }) => id !== undefined && id !== liveId)
    .flatMap(({ address, id }) => replacedRuleset.find({ address, id, zoneId: zone, liveId }));
}

/** Whether the next apply gives a resource another address. */
const isMoving = ({ pendingMoves }: FolderFacts, address: string): boolean =>
  partsBefore(withoutKeys(address)).some((part) => pendingMoves.includes(part));

export const findingsOfFolder = (folder: FolderFacts): Finding[] => [
  ...movesPending(folder),
  ...blocksWithoutZone(folder),
  ...appliedBlocksLeft(folder),
  ...otherWorkspaces(folder),
  ...folder.losses,
];

/** They can have the same files, and legacy resources whose blocks are removed. */
function otherWorkspaces({ dir, hasWorkspaces }: FolderFacts): Finding[] {
  if (hasWorkspaces !== true) return [];
  return [
    {
      code: 'OTHER_WORKSPACES',
      severity: 'info',
      subject: dir,
      message: 'the backend has states of other workspaces, which this command does not read',
      remedy: `run the command for each other workspace:\nTF_WORKSPACE=<name> cf-waf-migrate status${dir === '.' ? '' : ` --dir ${posixQuote(dir)}`}`,
    },
  ];
}

/** @param waiting the zones of the folder that cannot be planned yet */
export function waitingForOthers({ dir, installed }: FolderFacts, waiting: string): Finding[] {
  return decision({
    code: 'OTHER_ZONES',
    subject: dir,
    message: `no plan works while legacy resources stay in this state, and these zones cannot be planned yet: ${waiting}`,
    remedy: `finish their migration${installed === undefined ? ', or run `terraform init`, so that the provider version is known' : ''}. For a zone that cannot be read or has no WAF, see its finding`,
  });
}

/** @param shown the zones of the table: a list can leave out others of a folder */
export function notShown(
  { dir, legacyResources }: FolderFacts,
  shown: ReadonlySet<string>,
): Finding[] {
  const others = legacyResources.flatMap(({ mode, zoneId = '' }) =>
    mode === 'data' || zoneId === '' || shown.has(zoneId) ? [] : zoneId,
  );
  if (others.length === 0) return [];
  return [
    {
      code: 'OTHER_ZONES',
      title: 'The state has legacy resources of zones that are not listed',
      severity: 'info',
      subject: dir,
      message: `the state has ${counted(others.length, 'legacy resource')} of zones that are not listed: ${listed([...new Set(others)])}`,
      remedy: `see what is left for them:\n${statusOf(dir)}`,
    },
  ];
}

/** A pull request with the edits of method blocks was merged, or `plan --write` made them here. */
export const blocksNotApplied = (zone: string): Finding => ({
  code: 'BLOCKS_NOT_APPLIED',
  severity: 'info',
  subject: zone,
  message:
    'its import and removed blocks are in the files, and `terraform apply` has not run them yet',
  remedy:
    'let the pipeline apply them, or run `terraform apply` and check that it only imports and removes from state; then run `cf-waf-migrate status`',
});

const movesPending = (folder: FolderFacts): readonly Finding[] =>
  movePending.find({
    state: { ...folder, name: folder.dir },
    isIdle: false,
    // of any plan, so only of legacy resources
    method: 'blocks',
    to: folder.installed ?? '',
  });

/** Legacy blocks that no zone of the table counts. An unread state can have their resources. */
function blocksWithoutZone(folder: FolderFacts): Finding[] {
  const { length } = folder.blocksWithoutZone;
  if (length === 0 || folder.unread) return [];
  // they can have the new names of resources in the state
  if (renamedBlocks(folder).length > 0) return [];
  return decision({
    code: 'LEGACY_BLOCKS_DECLARED',
    subject: folder.dir,
    message: `the state has no resource of ${counted(length, 'legacy block')}, whose zone is an expression`,
    remedy: `${WITHOUT_RESOURCE}:\n${PLAN_ZONE}`,
  });
}

/** The legacy blocks of a migrated zone that no plan removes. */
export const blocksToDelete = (folders: readonly FolderFacts[], zone: string): Finding[] =>
  folders
    .filter((one) => isLeftOutOfPlan(one, folders, zone))
    .flatMap(({ dir, blockZones }) => {
      const { length } = blockZones.filter((zones) => zones.has(zone));
      if (length === 0) return [];
      return decision({
        code: 'LEGACY_BLOCKS_DECLARED',
        subject: dir,
        message: `the state has no resource of ${counted(length, 'legacy block')} of zone ${zone}, whose ruleset is imported`,
        remedy:
          'keep them if their count or for_each is empty here, or if another workspace or environment has their resources. Otherwise delete them',
      });
    });

/** Files of method blocks whose blocks an apply has run in this workspace. */
function appliedBlocksLeft({
  dir,
  configuration,
  legacyResources,
  rulesets,
  unread,
}: FolderFacts): Finding[] {
  const isPending = legacyResources.some(({ mode }) => mode === 'managed');
  if (configuration === undefined || unread !== undefined || isPending) return [];
  const { files, stateBlocks } = configuration.project.rootModule;
  const inState = new Set(rulesets.map(({ address }) => address));
  const isApplied = stateBlocks.every(({ kind, to = '' }) => kind !== 'import' || inState.has(to));
  const left = files.filter(
    ({ path, blocks }) =>
      isBlocksFile(path) && blocks.every(({ type }) => type === 'import' || type === 'removed'),
  );
  if (left.length === 0 || !isApplied) return [];
  const names = listed(left.map(({ path }) => path));
  return [
    {
      code: 'BLOCKS_LEFT',
      severity: 'info',
      subject: dir,
      message: `Terraform has applied the import and removed blocks in ${names}`,
      remedy: `delete ${names} when every workspace and environment has applied it`,
    },
  ];
}

const statusOf = (dir: string): string =>
  `cf-waf-migrate status${dir === '.' ? '' : ` --dir ${posixQuote(dir)}`}`;
