import { type DeclaredRulesetAddress } from '../project/declared-rulesets';
import { type ModuleCopy } from '../tfconfig/synthesised';
import { type PendingMove } from '../tfconfig/state-blocks';
import { type Reference } from '../tfconfig/find-references';
import { acceptFlag } from '../core/posix-quote';
import { type Finding, type Severity } from '../core/finding';
import { printable } from '../core/printable';
import { type Facts, type OwnedZone } from './facts';
import { majorOf } from './provider-versions';
import { MigrationError } from '../core/migration-error';
import { type Plan, type Step } from './plan';

/** The one list of what a plan may report, each with its message and its remedy: docs/plan-format.md lists the same. */
function finding<Facts = void>(
  code: string,
  severity: Severity,
  message: string | ((facts: Facts) => string),
  remedy: string | ((facts: Facts) => string),
): (subject: string, facts: Facts) => Finding {
  const textOf = (text: typeof message, facts: Facts): string =>
    typeof text === 'string' ? text : printable(text(facts));
  return (subject, facts) => ({
    code,
    severity,
    subject: printable(subject),
    message: textOf(message, facts),
    remedy: textOf(remedy, facts),
  });
}

interface Version {
  readonly to: string;
}

interface WithNames {
  readonly names: readonly string[];
}

type Versions = Pick<Facts, 'state' | 'from' | 'to'>;

/** A later provider that was asked for comes with what leaves or enters a state, and with nothing else. */
const isUpgrade = ({ state, from, to }: Versions): boolean =>
  state.installed !== undefined && majorOf(to) > majorOf(from);

export const noOldResources = finding(
  'NO_OLD_RESOURCES',
  'info',
  (facts: Versions) =>
    `this state has no legacy resource of the planned zones: nothing to remove${isUpgrade(facts) ? `; its provider stays ${facts.from}` : ''}`,
  (facts) =>
    `check that it is the right state and workspace${!isUpgrade(facts) ? '' : '; to change the provider, pass --zone for each zone of the state, or apply the plan of the interrupted run'}`,
);

export const leftBefore = finding(
  'OLD_RESOURCES_LEFT_BEFORE',
  'decision',
  'this state has no legacy resources: the plan assumes that they were removed before, imports the ruleset, and removes their blocks from the files',
  'check that it is the right state and workspace, and that no other state has them',
);

export const oldBlocksDeclared = finding(
  'OLD_BLOCKS_DECLARED',
  'decision',
  ({ names }: WithNames) =>
    `the configuration declares legacy blocks that the state does not have: Terraform plans to create or read them unless their count is 0, or does not know their types: ${shortList(names)}`,
  'delete these blocks, unless the state of another workspace or environment has their resources: Terraform would destroy them there. With provider 4 or 5, `plan` without --zone plans that edit',
);

export const rulesetInState = finding(
  'RULESET_IN_STATE',
  'info',
  ({ rulesetId, address }: OwnedZone) =>
    `the state already owns the ruleset ${rulesetId}, or has the address ${address}: no import is planned`,
  'if it is another resource at that address, choose another one with --address',
);

export const firewallRulesLeave = finding(
  'FIREWALL_RULES_LEAVE',
  'decision',
  'provider 5 cannot plan with these filters and firewall rules in the state: they are removed from it too',
  'Cloudflare has converted them to custom rules: manage those with a separate cloudflare_ruleset',
);

/** The identifiers that an import takes differ by major. */
export const providerAssumed = finding(
  'PROVIDER_ASSUMED',
  'info',
  ({ from, to }: Version & { readonly from: string }) =>
    `the installed provider version is unknown: ${from} is assumed, and imports are written for ${to}`,
  'pass --from with the version that .terraform.lock.hcl selects',
);

export const providerNewerThanTested = finding(
  'PROVIDER_NEWER_THAN_TESTED',
  'info',
  ({ to, last }: Version & { readonly last: string }) =>
    `provider ${to} is newer than ${last}, the newest version that was tested`,
  'rehearse the plan before you apply it',
);

