import { groupBy, listed } from '../core/lists';
import { acceptFlag, posixQuote } from '../core/posix-quote';
import { type Finding, type Severity } from '../core/finding';
import { printable } from '../core/printable';
import { withoutKeys } from '../core/resource-address';
import { findBlocksOfTypes } from '../tfconfig/find-blocks';
import { isOutside, isUndeclared, placeOf } from './facts/plan-removal';
import { type Facts, type OwnedZone, type StateFacts } from './facts/facts';
import { declaredAlone, mayBeEntryPointOf } from './facts/owners';
import { majorOf, unknownTypes } from './facts/provider-versions';

/** What a finding says of one subject. */
interface Detail {
  readonly subject: string;
  readonly message: string;
  readonly remedy: string;
}

/** A row of the table in docs/plan-format.md. */
interface Rule<Of> {
  readonly code: string;
  readonly severity: Severity;
  readonly title: string;
  readonly find: (of: Of) => readonly Finding[];
}

function finding<Of = Facts>(
  code: string,
  severity: Severity,
  title: string,
  details: (of: Of) => readonly Detail[],
): Rule<Of> {
  const find = (of: Of): Finding[] =>
    details(of).map(({ subject, message, remedy }) => ({
      ...{ code, title, severity },
      ...{ subject: printable(subject), message: printable(message), remedy: printable(remedy) },
    }));
  return { code, severity, title, find };
}

const MERGE = 'merge their rules into one resource, then plan again';
const ALL_ZONES =
  'leave out --zone to plan all zones of the state, or pass --zone for each of these too';

/** Findings about the legacy resources of a state, and its zones. */
const ofResources: readonly Rule<Facts>[] = [
  finding(
    'NO_LEGACY_RESOURCES',
    'info',
    'Nothing to remove from this state',
    ({ state, scope: { asked, missing }, isIdle, upgradeTo, from }) => {
      const isOfNone = missing.length > 0 && missing.length === asked.length;
      if (!isIdle || isOfNone) return [];
      const isHeldBack = state.installed !== undefined && upgradeTo !== undefined;
      return [
        {
          subject: state.name,
          message: `it has no legacy resource of the planned zones${isHeldBack ? `; its provider stays ${from}` : ''}`,
          remedy: `check that it is the right state and workspace${isHeldBack ? '; to change the provider, pass --zone for each zone of the state, or apply the plan of the interrupted run' : ''}`,
        },
      ];
    },
  ),
  finding(
    'OTHER_ZONES',
    'blocker',
    'Legacy resources of other zones would be removed from the state too',
    (facts) =>
      some(otherZones(facts, true), (names) => ({
        subject: facts.state.name,
        message: `zones that were not selected: ${names.join(', ')}`,
        remedy:
          facts.state.installed === undefined
            ? `pass --from with the installed provider version, or ${ALL_ZONES}`
            : `finish the migration of these zones too, then ${ALL_ZONES}`,
      })),
  ),
  finding('OTHER_ZONES', 'decision', 'Legacy resources of other zones stay in the state', (facts) =>
    some(otherZones(facts, false), (names) => ({
      subject: facts.state.name,
      message: `zones that were not selected: ${names.join(', ')}`,
      remedy: ALL_ZONES,
    })),
  ),
  finding(
    'VARIABLES_UNSET',
    'blocker',
    'Variables have no value',
    ({ state: { name, unsetVariables }, isIdle, method }) =>
      some(isIdle || method === 'blocks' ? [] : unsetVariables, (names) => ({
        subject: name,
        message: `these have no default, and no value in this folder or its environment: ${names.join(', ')}; without them, the import would fail after the state was changed`,
        remedy:
          'plan again with the values, for example with: cf-waf-migrate plan --out plan.json -- -var-file=prod.tfvars',
      })),
  ),
  finding(
    'LEGACY_RESOURCES_GONE',
    'decision',
    'The state has no legacy resources any more',
    ({ state, entering, leftBefore, legacyBlocks }) => {
      const isDeclared = entering.every(({ address }) =>
        state.declared.some((one) => one.address === address),
      );
      const isClean = isDeclared && legacyBlocks.every(({ mode }) => mode === 'data');
      if (!leftBefore || isClean) return [];
      return [
        {
          subject: state.name,
          message:
            'the plan assumes that they were removed before: it imports the ruleset, and removes the legacy blocks from the files',
          remedy:
            'check that it is the right state and workspace, and that no other state has them',
        },
      ];
    },
  ),
  finding(
    'LEGACY_BLOCKS_DECLARED',
    'decision',
    'Legacy blocks stay in the configuration',
    ({ state, unheld }) =>
      some(unheld, (names) => ({
        subject: state.name,
        message: `the state does not have their resources. Terraform plans to create or read these unless their count is 0, or it does not know their types: ${listed(names)}`,
        remedy:
          'delete these blocks, unless the state of another workspace or environment has their resources: Terraform would destroy them there',
      })),
  ),
  finding(
    'PROVIDER_ASSUMED',
    'info',
    'The installed provider version is unknown',
    ({ state, entering, from, to }) =>
      some(state.installed === undefined ? entering : [], () => ({
        subject: state.name,
        message: `the plan assumes ${from}, and writes imports for ${to}`,
        remedy: 'pass --from with the version that .terraform.lock.hcl selects',
      })),
  ),
];

