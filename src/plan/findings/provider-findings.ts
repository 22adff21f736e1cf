import { groupBy, listed } from '../../core/lists';
import { partsBefore, withoutKeys } from '../../core/resource-address';
import { allowedMajors, listedMajors } from '../../core/provider-majors';
import { declaredRulesets, isOfOtherProvider, laterMajor } from '../../project/declared-rulesets';
import { constraintExcluding, constraintWithin } from '../../project/provider-version';
import { namedBlock } from '../../tfconfig/config';
import { type Configuration } from '../../project/read-configuration';
import { findBlocks, findBlocksOfTypes, inUnreadModule } from '../../tfconfig/find-blocks';
import { legacyWafTypes } from '../../tfstate/legacy-waf-types';
import { type Facts, type StateFacts } from '../facts/facts';
import { majorOf, retiredTypes, unknownTypes } from '../facts/provider-versions';
import { declareAgain, planUpgrade } from '../steps/declare-live';
import { finding, oneFinding, type Rule } from './rule';

/** Findings about provider versions. */
export const ofProvider: readonly Rule<Facts>[] = [
  finding(
    'RULESET_OF_OTHER_PROVIDER',
    'decision',
    'A ruleset is written for another provider version',
    ({ state, own: zones, from, to, isIdle, upgradeTo, isSynthesised }) => {
      const { configuration, declared, dir, installed, wanted } = state;
      if (installed === undefined && wanted === undefined) return [];
      // the bindings of a program change for all of its stacks
      const isUpgraded = upgradeTo !== undefined && (isSynthesised || !isIdle);
      const major = majorOf(isUpgraded ? to : from);
      const first = isSynthesised
        ? `use the bindings of provider ${major} (package.json, or terraformProviders of cdktf.json), because other bindings synthesise it wrongly; then `
        : '';
      // Terraform also checks the rulesets of other workspaces
      const ofFiles = configuration === undefined ? declared : declaredRulesets(configuration);
      return ofFiles
        .filter((one) => isOfOtherProvider(one, major))
        .map(({ address, majors = [], dir: own = dir, ...declaration }) => {
          // the state tells the zone of a variable
          const ofPlan = zones.find((one) => one.imported && withoutKeys(one.address) === address);
          const zoneId = declaration.zoneId ?? ofPlan?.zoneId;
          // the user may have rewritten it for an upgrade
          const later = upgradeTo === undefined ? laterMajor({ majors }, major) : undefined;
          const upgrade = later && planUpgrade({ dir, isSynthesised }, later);
          const about = {
            subject: address,
            message: `it is written for provider ${majors.join(' or ')}: provider ${major} refuses it, or ignores a part of it`,
          };
          if (upgrade !== undefined) {
            const remedy =
              zoneId === undefined
                ? `rewrite its block by hand for provider ${major} before you plan or apply again, or plan the upgrade`
                : `before you apply again, plan the upgrade, or write it for provider ${major} again`;
            return { ...about, remedy, command: upgrade };
          }
          if (zoneId === undefined) {
            const remedy = `rewrite its block by hand for provider ${major} before you plan or apply again: \`generate\` writes only the managed ruleset of a known zone`;
            return { ...about, remedy };
          }
          const { remedy, command } = declareAgain(
            { dir: own, isSynthesised, configuration },
            { zoneId, address },
            '--provider',
            String(major),
          );
          return { ...about, remedy: `before you plan or apply again, ${first}${remedy}`, command };
        });
    },
  ),
  finding(
    'FIREWALL_RULES_LEAVE',
    'decision',
    'Filters and firewall rules are removed from the state too',
    ({ retiring, to }) =>
      oneFinding(retiring, (addresses) => ({
        subject: addresses.join(', '),
        message: `provider ${majorOf(to)} cannot plan with them in the state`,
        remedy:
          'Cloudflare has converted them to custom rules: manage those with a separate cloudflare_ruleset',
      })),
  ),
  finding(
    'PROVIDER_NOT_INSTALLED',
    'blocker',
    'The configuration requires another provider version than the installed one',
    ({ state, configuration, isIdle, isSynthesised, scope, upgradeTo }) => {
      const { dir, installed, wanted, locked } = state;
      if ((isIdle && !scope.isAlone) || installed === undefined) return [];
      // the constraint may be that of an upgrade already
      const usable = [installed, ...(wanted === undefined ? [] : [wanted])].map(majorOf);
      const constraint =
        configuration &&
        (constraintExcluding(usable, configuration.project) ??
          // an upgrade installs another version
          (locked !== undefined && upgradeTo === undefined
            ? constraintWithin(locked, configuration.project)
            : undefined));
      if (constraint === undefined) return [];
      const later = allowedMajors(constraint).find((major) => major > majorOf(installed));
      return {
        subject: dir,
        message: `it requires provider ${constraint}, but the lock file selects ${locked ?? installed}: every plan and import fails`,
        ...(later === undefined
          ? {
              remedy:
                'run `terraform init -upgrade` there, or restore the constraint; then plan again',
            }
          : {
              remedy: 'restore the constraint, or plan the upgrade',
              command: planUpgrade({ dir, isSynthesised }, later),
            }),
      };
    },
  ),
  // provider 5.22.0 (measured): a block of an unknown type stops every import
  finding(
    'TYPE_UNKNOWN_TO_PROVIDER',
    'blocker',
    'The provider does not support a resource type',
    ({ state, configuration, to, isIdle, upgradeTo, scope }) => {
      if (configuration === undefined) return [];
      const isOfPlan = !isIdle || (upgradeTo === undefined && scope.isAlone);
      const left = isOfPlan ? withoutBlock(state, configuration) : [];
      const ofState = oneFinding(left, (addresses) => ({
        subject: state.name,
        message: `provider ${to} does not support the types of these resources, which the state has without a block: ${listed(addresses, 100)}`,
        remedy: `do not apply with provider ${listedMajors((major) => major < majorOf(to))} before: it would destroy resources without a block, which resets their settings. If the block has a new type, add a \`moved\` block. Otherwise run \`terraform state rm\` with each address in this folder and workspace, which sends no request, then plan again`,
      }));
      if (isIdle) return ofState;
      const types = unknownTypes(to).map((type) => ({ mode: 'managed' as const, type }));
      const blocks = groupBy(findBlocksOfTypes(configuration.project, types), ({ type }) => type);
      const ofBlocks = [...blocks].map(([type, found]) => ({
        subject: type,
        message: `provider ${to} does not support this type. Blocks stop every import: ${listed(found.map(({ block }) => namedBlock(block)))}`,
        remedy:
          'rename the blocks to the new type and add a `moved` block for each (tf-migrate does both). If there is no new type, first remove their resources from the state with `terraform state rm`, which sends no request, then delete the blocks. Then plan again',
      }));
      return [...ofBlocks, ...ofState];
    },
  ),
  finding(
    'OTHERS_UPGRADED',
    'info',
    'The new provider version is for other resources too',
    ({ state, configuration, to, upgradeTo }) => {
      if (configuration === undefined || upgradeTo === undefined) return [];
      const ofPlan = legacyWafTypes.map(({ type }) => type);
      const known = [...ofPlan, ...unknownTypes(to), ...retiredTypes(to), 'cloudflare_ruleset'];
      const blocks = [...configuration.project.modules.values()]
        .flatMap(({ resources }) => resources)
        .filter(({ type }) => type.startsWith('cloudflare_') && !known.includes(type));
      return oneFinding(blocks, () => ({
        subject: state.name,
        message: `provider ${to} can need other arguments for these: ${listed(blocks.map(({ block }) => namedBlock(block)))}`,
        remedy: 'run `rehearse` before `apply`: it shows what to change in their blocks',
      }));
    },
  ),
];

/** The resources of unsupported types that no block declares, and that no `moved` block gives another type. */
function withoutBlock(
  { unsupported = [], pendingMoves }: StateFacts,
  { project }: Configuration,
): readonly string[] {
  const isUnread = inUnreadModule(project);
  return [...new Set(unsupported)].filter((address) => {
    const plain = withoutKeys(address);
    const isMoved = partsBefore(plain).some((part) => pendingMoves.includes(part));
    return !isMoved && !isUnread(plain) && findBlocks(project, plain).length === 0;
  });
}