interface UnknownType extends Version {
  readonly blocks: readonly string[];
  readonly entries: readonly string[];
  readonly newTypes: readonly string[];
}

const unknownType = ({ to, blocks, entries }: UnknownType): string =>
  [
    `provider ${to} does not know this type`,
    ...(blocks.length === 0 ? [] : [`Blocks stop every import: ${shortList(blocks)}`]),
    ...(entries.length === 0
      ? []
      : [`State entries without a \`moved\` block stop every plan: ${shortList(entries)}`]),
  ].join('. ');
const renameType = ({ newTypes }: UnknownType): string =>
  newTypes.length === 0
    ? 'delete the blocks, remove the entries from state with `terraform state rm`, then plan again'
    : `rename the blocks to ${newTypes.join(' or ')} and add a \`moved\` block for each (tf-migrate does both), then plan again`;

/** Measured with 5.22.0: a block of an unknown type stops every import, an entry without `moved` every plan. */
export const typeUnknown = finding('TYPE_UNKNOWN_TO_PROVIDER', 'blocker', unknownType, renameType);

/** Where the files are not known, `moved` blocks may cover the entries. */
export const typeMayBeUnknown = finding(
  'TYPE_UNKNOWN_TO_PROVIDER',
  'decision',
  unknownType,
  renameType,
);

const ALL_ZONES =
  'leave out --zone to plan all zones of the state, or pass --zone for each of these too';

export const otherZonesStay = finding(
  'OTHER_ZONES',
  'decision',
  ({ names }: WithNames) =>
    `legacy resources of zones that were not selected stay in the state: ${names.join(', ')}`,
  ALL_ZONES,
);

export const otherZonesLeave = finding(
  'OTHER_ZONES',
  'blocker',
  ({ names }: WithNames & { readonly isKnown: boolean }) =>
    `legacy resources of zones that were not selected would be removed from the state too: ${names.join(', ')}`,
  ({ isKnown }) =>
    isKnown ? ALL_ZONES : `pass --from with the installed provider version, or ${ALL_ZONES}`,
);

export const resourceWithoutZone = finding(
  'RESOURCE_WITHOUT_ZONE',
  'decision',
  ({ leaves }: { readonly leaves: boolean }) =>
    `the state does not say which zone this legacy resource belongs to; it ${leaves ? 'is removed from the state with the others' : 'stays in the state'}`,
  ({ leaves }) =>
    leaves
      ? 'check that it belongs to a zone that was migrated'
      : 'if it belongs to a zone that was migrated, remove it with `terraform state rm`',
);

export const zoneNotInState = finding(
  'ZONE_NOT_IN_STATE',
  'decision',
  'no state has a legacy resource of this zone, or its ruleset',
  'check the zone id and that it is the right state and workspace',
);

/** Of the root are the outputs that the state holds. */
export const blockReferenced = finding(
  'BLOCK_REFERENCED',
  'decision',
  ({ from, address, text }: Reference & { readonly isOfRoot: boolean }) =>
    `${from} refers to ${address} (${text}): the block is not edited while something refers to it`,
  ({ from, isOfRoot }) =>
    `change or delete the reference, then plan again, or remove the block in the manual step${
      isOfRoot && from.startsWith('output.')
        ? `; where no import follows (method blocks), pass ${acceptFlag(from)} to rehearse, apply and verify, since Terraform then plans to change the output`
        : ''
    }`,
);

/** What reads an output from outside, as by `terraform_remote_state`, is not known here. */
export const outputsRemoved = finding(
  'OUTPUTS_REMOVED',
  'decision',
  'these outputs refer only to blocks that are removed, and nothing in this configuration reads them: they are removed too',
  'check that no other configuration, script or pipeline reads them, then pass --accept OUTPUTS_REMOVED',
);

export const blockShared = finding(
  'BLOCK_SHARED',
  'decision',
  'this block declares resources that stay as well: of other zones, or in another state',
  'remove the migrated zone from its count, for_each or module call, or migrate all its zones together',
);