/** Findings about the blocks that the plan removes from the files. */
const ofBlocks: readonly Rule<Facts>[] = [
  // the plan cannot see what reads an output from outside, such as `terraform_remote_state`
  finding(
    'OUTPUTS_REMOVED',
    'decision',
    'Outputs are removed with the blocks they refer to',
    ({ removal }) =>
      some(removal?.outputs ?? [], (outputs) => ({
        subject: outputs.join(', '),
        message: 'nothing in this configuration reads these outputs',
        remedy:
          'check that no other configuration, script or pipeline reads them, then pass --accept OUTPUTS_REMOVED',
      })),
  ),
  finding(
    'BLOCK_REFERENCED',
    'decision',
    'Something refers to a legacy block',
    ({ removal, configuration }) => {
      const root = configuration?.project.rootModule.files ?? [];
      return (removal?.references ?? []).map(({ file, line, from, address, text }) => {
        // the state has only the outputs of the root module
        const isOutput = from.startsWith('output.') && root.some(({ path }) => path === file);
        return {
          subject: `${file}:${line}`,
          message: `${from} refers to ${address} (${text}), so the plan does not edit the block`,
          remedy: `change or delete the reference, then plan again, or remove the block in the manual step${
            isOutput
              ? `; with method blocks, Terraform plans to change the output: pass ${acceptFlag(from)} to rehearse, apply and verify`
              : ''
          }`,
        };
      });
    },
  ),
  finding(
    'BLOCK_SHARED',
    'decision',
    'A legacy block declares other resources too',
    ({ removal }) =>
      (removal?.shared ?? []).map((subject) => ({
        subject,
        message: 'this block declares resources that stay: of other zones, or in another state',
        remedy:
          'remove the migrated zone from its count, for_each or module call, or migrate all its zones together',
      })),
  ),
  finding(
    'MODULE_NOT_EDITED',
    'decision',
    'A legacy block is in a module that cannot be edited',
    ({ removal }) =>
      (removal?.inModules ?? []).map((subject) => ({
        subject,
        message: 'the files of the module are not part of this configuration',
        remedy: 'use a version of the module without the legacy resources, or delete the call',
      })),
  ),
  finding(
    'BLOCK_ALREADY_GONE',
    'decision',
    'An apply now would destroy a legacy resource',
    ({ removal }) =>
      (removal?.gone ?? []).map((subject) => ({
        subject,
        message: 'the configuration no longer declares it, and the state still has it',
        remedy:
          'apply nothing in this folder before the steps of this plan have removed it from the state',
      })),
  ),
];

