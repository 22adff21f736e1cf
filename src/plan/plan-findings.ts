import { startsOf } from '../blocks/find-blocks';
import { withoutKeys } from '../blocks/resource-address';
import { type Finding } from '../model/finding';
import { printable } from '../model/printable';
import { providerMajors } from '../model/provider-majors';
import { isEntryPointOf } from './assign-owners';
import { allOldBlocks, oldResourceBlocks } from './old-data-sources';
import { type PlannedState, type PlannedZone } from './planned-state';
import { majorOf, precedes } from './provider-version';
import { typeOfAddress, unknownTypes } from './unknown-types';

/** A later provider that was asked for comes with what leaves or enters a state, and with nothing else. */
export function noOldResources(state: PlannedState): Finding {
  const { name, installed } = state;
  const [kept, goOn] = isToChangeMajor(state)
    ? [
        `; its provider stays ${installed}`,
        state.oldResources.some(({ zoneId }) => zoneId !== undefined)
          ? '; a later provider does not know the old resources that it holds of other zones: to change it, pass --zone for these too'
          : '; to go on with a run that ended before the provider was changed, apply the plan of that run',
      ]
    : ['', ''];
  return {
    code: 'NO_OLD_RESOURCES',
    severity: 'info',
    subject: name,
    message: `this state holds no old WAF resource that the plan concerns: nothing to remove${kept}`,
    remedy: `check that it is the right state and workspace${goOn}`,
  };
}

function isToChangeMajor({ installed, wanted }: PlannedState): boolean {
  return installed !== undefined && wanted !== undefined && majorOf(wanted) > majorOf(installed);
}

/** What the state shows no more was taken out of it by hand, or it is not the right state. */
export function leftBefore(state: PlannedState, imports: readonly PlannedZone[]): Finding[] {
  const isDeclared = ({ address }: PlannedZone): boolean =>
    state.declared.some((one) => one.address === address);
  if (imports.every(isDeclared) && oldBlocksOf(state).length === 0) return [];
  return [
    {
      code: 'OLD_RESOURCES_LEFT_BEFORE',
      severity: 'decision',
      subject: state.name,
      message:
        'this state holds nothing of the previous WAF: the plan takes it that the old resources have left it before, imports the ruleset, and takes their blocks out of the files',
      remedy: 'check that it is the right state and workspace, and that no other one holds them',
    },
  ];
}

function oldBlocksOf({ oldResources, configuration }: PlannedState): readonly string[] {
  return oldResources.length > 0 || configuration === undefined
    ? []
    : oldResourceBlocks(configuration);
}

/** Data sources too: every plan of provider 3 reads them, and no later one knows them. */
function inTheWay({ oldResources, configuration }: PlannedState): readonly string[] {
  return oldResources.length > 0 || configuration === undefined ? [] : allOldBlocks(configuration);
}

/**
 * What is declared and in no state is to be created, which nothing can do any more.
 * @param blocks of which the state holds nothing; all of them, where it holds nothing old
 */
export function oldBlocksDeclared(state: PlannedState, blocks = inTheWay(state)): Finding[] {
  if (blocks.length === 0) return [];
  const more = blocks.length > 8 ? ` and ${blocks.length - 8} more` : '';
  return [
    {
      code: 'OLD_BLOCKS_DECLARED',
      severity: 'decision',
      subject: state.name,
      message: `the configuration declares legacy blocks that the state does not hold: Terraform plans to create or read them unless their count is 0, or does not know their types: ${printable(blocks.slice(0, 8).join(', ') + more, 1000)}`,
      remedy:
        'delete these blocks, unless another workspace or environment holds something of them, which Terraform would then destroy there: there is nothing to remove from this state (`plan` without --zone plans that edit where provider 4 or 5 is installed)',
    },
  ];
}

export function rulesetOwned(zone: PlannedZone): Finding {
  return {
    code: 'RULESET_IN_STATE',
    severity: 'info',
    subject: zone.zoneId,
    message: `the state already owns the ruleset ${zone.rulesetId}, or has the address ${zone.address}: no import is planned`,
    remedy: 'if it is another resource at that address, choose another one with --address',
  };
}

export function retiredLeave(retired: readonly { readonly address: string }[]): Finding {
  return {
    code: 'FIREWALL_RULES_LEAVE',
    severity: 'decision',
    subject: retired.map(({ address }) => address).join(', '),
    message:
      'provider 5 cannot plan with these filters and firewall rules in the state; their interface is retired, so they leave it too',
    remedy:
      'the service has turned them into custom rules: manage those with a cloudflare_ruleset of their own',
  };
}