export const moduleNotEdited = finding(
  'MODULE_NOT_EDITED',
  'decision',
  'the block is in a module whose files are not part of this configuration',
  'use a version of the module without the legacy resources, or delete the call',
);

/** Editing the copy would last until the next synthesis; the module may be that of other stacks as well. */
export const moduleCopied = finding(
  'MODULE_COPIED',
  'decision',
  ({ addresses }: ModuleCopy) =>
    `CDKTF copies this file of a module at each synthesis, so it is not edited: ${addresses.join(', ')}`,
  'remove the call from the program if the module has nothing else. Otherwise plan all stacks that call the module together (--dir for each), then remove the blocks from the source of the module: an apply of a stack that still has their resources in its state would destroy them',
);

/** The hazard: its state entry stands, so a plan would destroy it and re-arm the defaults. */
export const blockAlreadyGone = finding(
  'BLOCK_ALREADY_GONE',
  'decision',
  'the configuration no longer declares this legacy resource, and the state still has it: an apply now would destroy it',
  'apply nothing in this folder before the steps of this plan have removed it from the state',
);

export const blockOfSeveralStates = finding(
  'BLOCK_OF_SEVERAL_STATES',
  'decision',
  ({ name }: { readonly name: string }) =>
    `the file is outside of the folder of state ${name}, and other configurations may call its module: once its blocks are removed, an apply there would destroy the resources that their states still have`,
  'if other configurations call it, plan their states together with this one (--dir for each), and apply nothing there before',
);

const MERGE = 'merge their rules into one resource, then plan again';

export const entryPointNotImported = finding(
  'ENTRY_POINT_NOT_IMPORTED',
  'decision',
  'this ruleset is declared and not in the state: if its zone has migrated, creating it collides with the existing entry point',
  ({ isShared }: { readonly isShared: boolean }) =>
    `pass --zone for its zone too, so that it is imported, or if another resource declares the entry point of that zone, ${MERGE}${
      isShared ? '; if another workspace is to own it, set its count to 0 in this one' : ''
    }`,
);

export const rulesetWouldBeReplaced = finding(
  'RULESET_WOULD_BE_REPLACED',
  'decision',
  ({ names }: WithNames) =>
    `the declared ${names.join(' and ')} differ${names.length === 1 ? 's' : ''} from the live ruleset: Terraform would delete it and create another, and the zone has no WAF in between`,
  'declare them as they are live: `generate --source live` prints them',
);

export const entryPointDiffers = finding(
  'ENTRY_POINT_DIFFERS',
  'blocker',
  ({ zoneId, rulesetId, other }: OwnedZone & { readonly other: string }) =>
    `the state has another ruleset as entry point of zone ${zoneId}: ${other}, not ${rulesetId}`,
  'check --ruleset-id; if the entry point was created anew, remove this address with `terraform state rm`, then plan again',
);

/** An import leads to one instance, of which only the user knows the key. */
export const rulesetNeedsKey = finding(
  'RULESET_NEEDS_KEY',
  'blocker',
  ({ zoneId }: OwnedZone) =>
    `it, or a module that contains it, has count or for_each, and the instance of zone ${zoneId} is unknown`,
  'import it with its key, then plan again: a ruleset in the state is not imported again',
);

interface PerhapsDeclared {
  readonly zone: OwnedZone;
  readonly one: DeclaredRulesetAddress;
  readonly isThere: boolean;
}

export const entryPointMayBeDeclared = finding(
  'ENTRY_POINT_MAY_BE_DECLARED',
  'decision',
  ({ zone: { zoneId, address } }: PerhapsDeclared) =>
    `its zone or phase is an expression: if it is the entry point of zone ${zoneId}, ${address} is a second one`,
  ({ one: { address, isRepeated }, isThere }) => {
    if (isThere) return `then ${MERGE}`;
    // `--address` takes no module and no key
    return isRepeated || address.startsWith('module.')
      ? 'then import it, with its key or that of its module, and plan again: a ruleset in the state is not imported again (if legacy resources keep Terraform from importing, remove them with `terraform state rm` first)'
      : `then pass --address ${address}`;
  },
);