/** Findings about the rulesets in the state and in the files. */
const ofRulesets: readonly Rule<Facts>[] = [
  finding(
    'ENTRY_POINT_NOT_IMPORTED',
    'decision',
    'A declared ruleset is not in the state',
    ({ state, own }) => {
      const known = new Set(own.map(({ address }) => withoutKeys(address)));
      return declaredAlone(state)
        .filter(({ address, zoneId }) => zoneId !== undefined && !known.has(address))
        .map(({ address }) => ({
          subject: address,
          message: 'if its zone has migrated, creating it collides with the existing entry point',
          remedy: `pass --zone for its zone too, to import it. If another resource declares the entry point of that zone, ${MERGE}. If another workspace should own it, set its count to 0 in this one`,
        }));
    },
  ),
  finding(
    'RULESET_WOULD_BE_REPLACED',
    'decision',
    'Terraform would replace the live ruleset',
    ({ state, own }) =>
      own.flatMap(({ address, live }) => {
        const declared = declarationOf(state, address);
        const differing = (['name', 'kind', 'phase'] as const).filter(
          (field) => declared?.[field] !== undefined && live && declared[field] !== live[field],
        );
        return some(differing, (names) => ({
          subject: address,
          message: `the declared ${names.join(' and ')} differ${names.length === 1 ? 's' : ''} from the live ruleset: Terraform would delete it and create another, and the zone has no WAF in between`,
          remedy: 'declare the live values: `generate --source live` prints them',
        }));
      }),
  ),
  finding(
    'ENTRY_POINT_NOT_DECLARED',
    'decision',
    'An apply now would destroy the live ruleset',
    ({ state, own }) =>
      own
        .filter(({ address, imported }) => imported && isUndeclared(state.configuration, address))
        .map(({ address, zoneId }) => ({
          subject: address,
          message:
            'the state has this ruleset, and the files do not declare it: without it, the zone would have no WAF',
          remedy: `apply nothing in this folder before it is declared again: restore the declaration from version control, or write it with \`generate --source live --zone ${zoneId} --address ${posixQuote(address)}\``,
        })),
  ),
  finding(
    'ENTRY_POINT_DIFFERS',
    'blocker',
    'The state has another entry point ruleset of the zone',
    ({ state, own }) =>
      own.flatMap(({ address, zoneId, rulesetId }) => {
        const other = state.rulesets.find((one) => one.address === address)?.id;
        if (other === undefined || other === rulesetId) return [];
        return {
          subject: address,
          message: `the entry point of zone ${zoneId} is ${other} in the state, and ${rulesetId} in the plan`,
          remedy:
            'check --ruleset-id; if the entry point was created anew, remove this address with `terraform state rm`, then plan again',
        };
      }),
  ),
  // an import needs the key of one instance, which only the user knows
  finding(
    'RULESET_NEEDS_KEY',
    'blocker',
    'The ruleset is declared with count or for_each',
    ({ state, entering }) =>
      entering
        .filter(({ address }) => declarationOf(state, address)?.isRepeated === true)
        .map(({ address, zoneId }) => ({
          subject: address,
          message: `it, or a module that contains it, has several instances, and the instance for zone ${zoneId} is unknown`,
          remedy:
            'import it with its key, then plan again: a ruleset in the state is not imported again',
        })),
  ),
  finding(
    'ENTRY_POINT_MAY_BE_DECLARED',
    'decision',
    'The ruleset may be declared already',
    ({ state, own }) => own.flatMap((zone) => mayBeDeclared(state, zone)),
  ),
];

