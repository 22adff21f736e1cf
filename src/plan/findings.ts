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

/** Builds a finding with its title, message and remedy. docs/plan-format.md lists the same findings. */
function finding<Facts = void>(
  code: string,
  severity: Severity,
  title: string,
  message: string | ((facts: Facts) => string),
  remedy: string | ((facts: Facts) => string),
): (subject: string, facts: Facts) => Finding {
  const textOf = (text: typeof message, facts: Facts): string =>
    typeof text === 'string' ? text : printable(text(facts));
  return (subject, facts) => ({
    ...{ code, title, severity },
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

/** Whether the user selected a later provider major. A plan that does not change the state keeps the provider. */
const isUpgrade = ({ state, from, to }: Versions): boolean =>
  state.installed !== undefined && majorOf(to) > majorOf(from);

export const noLegacyResources = finding(
  'NO_LEGACY_RESOURCES',
  'info',
  'Nothing to remove from this state',
  (facts: Versions) =>
    `it has no legacy resource of the planned zones${isUpgrade(facts) ? `; its provider stays ${facts.from}` : ''}`,
  (facts) =>
    `check that it is the right state and workspace${!isUpgrade(facts) ? '' : '; to change the provider, pass --zone for each zone of the state, or apply the plan of the interrupted run'}`,
);

export const legacyResourcesGone = finding(
  'LEGACY_RESOURCES_GONE',
  'decision',
  'The state has no legacy resources any more',
  'the plan assumes that they were removed before: it imports the ruleset, and removes the legacy blocks from the files',
  'check that it is the right state and workspace, and that no other state has them',
);

export const legacyBlocksDeclared = finding(
  'LEGACY_BLOCKS_DECLARED',
  'decision',
  'Legacy blocks stay in the configuration',
  ({ names }: WithNames) =>
    `the state does not have their resources. Terraform plans to create or read these unless their count is 0, or it does not know their types: ${shortList(names)}`,
  'delete these blocks, unless the state of another workspace or environment has their resources: Terraform would destroy them there. With provider 4 or 5, run `plan` without --zone to remove them',
);

export const firewallRulesLeave = finding(
  'FIREWALL_RULES_LEAVE',
  'decision',
  'Filters and firewall rules are removed from the state too',
  'provider 5 cannot plan with them in the state',
  'Cloudflare has converted them to custom rules: manage those with a separate cloudflare_ruleset',
);

/** The format of import ids differs by major. */
export const providerAssumed = finding(
  'PROVIDER_ASSUMED',
  'info',
  'The installed provider version is unknown',
  ({ from, to }: Version & { readonly from: string }) =>
    `the plan assumes ${from}, and writes imports for ${to}`,
  'pass --from with the version that .terraform.lock.hcl selects',
);

interface UnknownType extends Version {
  readonly blocks: readonly string[];
  readonly entries: readonly string[];
  readonly newTypes: readonly string[];
}

const TYPE_UNKNOWN = 'The provider does not know a resource type';
const unknownType = ({ to, blocks, entries }: UnknownType): string =>
  [
    `provider ${to} does not know this type`,
    ...(blocks.length === 0 ? [] : [`Blocks stop every import: ${shortList(blocks)}`]),
    ...(entries.length === 0
      ? []
      : [`Resources in state without a \`moved\` block stop every plan: ${shortList(entries)}`]),
  ].join('. ');
const renameType = ({ newTypes }: UnknownType): string =>
  newTypes.length === 0
    ? 'delete the blocks, remove the resources from state with `terraform state rm`, then plan again'
    : `rename the blocks to ${newTypes.join(' or ')} and add a \`moved\` block for each (tf-migrate does both), then plan again`;

/** Provider 5.22.0 (measured): a block of an unknown type stops every import, a resource without `moved` every plan. */
export const typeUnknown = finding(
  'TYPE_UNKNOWN_TO_PROVIDER',
  'blocker',
  TYPE_UNKNOWN,
  unknownType,
  renameType,
);

/** A decision if the files are unknown, because `moved` blocks may cover the resources. */
export const typeMayBeUnknown = finding(
  'TYPE_UNKNOWN_TO_PROVIDER',
  'decision',
  TYPE_UNKNOWN,
  unknownType,
  renameType,
);

const ALL_ZONES =
  'leave out --zone to plan all zones of the state, or pass --zone for each of these too';

export const otherZonesStay = finding(
  'OTHER_ZONES',
  'decision',
  'Legacy resources of other zones stay in the state',
  ({ names }: WithNames) => `zones that were not selected: ${names.join(', ')}`,
  ALL_ZONES,
);

export const otherZonesLeave = finding(
  'OTHER_ZONES',
  'blocker',
  'Legacy resources of other zones would be removed from the state too',
  ({ names }: WithNames & { readonly isKnown: boolean }) =>
    `zones that were not selected: ${names.join(', ')}`,
  ({ isKnown }) =>
    isKnown
      ? `finish the migration of these zones too, then ${ALL_ZONES}`
      : `pass --from with the installed provider version, or ${ALL_ZONES}`,
);

export const resourceWithoutZone = finding(
  'RESOURCE_WITHOUT_ZONE',
  'decision',
  'The zone of a legacy resource is unknown',
  ({ leaves }: { readonly leaves: boolean }) =>
    `the state does not say which zone it belongs to; it ${leaves ? 'is removed from the state with the others' : 'stays in the state'}`,
  ({ leaves }) =>
    leaves
      ? 'check that it belongs to a zone that was migrated'
      : 'if it belongs to a zone that was migrated, remove it with `terraform state rm`',
);

export const zoneNotInState = finding(
  'ZONE_NOT_IN_STATE',
  'decision',
  'A zone is in no state',
  'no state has a legacy resource of this zone, or its ruleset',
  'check the zone id and that it is the right state and workspace',
);

/** The state has only the outputs of the root module. */
export const blockReferenced = finding(
  'BLOCK_REFERENCED',
  'decision',
  'Something refers to a legacy block',
  ({ from, address, text }: Reference & { readonly isOfRoot: boolean }) =>
    `${from} refers to ${address} (${text}), so the plan does not edit the block`,
  ({ from, isOfRoot }) =>
    `change or delete the reference, then plan again, or remove the block in the manual step${
      isOfRoot && from.startsWith('output.')
        ? `; with method blocks, Terraform plans to change the output: pass ${acceptFlag(from)} to rehearse, apply and verify`
        : ''
    }`,
);

/** The plan cannot see what reads an output from outside, such as `terraform_remote_state`. */
export const outputsRemoved = finding(
  'OUTPUTS_REMOVED',
  'decision',
  'Outputs are removed with the blocks they refer to',
  'nothing in this configuration reads these outputs',
  'check that no other configuration, script or pipeline reads them, then pass --accept OUTPUTS_REMOVED',
);

export const blockShared = finding(
  'BLOCK_SHARED',
  'decision',
  'A legacy block declares other resources too',
  'this block declares resources that stay: of other zones, or in another state',
  'remove the migrated zone from its count, for_each or module call, or migrate all its zones together',
);

export const moduleNotEdited = finding(
  'MODULE_NOT_EDITED',
  'decision',
  'A legacy block is in a module that cannot be edited',
  'the files of the module are not part of this configuration',
  'use a version of the module without the legacy resources, or delete the call',
);

/** The next synthesis would overwrite an edit of the copy, and other stacks may call the module too. */
export const moduleCopied = finding(
  'MODULE_COPIED',
  'decision',
  'A legacy block is in a module that CDKTF copies',
  ({ addresses }: ModuleCopy) =>
    `each synthesis writes this file again, so the plan does not edit it: ${addresses.join(', ')}`,
  'if the module has nothing else, remove the call from the program. Otherwise plan all stacks that call the module together (--dir for each), and apply that plan. Only then remove the blocks from the source of the module: before that, an apply of a stack without them would destroy their resources',
);

/** The resource is still in the state, so an apply would destroy it and restore the defaults. */
export const blockAlreadyGone = finding(
  'BLOCK_ALREADY_GONE',
  'decision',
  'An apply now would destroy a legacy resource',
  'the configuration no longer declares it, and the state still has it',
  'apply nothing in this folder before the steps of this plan have removed it from the state',
);

export const blockOfSeveralStates = finding(
  'BLOCK_OF_SEVERAL_STATES',
  'decision',
  'Other configurations may share a legacy block',
  ({ name }: { readonly name: string }) =>
    `the file is outside the folder of state ${name}, and other configurations may call its module. When the plan has removed its blocks, an apply there would destroy the resources in their states`,
  'if other configurations call it, plan their states together with this one (--dir for each), and apply nothing there before',
);

const MERGE = 'merge their rules into one resource, then plan again';

export const entryPointNotImported = finding(
  'ENTRY_POINT_NOT_IMPORTED',
  'decision',
  'A declared ruleset is not in the state',
  'if its zone has migrated, creating it collides with the existing entry point',
  `pass --zone for its zone too, to import it. If another resource declares the entry point of that zone, ${MERGE}. If another workspace should own it, set its count to 0 in this one`,
);

export const rulesetWouldBeReplaced = finding(
  'RULESET_WOULD_BE_REPLACED',
  'decision',
  'Terraform would replace the live ruleset',
  ({ names }: WithNames) =>
    `the declared ${names.join(' and ')} differ${names.length === 1 ? 's' : ''} from the live ruleset: Terraform would delete it and create another, and the zone has no WAF in between`,
  'declare the live values: `generate --source live` prints them',
);

export const entryPointDiffers = finding(
  'ENTRY_POINT_DIFFERS',
  'blocker',
  'The state has another entry point ruleset of the zone',
  ({ zoneId, rulesetId, other }: OwnedZone & { readonly other: string }) =>
    `the entry point of zone ${zoneId} is ${other} in the state, and ${rulesetId} in the plan`,
  'check --ruleset-id; if the entry point was created anew, remove this address with `terraform state rm`, then plan again',
);

/** An import needs the key of one instance, which only the user knows. */
export const rulesetNeedsKey = finding(
  'RULESET_NEEDS_KEY',
  'blocker',
  'The ruleset is declared with count or for_each',
  ({ zoneId }: OwnedZone) =>
    `it, or a module that contains it, has several instances, and the instance for zone ${zoneId} is unknown`,
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
  'The ruleset may be declared already',
  ({ zone: { zoneId, address } }: PerhapsDeclared) =>
    `its zone or phase is an expression: if it is the entry point of zone ${zoneId}, ${address} is a second one`,
  ({ one: { address, isRepeated }, isThere }) => {
    if (isThere) return `then ${MERGE}`;
    // `--address` accepts no module and no key
    return isRepeated || address.startsWith('module.')
      ? 'then import it, with its key or the key of its module, and plan again. If legacy resources stop the import, remove them with `terraform state rm` first'
      : `then pass --address ${address}`;
  },
);

export const entryPointNotDeclared = finding(
  'ENTRY_POINT_NOT_DECLARED',
  'decision',
  'An apply now would destroy the live ruleset',
  'the state has this ruleset, and the files do not declare it: without it, the zone would have no WAF',
  'apply nothing in this folder before it is declared again: restore the declaration from version control, or write it with `generate --source live`',
);

/** An import would add the ruleset to two states, and creating it would fail. */
export const rulesetOfOtherWorkspace = finding(
  'RULESET_OF_OTHER_WORKSPACE',
  'blocker',
  'Another workspace has the ruleset in its state',
  ({ name, zoneId }: { readonly name: string; readonly zoneId: string }) =>
    `the state of workspace ${name} has the entry point of zone ${zoneId}, and this state would have it too`,
  'plan this workspace for its own zone; if the declaration has the id of the other zone, make it depend on the workspace',
);

/** Workspaces share one configuration, even if this one has no legacy resources. */
export const otherWorkspaces = finding(
  'OTHER_WORKSPACES',
  'decision',
  'Other workspaces have legacy resources too',
  ({ names }: WithNames) =>
    `they share the files: once the blocks are removed, an apply there would destroy the resources: ${names.join(', ')}`,
  'apply this plan, then plan and apply each of them (TF_WORKSPACE=<name>), one after another; apply nothing else in this folder before',
);

/** Terraform refuses targets while a move is pending, and does not forget a resource that is about to move. */
export const movePending = finding(
  'MOVE_PENDING',
  'decision',
  'A moved block is pending',
  ({ from, to }: PendingMove) =>
    `it moves ${from} to ${to}. Until it is applied, Terraform refuses -target, and a removed block does not find the resource`,
  'move it with `terraform state mv`, then plan again',
);

export const pageRuleSwitchesWaf = finding(
  'PAGE_RULE_SWITCHES_WAF',
  'decision',
  'Page rules switch the legacy WAF',
  ({ names }: WithNames) => `the switch has no effect any more: ${names.join(', ')}`,
  'remove the waf action from them; a skip rule of the ruleset does the same',
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
  'A ruleset is written for another provider version',
  ({ declared: { majors = [] }, major }: Dialect) =>
    `it is written for provider ${majors.join(' or ')}, and provider ${major} does not accept it: no plan and no import works`,
  ({ declared: { address, zoneId = '<zone>' }, dir, major, isUpgrade }) =>
    `generate it again ${isUpgrade ? 'when you set the version constraint, before the upgrade' : 'before you apply this plan'}. If you wrote its block yourself, delete the block first. Then run \`generate --zone ${zoneId} --source live --out ${dir} --address ${address} --provider ${major} --force\``,
);

export const providerNotDefault = finding(
  'PROVIDER_NOT_DEFAULT',
  'decision',
  'The ruleset needs another provider configuration',
  ({ zoneId, reference }: { readonly zoneId: string; readonly reference: string }) =>
    `the legacy resources of zone ${zoneId} use ${reference}: without it, the ruleset uses other credentials`,
  'set the `provider` argument of the ruleset if its account does not use the default configuration',
);

export const variablesUnset = finding(
  'VARIABLES_UNSET',
  'blocker',
  'Variables have no value',
  ({ names }: WithNames) =>
    `these have no default, and no value in this folder or its environment: ${names.join(', ')}; without them, the import would fail after the state was changed`,
  'plan again with the values, for example with: cf-waf-migrate plan --out plan.json -- -var-file=prod.tfvars',
);

export const planningBlocked = finding(
  'PLANNING_BLOCKED',
  'decision',
  'Terraform cannot plan',
  ({ names }: WithNames) => `these are in the way: ${names.join(', ')}`,
  'apply the plan: its steps remove them from the state, or import them again',
);

export const nothingBlocks = finding(
  'NOTHING_BLOCKS',
  'info',
  'Nothing to migrate in this state',
  'it has no legacy WAF resources: they are migrated already, or were never in it',
  'if `terraform plan` fails, read its output: the legacy WAF is not the cause',
);

/** Each distinct text with its count. */
export function counted(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => `${text} (${count})`);
}

/** The first eight items, and the number of the others. */
export function shortList(items: readonly string[]): string {
  const more = items.length > 8 ? ` and ${items.length - 8} more` : '';
  return items.slice(0, 8).join(', ') + more;
}

/**
 * Decisions about what Terraform would create, replace, destroy or refuse. An empty full plan answers them. It does not
 * answer decisions about zones, page rules, workspaces or provider configurations.
 */
export const ANSWERED_BY_EMPTY_PLAN: ReadonlySet<string> = new Set([
  'BLOCK_ALREADY_GONE',
  'BLOCK_REFERENCED',
  'ENTRY_POINT_NOT_DECLARED',
  'ENTRY_POINT_NOT_IMPORTED',
  'MODULE_NOT_EDITED',
  'LEGACY_BLOCKS_DECLARED',
  'PLANNING_BLOCKED',
  'RULESET_OF_OTHER_PROVIDER',
  'RULESET_WOULD_BE_REPLACED',
  'TYPE_UNKNOWN_TO_PROVIDER',
]);

/**
 * The decisions of a plan that its completed steps have not answered.
 * @param done ids of the completed steps
 */
export function openDecisions(
  { findings, states, steps }: Plan,
  done: ReadonlySet<string>,
): readonly Finding[] {
  const empty = new Set(
    steps.filter((step) => done.has(step.id) && provesAll(step)).map(({ state }) => state),
  );
  // a manual step with a command answers no decision
  const byHand = new Set(
    steps
      .filter(({ id, kind, runs = [] }) => kind === 'manual' && runs.length === 0 && done.has(id))
      .flatMap(({ addresses = [] }) => addresses),
  );
  const isProven = states.every(({ name }) => empty.has(name));
  return findings.filter(
    ({ severity, code, subject }) =>
      severity === 'decision' &&
      !byHand.has(subject) &&
      !(isProven && ANSWERED_BY_EMPTY_PLAN.has(code)),
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

/** Whether a step requires an empty plan of the whole state, without targets. */
function provesAll({ expects, runs = [] }: Step): boolean {
  const isTargeted = runs.some(({ argv }) => argv.some((word) => /^--?target\b/.test(word)));
  return expects?.plan === 'empty' && !isTargeted;
}