export const entryPointNotDeclared = finding(
  'ENTRY_POINT_NOT_DECLARED',
  'decision',
  'the state has this ruleset, and the files do not declare it: the next apply would destroy the live entry point, and the zone would have no WAF',
  'apply nothing in this folder before it is declared again: restore the declaration from version control, or write it with `generate --source live`',
);

/** To import it here would give it to two states, and to create it collides. */
export const rulesetOfOtherWorkspace = finding(
  'RULESET_OF_OTHER_WORKSPACE',
  'blocker',
  ({ name, zoneId }: { readonly name: string; readonly zoneId: string }) =>
    `the state of workspace ${name} has the entry point of zone ${zoneId}, and this one would have it too`,
  'plan this workspace for its own zone; if the declaration has the id of the other zone, make it depend on the workspace',
);

/** An address with the id of one zone is to be created in every workspace that does not have it. */
export const declaredForAllWorkspaces = finding(
  'DECLARED_FOR_ALL_WORKSPACES',
  'blocker',
  ({ names, zoneId }: WithNames & { readonly zoneId: string }) =>
    `other workspaces share these files, and would create a ruleset that is declared with the id of zone ${zoneId}: ${names.join(', ')}`,
  'declare it with a zone_id that depends on the workspace, as var.zones[terraform.workspace], and plan with its --address; if the rulesets differ, declare one for each workspace with count = terraform.workspace == "<name>" ? 1 : 0',
);

/** Workspaces have a state each, and one configuration, also where this one has nothing old left. */
export const otherWorkspaces = finding(
  'OTHER_WORKSPACES',
  'decision',
  ({ names }: WithNames) =>
    `other workspaces of this folder have legacy resources too, and share the files: once the blocks are removed, an apply there would destroy them: ${names.join(', ')}`,
  'apply this plan, then plan and apply each of them (TF_WORKSPACE=<name>), one after another; apply nothing else in this folder before',
);

/** Terraform plans no target beside a pending move, and forgets no resource that is about to move. */
export const movePending = finding(
  'MOVE_PENDING',
  'decision',
  ({ from, to }: PendingMove) =>
    `this moved block, from ${from} to ${to}, is pending: Terraform refuses -target until it is applied, and a removed block does not find the resource`,
  'move it with `terraform state mv`, then plan again',
);

export const pageRuleSwitchesWaf = finding(
  'PAGE_RULE_SWITCHES_WAF',
  'decision',
  ({ names }: WithNames) =>
    `page rules switch the legacy WAF, which has no effect any more: ${names.join(', ')}`,
  'remove the waf action from them; a skip rule of the ruleset does the same',
);

/** What the service answers to the setting once the old WAF is gone is not documented. */
export const settingSwitchesWaf = finding(
  'SETTING_SWITCHES_WAF',
  'info',
  ({ names }: WithNames) =>
    `zone settings have \`waf\`, which has no effect once a zone has migrated: ${names.join(', ')}`,
  'remove `waf` from these settings once their zones have migrated',
);

/** The stacks of a CDKTF project have one set of bindings: a change of its major is a change for all. */
export const otherStacksChangeMajor = finding(
  'OTHER_STACKS_CHANGE_MAJOR',
  'decision',
  ({ to, names }: Version & WithNames) =>
    `the whole CDKTF project changes to provider ${to}, also these stacks: ${names.join(', ')}. A stack with legacy resources or firewall rules cannot be planned with it`,
  'plan these stacks together with this one (--dir for each), or leave out --to until they have migrated',
);

interface Dialect {
  readonly declared: DeclaredRulesetAddress;
  readonly dir: string;
  readonly major: number;
  readonly isUpgrade: boolean;
}

