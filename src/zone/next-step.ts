import { type Finding } from '../core/finding';
import { providerMajors } from '../core/provider-majors';
import { terraformIn } from '../plan/formats/render-command';
import { mustRemoveAll, rulesetsToImportAgain } from '../plan/facts/remove-all';
import { type Plan, type Step as PlanStep } from '../plan/plan-schema';
import { initOf } from '../terraform/failures';
import { type ConfigBlock, Expression } from '../tfconfig/config';
import { isSynthesised } from '../tfconfig/find-blocks';
import {
  type FolderFacts,
  folderToApply,
  hasRuleset,
  isLeftOutOfPlan,
  requiredMajor,
  requiresOtherProvider,
} from './folder-facts';
import { type LiveStatus } from './live-status';

/**
 * What is left to do for a zone. The less obvious ones:
 * - `status`: it could not be read. `unclear`: it is migrated or in validation mode.
 * - `init`: Terraform cannot plan its folder before.
 * - `apply`: a run is not finished. `apply-blocks`: `terraform apply` runs the blocks of a merged pull request.
 * - `by-hand`: two resources have or declare its ruleset, or a state has one that is tainted or not live.
 * - `unprotected`: it migrated to no WAF. `generated`: its stack is outside of the folders.
 */
export type Work = keyof typeof WORK_WORDS;

/** What is left to do, after the number of zones. */
export const WORK_WORDS = {
  blocked: 'blocked',
  eligible: 'eligible',
  review: 'in validation mode',
  finish: 'to finish',
  init: 'to plan',
  plan: 'to plan',
  apply: 'to continue',
  'apply-blocks': 'to apply with Terraform',
  generate: 'to generate',
  generated: 'with a stack in an unknown folder',
  status: 'that cannot be read',
  unclear: 'with an unknown WAF',
  'by-hand': 'to correct by hand',
  unprotected: 'without a WAF',
  done: 'done',
} as const;

/** What folders have of a zone. `Unread`: for a folder of a list that cannot be read. */
interface Places<Unread = never> {
  /** Number of legacy resources and data sources: instances in the state, blocks in the configuration. */
  readonly legacy: { readonly state: number | Unread; readonly configuration: number | Unread };
  readonly ruleset: { readonly declared: boolean | Unread; readonly inState: boolean | Unread };
}

export interface ZoneStatus
  extends Omit<LiveStatus, 'findings' | 'position' | 'rulesetId'>, Places<null> {
  readonly zone: string;
  /** The domain, untrusted text. Absent without credentials or access to the zone. */
  readonly name?: string | undefined;
  /** Codes of the blockers. Absent if the migration has started, or without credentials. */
  readonly blockedBy?: readonly string[];
  readonly work: Work;
  /** Of `apply`: the manual step that its run has reached. */
  readonly waitsAt?: Pick<PlanStep, 'id' | 'title'> | undefined;
  /** The command to run next; null if nothing is left to do, or only by hand. */
  readonly next: string | null;
}

/** What is known of a zone before its next step is. */
export type Known = Omit<ZoneStatus, 'work' | 'waitsAt' | 'next' | keyof Places> & Places;

/** The work of a zone by its own status alone. */
interface Step {
  readonly work: Work;
  /** Without one, what is left is done by hand, or by the plan of all zones. */
  readonly command?: string | undefined;
}

export interface Found extends Step {
  readonly known: Known;
  readonly findings: readonly Finding[];
}

/** The work of a zone that has not migrated, or cannot be read, or has no WAF. */
export function stepOfMigration(
  known: Known,
  { position, findings }: Pick<LiveStatus, 'position' | 'findings'>,
): Step | undefined {
  const { blockedBy = [], deployed } = known;
  const zone = shownName(known);
  switch (position) {
    case 'unread':
      // without its status, no other step is right
      return { work: 'status', command: statusAgain(known.zone) };
    case 'unclear':
      return { work: 'unclear', command: statusAgain(known.zone) };
    case 'start': {
      const work = blockedBy.length === 0 ? 'eligible' : 'blocked';
      return { work, command: toolCommand(`check --zone ${zone}`) };
    }
    case 'validation':
      return { work: 'review', command: toolCommand(`review --zone ${zone} --since 6h`) };
    case 'moving':
      return { work: 'finish', command: toolCommand(`finish --zone ${zone}`) };
    default: {
      // there is no entry point to import, and no command deploys a managed ruleset
      const isUnprotected = findings.some(({ code }) => code === 'ZONE_UNPROTECTED');
      return deployed.length === 0 && isUnprotected ? { work: 'unprotected' } : undefined;
    }
  }
}

