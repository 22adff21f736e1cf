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
    `this state holds no old WAF resource that the plan concerns: nothing to remove${isUpgrade(facts) ? `; its provider stays ${facts.from}` : ''}`,
  (facts) =>
    `check that it is the right state and workspace${!isUpgrade(facts) ? '' : '; to change the provider, pass --zone for each zone of the state, or apply the plan of the interrupted run'}`,
);

export const leftBefore = finding(
  'OLD_RESOURCES_LEFT_BEFORE',
  'decision',
  'this state holds nothing of the previous WAF: the plan takes it that the old resources have left it before, imports the ruleset, and takes their blocks out of the files',
  'check that it is the right state and workspace, and that no other one holds them',
);

export const oldBlocksDeclared = finding(
  'OLD_BLOCKS_DECLARED',
  'decision',
  ({ names }: WithNames) =>
    `the configuration declares legacy blocks that the state does not hold: Terraform plans to create or read them unless their count is 0, or does not know their types: ${shortList(names)}`,
  'delete these blocks, unless another workspace or environment holds something of them, which Terraform would then destroy there: there is nothing to remove from this state (`plan` without --zone plans that edit where provider 4 or 5 is installed)',
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
  'provider 5 cannot plan with these filters and firewall rules in the state; their interface is retired, so they leave it too',
  'the service has turned them into custom rules: manage those with a cloudflare_ruleset of their own',
);

/** The identifiers that an import takes differ by major. */
export const providerAssumed = finding(
  'PROVIDER_ASSUMED',
  'info',
  ({ from, to }: Version & { readonly from: string }) =>
    `which provider is installed is not known: ${from} is assumed, and imports are written for ${to}`,
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
    `the state does not say which zone this old resource belongs to; it ${leaves ? 'leaves the state with the others' : 'stays in the state'}`,
  ({ leaves }) =>
    leaves
      ? 'check that it belongs to a zone that was migrated'
      : 'where it belongs to a zone that was migrated, take it out with `terraform state rm`',
);

export const zoneNotInState = finding(
  'ZONE_NOT_IN_STATE',
  'decision',
  'no state holds an old resource of this zone, or its ruleset',
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
  'take the migrated zone out of its count, for_each or module call by hand, or migrate all its zones together',
);

export const moduleNotEdited = finding(
  'MODULE_NOT_EDITED',
  'decision',
  'the block stands in a module that does not lie beside the configuration',
  'use a version of the module without the old resources, or delete the call',
);

/** Editing the copy would last until the next synthesis; the module may be that of other stacks as well. */
export const moduleCopied = finding(
  'MODULE_COPIED',
  'decision',
  ({ addresses }: ModuleCopy) =>
    `CDKTF copies this file of a module at each synthesis, so it is not edited: ${addresses.join(', ')}`,
  'take the call out of the program, where the module holds nothing else; otherwise the blocks out of the module itself, the source that the program gives it, and first plan the other stacks that call it together with this one (--dir for each): an apply there would destroy what their states still hold',
);

/** The hazard: its state entry stands, so a plan would destroy it and re-arm the defaults. */
export const blockAlreadyGone = finding(
  'BLOCK_ALREADY_GONE',
  'decision',
  'the configuration no longer declares this old resource while the state still holds it: an apply now would destroy it',
  'apply nothing in this folder before the steps of this plan have taken it out of the state',
);

export const blockOfSeveralStates = finding(
  'BLOCK_OF_SEVERAL_STATES',
  'decision',
  ({ name }: { readonly name: string }) =>
    `the file lies outside of the folder of state ${name}, and other configurations may call its module: once its blocks are gone, an apply there would destroy what their states still hold`,
  'where other configurations call it, plan their states together with this one (--dir for each), and apply nothing there before',
);

const MERGE = 'merge their rules into one resource, then plan again';