export const rulesetOfOtherProvider = finding(
  'RULESET_OF_OTHER_PROVIDER',
  'decision',
  ({ declared: { majors = [] }, major }: Dialect) =>
    `it is written for provider ${majors.join(' or ')}, and provider ${major} does not accept it: no plan and no import works`,
  ({ declared: { address, zoneId = '<zone>' }, dir, major, isUpgrade }) =>
    `write it again ${isUpgrade ? 'when you set the version constraint, before the upgrade' : 'before you apply this plan'}: \`generate --zone ${zoneId} --source live --out ${dir} --address ${address} --provider ${major} --force\`, or edit a file that you wrote yourself`,
);

export const providerNotDefault = finding(
  'PROVIDER_NOT_DEFAULT',
  'decision',
  ({ zoneId, reference }: { readonly zoneId: string; readonly reference: string }) =>
    `the legacy resources of zone ${zoneId} use ${reference}: without it, the ruleset uses other credentials`,
  'set the `provider` argument of the ruleset if its account does not use the default configuration',
);

export const planningBlocked = finding(
  'PLANNING_BLOCKED',
  'decision',
  ({ names }: WithNames) => `Terraform cannot plan with these in place: ${names.join(', ')}`,
  'apply the plan: its steps remove them from the state, or import them again',
);

export const nothingBlocks = finding(
  'NOTHING_BLOCKS',
  'info',
  'nothing of the legacy WAF in this state keeps Terraform from planning',
  'read the output of `terraform plan`: the cause is something else',
);

/** Each text once, with how often it is there. */
export function counted(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => `${text} (${count})`);
}

/** Eight of a list, and how many more there are. */
export function shortList(items: readonly string[]): string {
  const more = items.length > 8 ? ` and ${items.length - 8} more` : '';
  return items.slice(0, 8).join(', ') + more;
}

/**
 * What Terraform would do of itself with files and state as they were: create, replace, destroy, refuse to
 * plan. An empty plan of everything answers each of them; what a person has to know of zones, pages,
 * workspaces or provider configurations, it does not.
 */
export const OF_THE_NEXT_PLAN: ReadonlySet<string> = new Set([
  'BLOCK_ALREADY_GONE',
  'BLOCK_REFERENCED',
  'ENTRY_POINT_NOT_DECLARED',
  'ENTRY_POINT_NOT_IMPORTED',
  'MODULE_NOT_EDITED',
  'OLD_BLOCKS_DECLARED',
  'PLANNING_BLOCKED',
  'RULESET_OF_OTHER_PROVIDER',
  'RULESET_WOULD_BE_REPLACED',
  'TYPE_UNKNOWN_TO_PROVIDER',
]);

/**
 * The decisions that a plan left to a person, less those that its steps have answered.
 * @param done ids of the steps that are done
 */
export function openDecisions(
  { findings, states, steps }: Plan,
  done: ReadonlySet<string>,
): readonly Finding[] {
  const empty = new Set(
    steps.filter((step) => done.has(step.id) && provesAll(step)).map(({ state }) => state),
  );
  // one with a command is done by that, and answers nothing that a person was asked
  const byHand = new Set(
    steps
      .filter(({ id, kind, runs = [] }) => kind === 'manual' && runs.length === 0 && done.has(id))
      .flatMap(({ addresses = [] }) => addresses),
  );
  const isProven = states.every(({ name }) => empty.has(name));
  return findings.filter(
    ({ severity, code, subject }) =>
      severity === 'decision' && !byHand.has(subject) && !(isProven && OF_THE_NEXT_PLAN.has(code)),
  );
}

/** @throws MigrationError `PLAN_INVALID` */
export function refuseBlockers({ findings }: Plan): void {
  const blockers = findings.filter(({ severity }) => severity === 'blocker');
  const [first] = blockers;
  if (first === undefined) return;
  throw new MigrationError(
    'PLAN_INVALID',
    `Nothing was changed: the plan has a blocker: ${printable(first.message, 300)}`,
    { hint: first.remedy, findings: blockers.slice(1) },
  );
}

/** An empty plan of the whole state; with targets it is one of these alone. */
function provesAll({ expects, runs = [] }: Step): boolean {
  const isTargeted = runs.some(({ argv }) => argv.some((word) => /^--?target\b/.test(word)));
  return expects?.plan === 'empty' && !isTargeted;
}