/**
 * The work of a migrated zone: the first of these steps that applies.
 * @param isOfOthers whether its ruleset is declared for another workspace or environment
 * @param needsCorrection whether two resources have or declare the ruleset, or a state has one that is tainted or not live
 */
export function stepOfFolders(
  known: Known,
  folders: readonly FolderFacts[],
  isOfOthers: boolean,
  needsCorrection: boolean,
): Step {
  const { zone: id, legacy, ruleset } = known;
  const toApply = isOfOthers ? undefined : folderToApply(folders, id);
  if (toApply !== undefined)
    return { work: 'apply-blocks', command: terraformIn(toApply.dir, 'apply') };
  const blocks = blocksToPlan(folders, id, ruleset.inState);
  const isIncomplete = ruleset.declared !== ruleset.inState;
  if (legacy.state > 0 || blocks.areOfZone || isIncomplete) return { work: 'plan' };
  if (needsCorrection) return { work: 'by-hand' };
  if (isOfOthers) return { work: 'done' };
  // the provider was upgraded by hand, and no other plan of Terraform works
  if (folders.some((one) => mustImportAgain(one, id))) return { work: 'plan' };
  if (folders.some((one) => hasRuleset(one, id) && requiresOtherProvider(one)))
    return { work: 'plan' };
  // the zone of these blocks, or of a state that cannot be read, is unknown: it can be this one
  if (blocks.canBeOfZone || folders.some((one) => one.unread)) return { work: 'plan' };
  return stepWithoutPlan(known);
}

/** The work of a migrated zone that needs no plan: its ruleset is declared and imported, or neither. */
function stepWithoutPlan(known: Known): Step {
  const { zone, legacy, ruleset, deployed, oldWaf, newWaf } = known;
  if (legacy.configuration > 0 || ruleset.inState) return { work: 'done' };
  if (deployed.length > 0)
    return { work: 'generate', command: toolCommand(`generate --zone ${shownName(known)}`) };
  // neither the API nor a folder tells anything
  const isUnknown = oldWaf === 'unknown' && newWaf === 'unknown';
  return isUnknown ? { work: 'status', command: statusAgain(zone) } : { work: 'done' };
}

/** Whether a folder of a zone, or a stack that a plan for it includes, has rulesets that its provider cannot read. */
const mustImportAgain = (folder: FolderFacts, id: string): boolean =>
  (hasRuleset(folder, id) || (isStack(folder) && folder.legacyResources.length === 0)) &&
  rulesetsToImportAgain(folder).length > 0;

/** Whether legacy blocks that a plan for a zone removes are of the zone, and whether others can be. */
function blocksToPlan(folders: readonly FolderFacts[], id: string, isImported: boolean) {
  const planned = folders.filter((one) => !isLeftOutOfPlan(one, folders, id));
  return {
    areOfZone: planned.some(({ blockZones }) => blockZones.some((zones) => zones.has(id))),
    canBeOfZone: planned.some(({ blocksWithoutZone: blocks }) =>
      // if the ruleset is imported, the user may have emptied a count or for_each
      blocks.some((one) => !isImported || !isRepeated(one)),
    ),
  };
}

const isRepeated = ({ body }: ConfigBlock): boolean =>
  body.get('count') instanceof Expression || body.get('for_each') instanceof Expression;

const isStack = ({ configuration }: FolderFacts): boolean =>
  configuration !== undefined && isSynthesised(configuration.project);

const toolCommand = (words: string): string => `cf-waf-migrate ${words}`;

const statusAgain = (zone: string): string => toolCommand(`status --zone ${zone}`);

/**
 * Adds the next command of each zone. One plan is for all zones that can be planned: it names them, unless they are all
 * zones of the states. A zone that has to be planned together with one that cannot be planned yet gets the command of
 * that zone.
 */
export function withNext(
  found: readonly Found[],
  folders: readonly FolderFacts[],
  heldBack: readonly FolderFacts[],
  flags: string,
): ZoneStatus[] {
  // the command of each zone in a state that cannot be planned yet: that of the first zone that it waits for
  const held = new Map(
    heldBack.flatMap((folder) => {
      const [command] = waitingIn(folder, found).map((one) => commandOf(one, flags));
      return zoneOfEachResource([folder]).map((id) => [id, command ?? null] as const);
    }),
  );
  const ready = found.filter(({ known, work }) => work === 'plan' && !held.has(known.zone));
  const [init] = initCommands(folders);
  const planned =
    init === undefined
      ? { work: 'plan' as const, next: planCommand(ready, folders, flags) }
      : { work: 'init' as const, next: init };
  return found.map((one): ZoneStatus => {
    const { known, work } = one;
    if (work !== 'plan') return { ...known, work, next: commandOf(one, flags) ?? null };
    const command = held.get(known.zone);
    return command === undefined
      ? { ...known, ...planned }
      : { ...known, work: 'blocked', next: command };
  });
}