export const entryPointNotImported = finding(
  'ENTRY_POINT_NOT_IMPORTED',
  'decision',
  'this ruleset is declared and not in the state: where its zone has migrated, to create it collides with the entry point that is there',
  ({ isShared }: { readonly isShared: boolean }) =>
    `pass --zone for its zone too, so that it is imported, or where another resource declares the entry point of that zone, ${MERGE}${
      isShared ? '; where another workspace is to own it, see that its count is 0 in this one' : ''
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
  'check --ruleset-id; where the entry point was made anew, take the entry out with `terraform state rm`, then plan again',
);

/** An import leads to one instance, of which only the user knows the key. */
export const rulesetNeedsKey = finding(
  'RULESET_NEEDS_KEY',
  'blocker',
  ({ zoneId }: OwnedZone) =>
    `it, or a module on its way, is declared with count or for_each, and which instance is that of zone ${zoneId} is not known`,
  'import it by hand with its key, then plan again: what the state has is not imported',
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
    `an expression tells its zone or its phase: where it is the entry point of zone ${zoneId}, ${address} is a second one`,
  ({ one: { address, isRepeated }, isThere }) => {
    if (isThere) return `then ${MERGE}`;
    // `--address` takes no module and no key
    return isRepeated || address.startsWith('module.')
      ? 'then import it by hand, with the key of its module or its own where it has one, and plan again: what the state has is not imported (where legacy resources keep Terraform from importing, remove them with `terraform state rm` first)'
      : `then pass --address ${address}`;
  },
);

export const entryPointNotDeclared = finding(
  'ENTRY_POINT_NOT_DECLARED',
  'decision',
  'the state holds this ruleset, and the files do not declare it: the next apply would destroy the live entry point, and the zone has no WAF then',
  'apply nothing in this folder before it is declared as it was: take the declaration back out of version control, or let `generate --source live` write it',
);

/** To import it here would give it to two states, and to create it collides. */
export const rulesetOfOtherWorkspace = finding(
  'RULESET_OF_OTHER_WORKSPACE',
  'blocker',
  ({ name, zoneId }: { readonly name: string; readonly zoneId: string }) =>
    `the state of workspace ${name} has the entry point of zone ${zoneId}, and this one would have it too`,
  'leave it there, and plan this workspace for its own zone; where the declaration has the id of that zone, have it depend on the workspace',
);

/** An address with the id of one zone is to be created in every workspace that does not have it. */
export const declaredForAllWorkspaces = finding(
  'DECLARED_FOR_ALL_WORKSPACES',
  'blocker',
  ({ names, zoneId }: WithNames & { readonly zoneId: string }) =>
    `the files are those of other workspaces too, which would create a ruleset that is declared with the id of zone ${zoneId}: ${names.join(', ')}`,
  'declare it yourself with a zone_id that each workspace gives, as var.zones[terraform.workspace], and plan with its --address; where the rulesets differ, declare one for each with count = terraform.workspace == "<name>" ? 1 : 0',
);

/** Workspaces have a state each, and one configuration, also where this one has nothing old left. */
export const otherWorkspaces = finding(
  'OTHER_WORKSPACES',
  'decision',
  ({ names }: WithNames) =>
    `other workspaces of this folder hold old resources too, and the blocks leave the files of all: an apply there would destroy them: ${names.join(', ')}`,
  'carry this plan out, then plan each of them (TF_WORKSPACE=<name>) and carry that out, one after another; apply nothing else in this folder before',
);

/** Terraform plans no target beside a pending move, and forgets no resource that is about to move. */
export const movePending = finding(
  'MOVE_PENDING',
  'decision',
  ({ from, to }: PendingMove) =>
    `this moved block, from ${from} to ${to}, is pending: Terraform refuses -target beside it, and a removed block does not find what moves`,
  'move it with `terraform state mv`, then plan again',
);

export const pageRuleSwitchesWaf = finding(
  'PAGE_RULE_SWITCHES_WAF',
  'decision',
  ({ names }: WithNames) =>
    `page rules switch the old WAF, which has no effect any more: ${names.join(', ')}`,
  'take the waf action out of them; a skip rule of the ruleset does the same',
);

/** What the service answers to the setting once the old WAF is gone is not documented. */
export const settingSwitchesWaf = finding(
  'SETTING_SWITCHES_WAF',
  'info',
  ({ names }: WithNames) =>
    `settings of zones hold \`waf\`, which switches nothing once a zone has migrated: ${names.join(', ')}`,
  'take `waf` out of these settings once their zones have migrated',
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
    `it is written for provider ${majors.join(' or ')}, and provider ${major} does not take that: no plan and no import works then`,
  ({ declared: { address, zoneId = '<zone>' }, dir, major, isUpgrade }) =>
    `write it anew ${isUpgrade ? 'when you set the version constraint, before the upgrade' : 'before you apply this plan'}: \`generate --zone ${zoneId} --source live --out ${dir} --address ${address} --provider ${major} --force\`, or by hand where a person wrote its file`,
);

export const providerNotDefault = finding(
  'PROVIDER_NOT_DEFAULT',
  'decision',
  ({ zoneId, reference }: { readonly zoneId: string; readonly reference: string }) =>
    `the old resources of zone ${zoneId} are bound to ${reference}: declared without it, the ruleset has other credentials`,
  'give the ruleset the `provider` argument that its account needs, where that is not the default',
);

export const planningBlocked = finding(
  'PLANNING_BLOCKED',
  'decision',
  ({ names }: WithNames) => `Terraform cannot plan while these are there: ${names.join(', ')}`,
  'apply the plan: its steps remove them from the state, or import them again',
);

export const nothingBlocks = finding(
  'NOTHING_BLOCKS',
  'info',
  'nothing of the previous WAF in this state keeps Terraform from planning',
  'read what `terraform plan` says: it is about something else',
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