/** Findings about other resources of a state, its workspaces, and its provider. */
const ofOthers: readonly Rule<Facts>[] = [
  finding(
    'PAGE_RULE_SWITCHES_WAF',
    'decision',
    'Page rules switch the legacy WAF',
    ({ state: { name, pageRules } }) =>
      some(pageRules, (names) => ({
        subject: name,
        message: `the switch has no effect any more: ${names.join(', ')}`,
        remedy: 'remove the waf action from them; a skip rule of the ruleset does the same',
      })),
  ),
  finding(
    'OTHER_WORKSPACES',
    'decision',
    'Other workspaces have legacy resources too',
    ({ state: { name, otherWorkspaces } }) =>
      some(otherWorkspaces, (names) => ({
        subject: name,
        message: `they share the files: once the blocks are removed, an apply there would destroy the resources: ${names.join(', ')}`,
        remedy:
          'apply this plan, then plan and apply each of them (TF_WORKSPACE=<name>), one after another; apply nothing else in this folder before',
      })),
  ),
  finding(
    'RULESET_OF_OTHER_PROVIDER',
    'decision',
    'A ruleset is written for another provider version',
    ({ state, from, to, isIdle, upgradeTo }) => {
      const { declared, dir, installed, wanted } = state;
      if (installed === undefined && wanted === undefined) return [];
      const isUpgrade = !isIdle && upgradeTo !== undefined;
      const major = majorOf(isUpgrade ? to : from);
      const when = isUpgrade
        ? 'when you set the version constraint, before the upgrade'
        : 'before you apply this plan';
      return declared
        .filter(({ majors = [] }) => majors.length > 0 && !majors.includes(major))
        .map(({ address, zoneId = '<zone>', majors = [], dir: own = dir }) => ({
          subject: address,
          message: `it is written for provider ${majors.join(' or ')}, and provider ${major} does not accept it: no plan and no import works`,
          remedy: `generate it again ${when}: delete its block, then run \`generate --zone ${zoneId} --source live --out ${own} --address ${address} --provider ${major} --force\``,
        }));
    },
  ),
  finding(
    'FIREWALL_RULES_LEAVE',
    'decision',
    'Filters and firewall rules are removed from the state too',
    ({ retiring }) =>
      some(retiring, (addresses) => ({
        subject: addresses.join(', '),
        message: 'provider 5 cannot plan with them in the state',
        remedy:
          'Cloudflare has converted them to custom rules: manage those with a separate cloudflare_ruleset',
      })),
  ),
  // provider 5.22.0 (measured): a block of an unknown type stops every import
  finding(
    'TYPE_UNKNOWN_TO_PROVIDER',
    'blocker',
    'The provider does not know a resource type',
    ({ configuration, to, isIdle }) => {
      if (isIdle || configuration === undefined) return [];
      const types = unknownTypes(to).map((type) => ({ mode: 'managed' as const, type }));
      const blocks = groupBy(findBlocksOfTypes(configuration.project, types), ({ type }) => type);
      return [...blocks].map(([type, found]) => ({
        subject: type,
        message: `provider ${to} does not know this type. Blocks stop every import: ${listed(found.map(({ block }) => `${block.address} (${block.file}:${block.range.startLine})`))}`,
        remedy:
          'rename the blocks to the new type and add a `moved` block for each (tf-migrate does both), or delete the blocks if there is no new type. Then plan again',
      }));
    },
  ),
];

/** The findings of one state, in the order of the plan. */
const ofState = [...ofResources, ...ofBlocks, ...ofRulesets, ...ofOthers];

/** The findings of a plan as a whole. */
const ofPlan: readonly Rule<readonly Facts[]>[] = [
  finding('ZONE_NOT_IN_STATE', 'decision', 'A zone is in no state', ([one]) =>
    (one?.scope.missing ?? []).map((zoneId) => ({
      subject: zoneId,
      message: 'no state has a legacy resource of this zone, or its ruleset',
      remedy: 'check the zone id and that it is the right state and workspace',
    })),
  ),
  // the plan does not know which other configurations call a module
  finding(
    'BLOCK_OF_SEVERAL_STATES',
    'decision',
    'Other configurations may share a legacy block',
    (all) =>
      all.flatMap((facts) =>
        [...filesOf(facts)].flatMap((file) => {
          const origin = originOf(facts, file);
          const isPlannedTwice = all.some((one) => one !== facts && filesOf(one).has(file));
          if (origin === undefined || isPlannedTwice) return [];
          return {
            subject: file,
            message: `${origin}, and other configurations may call its module. When its blocks are removed, an apply there would destroy the resources in their states`,
            remedy:
              'if other configurations call it, plan their states together with this one (--dir for each), and apply nothing there before',
          };
        }),
      ),
  ),
];