const commandOf = ({ work, command }: Found, flags: string): string | undefined =>
  command !== undefined && ['status', 'unclear'].includes(work) ? command + flags : command;

/** One plan for all zones that are ready. */
function planCommand(
  ready: readonly Found[],
  folders: readonly FolderFacts[],
  flags: string,
): string {
  const readyIds = new Set(ready.map(({ known }) => known.zone));
  const resources = folders.flatMap(({ legacyResources }) => legacyResources);
  const managed = new Set(resources.flatMap(({ mode, zoneId }) => (mode === 'data' ? [] : zoneId)));
  // with only data sources, blocks, or a ruleset to import or declare, a plan of all zones leaves the zone out
  const isLeftOut = ({ zone, legacy, ruleset }: Known): boolean =>
    !managed.has(zone) &&
    (legacy.state + legacy.configuration > 0 || ruleset.declared !== ruleset.inState);
  const isAll =
    !ready.some(({ known }) => isLeftOut(known)) &&
    zoneOfEachResource(folders).every((id) => readyIds.has(id));
  const names = isAll ? '' : ` --zone ${namesOf(ready, ' ')}`;
  const [later] = folders
    .filter((one) => ready.some(({ known }) => hasRuleset(one, known.zone)))
    .flatMap((one) => requiredMajor(one) ?? []);
  // of several folders, the plan names the one to upgrade; a program is upgraded with all its stacks
  const isOne = folders.length === 1 || folders.every(isStack);
  const upgrade = later !== undefined && isOne ? ` --to ${providerMajors[later].last}` : '';
  return toolCommand(`plan${names}${flags}${upgrade}`);
}

/** A step that comes before anything else is planned or applied in this folder, but after `terraform init`. */
export function withFirstStep(
  zones: readonly ZoneStatus[],
  plan: Pick<Plan, 'zones'>,
  step: Pick<ZoneStatus, 'work' | 'waitsAt' | 'next'>,
): ZoneStatus[] {
  const planned = plan.zones.map(({ zoneId }) => zoneId);
  return zones.map((zone) =>
    ['plan', 'apply-blocks'].includes(zone.work) ||
    (['done', 'generate', 'by-hand', 'status', 'unclear'].includes(zone.work) &&
      planned.includes(zone.zone))
      ? { ...zone, ...step }
      : zone,
  );
}

/** Terraform cannot plan these folders before. */
export const initCommands = (folders: readonly FolderFacts[]): string[] =>
  folders.flatMap(({ dir, unread }) => {
    const init = initOf(unread?.hint);
    return init === undefined ? [] : terraformIn(dir, init);
  });

/** Whether a zone with legacy resources in a state cannot be planned yet: it has not migrated, or cannot be read. */
const isWaiting = ({ known, work }: Found): boolean =>
  known.legacy.state > 0 && work !== 'plan' && work !== 'apply-blocks';

export const namesOf = (zones: readonly Found[], separator: string): string =>
  zones.map(({ known }) => shownName(known)).join(separator);

/** The zones of a state that cannot be planned yet. */
export function waitingIn(folder: FolderFacts, found: readonly Found[]): Found[] {
  const own = new Set(zoneOfEachResource([folder]));
  return found.filter((one) => isWaiting(one) && own.has(one.known.zone));
}

/** Whether the zones of a state have to be planned together, and one of them cannot be planned yet. */
export const isHeldBack = (folder: FolderFacts, found: readonly Found[]): boolean =>
  waitingIn(folder, found).length > 0 && mustRemoveAll(folder);

/** A name that needs no quotes in a command. */
const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

const shownName = ({ name = '', zone }: Pick<ZoneStatus, 'name' | 'zone'>): string =>
  DOMAIN.test(name) ? name : zone;

const zoneOfEachResource = (folders: readonly FolderFacts[]): string[] =>
  folders.flatMap((one) => one.legacyResources.flatMap(({ zoneId }) => zoneId ?? []));