/** The identifiers that an import takes differ by major. */
export function providerAssumed(
  state: PlannedState,
  { from, to }: { readonly from: string; readonly to: string },
): Finding {
  return {
    code: 'PROVIDER_ASSUMED',
    severity: 'info',
    subject: state.name,
    message: `which provider is installed is not known: ${from} is assumed, and imports are written for ${to}`,
    remedy: 'pass --from with the version that .terraform.lock.hcl selects',
  };
}

/** Versions that came after those that were tested work as far as is known. */
export function newerThanTested(
  { name }: PlannedState,
  { from, to }: { readonly from: string; readonly to: string },
): Finding[] {
  return [...new Set([from, to])].flatMap((version) => {
    const { last } = providerMajors[majorOf(version)];
    if (!precedes(last, version)) return [];
    return {
      code: 'PROVIDER_NEWER_THAN_TESTED',
      severity: 'info',
      subject: name,
      message: `provider ${version} is newer than ${last}, the newest version that was tested`,
      remedy: 'rehearse the plan before you apply it',
    };
  });
}

/** The user and tf-migrate change their blocks and entries, not this plan. */
export function othersChangeMajor(
  state: PlannedState,
  to: string,
  asked: readonly string[],
): Finding[] {
  const own = state.rulesets.filter((one) => asked.some((zoneId) => isEntryPointOf(zoneId)(one)));
  const unknown = unknownTypes(to);
  const others = state.others
    .map(({ type, count }) => ({
      type,
      count: type === 'cloudflare_ruleset' ? count - own.length : count,
    }))
    .filter(({ type, count }) => count > 0 && !unknown.has(type));
  if (others.length === 0) return [];
  const list = others.map(({ type, count }) => `${type} (${count})`).join(', ');
  return [
    {
      code: 'OTHER_RESOURCES_CHANGE_MAJOR',
      severity: 'info',
      subject: state.name,
      message: `the change to provider ${to} concerns other Cloudflare resources of this state: ${list}`,
      remedy: 'follow the upgrade guide of the provider for them, or leave out --to and stay',
    },
  ];
}

/** Measured with 5.22.0: a block of an unknown type stops every import, an entry without `moved` every plan. */
export function typesUnknownToProvider(state: PlannedState, to: string): Finding[] {
  const { configuration, unknownEntries = [] } = state;
  const declared = [...(configuration?.project.modules.values() ?? [])]
    .flatMap(({ resources }) => resources)
    .filter(({ mode }) => mode === 'managed');
  const moved = new Set(configuration && startsOf(configuration.project, 'moved').map(withoutKeys));
  return [...unknownTypes(to)].flatMap(([type, newTypes]): Finding[] => {
    const blocks = declared
      .filter((one) => one.type === type)
      .map(({ block }) => `${block.address} (${block.file}:${block.range.startLine})`);
    const entries = unknownEntries.filter((address) => typeOfAddress(address) === type);
    if (blocks.length + entries.length === 0) return [];
    const unmoved = entries.filter((address) => !moved.has(withoutKeys(address)));
    const found = { code: 'TYPE_UNKNOWN_TO_PROVIDER', subject: type };
    if (blocks.length + unmoved.length === 0) {
      return [
        {
          ...found,
          severity: 'info',
          message: `provider ${to} does not know this type. \`moved\` blocks cover every entry of the state (${entries.length}), and the checks of this plan accept these moves`,
          remedy: 'after the plan, run `terraform apply` to write the moves to the state',
        },
      ];
    }
    const what = [
      ...(blocks.length === 0 ? [] : [`Blocks stop every import: ${shortList(blocks)}`]),
      ...(unmoved.length === 0
        ? []
        : [`State entries without a \`moved\` block stop every plan: ${shortList(unmoved)}`]),
    ];
    return [
      {
        ...found,
        severity: configuration === undefined ? 'decision' : 'blocker',
        message: printable(`provider ${to} does not know this type. ${what.join('. ')}`, 1000),
        remedy:
          newTypes.length === 0
            ? 'delete the blocks, remove the entries from state with `terraform state rm`, then plan again'
            : `rename the blocks to ${newTypes.join(' or ')} and add a \`moved\` block for each (tf-migrate does both), then plan again`,
      },
    ];
  });
}

function shortList(items: readonly string[]): string {
  const more = items.length > 8 ? ` and ${items.length - 8} more` : '';
  return items.slice(0, 8).join(', ') + more;
}