/** The code, severity and title of every finding, as docs/plan-format.md lists them. */
export const findingTable = [...ofState, ...ofPlan].map(({ code, severity, title }) => ({
  ...{ code, severity, title },
}));

/** All findings of a plan, from the facts of its states. */
export function findingsOf(facts: readonly Facts[]): Finding[] {
  return [
    ...facts.flatMap((one) => ofState.flatMap(({ find }) => find(one))),
    ...ofPlan.flatMap(({ find }) => find(facts)),
  ];
}

/** One detail about all items, or none if there are no items. */
function some<Item>(
  items: readonly Item[],
  detail: (items: readonly Item[]) => Detail,
): readonly Detail[] {
  return items.length === 0 ? [] : [detail(items)];
}

/**
 * The zones that were not selected, with the number of their legacy resources, if any resource leaves the state.
 * @param leave whether resources of these zones leave too
 */
function otherZones({ state, scope, leaving }: Facts, leave: boolean): string[] {
  const ofOthers = state.legacyResources.filter(
    ({ zoneId, mode }) =>
      mode === 'managed' && zoneId !== undefined && !scope.asked.includes(zoneId),
  );
  const gone = new Set(leaving);
  if (gone.size === 0 || ofOthers.some((one) => gone.has(one)) !== leave) return [];
  const zones = groupBy(ofOthers, ({ zoneId }) => zoneId);
  return [...zones].map(([zoneId = '', resources]) => `${zoneId} (${resources.length})`);
}

function declarationOf({ declared }: StateFacts, address: string) {
  return declared.find((one) => one.address === address);
}

/** Rulesets that are a second declaration of the entry point, if an expression has the right value. */
function mayBeDeclared(state: StateFacts, { address, imported, zoneId }: OwnedZone): Detail[] {
  const isThere = imported || declarationOf(state, address) !== undefined;
  // if the zone has its own ruleset, one with an unknown zone usually belongs to another zone
  const perhaps = declaredAlone(state)
    .filter(mayBeEntryPointOf(zoneId))
    .filter((one) => !isThere || (one.mayBeOf === zoneId && one.address !== address));
  return perhaps.map((one) => {
    // `--address` accepts no module and no key
    const hint =
      one.isRepeated || one.address.startsWith('module.')
        ? 'then import it, with its key or the key of its module, and plan again. If legacy resources stop the import, remove them with `terraform state rm` first'
        : `then pass --address ${one.address}`;
    return {
      subject: one.address,
      message: `its zone or phase is an expression: if it is the entry point of zone ${zoneId}, ${address} is a second one`,
      remedy: isThere ? `then ${MERGE}` : hint,
    };
  });
}

/** The files from which the steps of a state remove blocks, or the user does. */
function filesOf({ isIdle, removal }: Facts): ReadonlySet<string> {
  return isIdle ? new Set() : (removal?.files ?? new Set());
}

/** Whether two states remove blocks from the same file. */
export function shareFiles(one: Facts, other: Facts): boolean {
  return [...filesOf(one)].some((file) => filesOf(other).has(file));
}

/** Where a file comes from that is not only of this state. Undefined for any other file. */
function originOf(facts: Facts, file: string): string | undefined {
  const { configuration, isSynthesised, state } = facts;
  if (configuration === undefined) return undefined;
  const { root, rootModule } = configuration.project;
  if (isOutside(placeOf(configuration, root), file)) {
    return `the file is outside the folder of state ${state.name}`;
  }
  const isOwn = rootModule.files.some(({ path }) => placeOf(configuration, path) === file);
  return isSynthesised && !isOwn ? 'CDKTF copies the file from a module' : undefined;
}
