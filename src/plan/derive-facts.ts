import { legacyWafTypes } from '../tfstate/legacy-waf-types';
import { findBlocksOfTypes } from '../tfconfig/find-blocks';
import { calledFolder } from '../tfconfig/config';
import { providerMajors } from '../core/provider-majors';
import { blockKey, blockKeys, planRemoval, unheldBlocks } from './edit-configuration';
import {
  type Departure,
  type Facts,
  type OwnedRuleset,
  type OwnedZone,
  type PlannedImport,
  type PlannedZone,
  type PlanScope,
  type RetiredResource,
  type StateFacts,
  type StepFacts,
} from './facts';
import { counted, shortList } from './findings';
import { holds, isEntryPointOf } from './owners';
import { knowsLegacyWaf, majorOf, retiredTypes, versionsOf } from './provider-versions';
import { type FileEdit, planNewFile } from '../tfconfig/plan-edit';
import { isSynthesised } from '../tfconfig/synthesised';
import { backupFile, inFolder } from './paths';

/** What the plan removes from a state for the selected zones. */
export function departureOf(state: StateFacts, scope: PlanScope): Departure {
  const { asked, zones, owned } = scope;
  const { configuration, installed, legacyResources } = state;
  const { from, to } = versionsOf(asked.length === 0 ? { ...state, wanted: undefined } : state);
  const own = owned.filter(({ owner }) => owner === state);
  const imports = own.filter(({ imported }) => !imported);
  const legacyBlocks =
    configuration === undefined ? [] : findBlocksOfTypes(configuration.project, legacyWafTypes);
  // a state without any zone of the plan is probably the wrong one, so it stays unchanged
  const isConcerned = zones.some((zone) => holds(state, zone));
  const declares = own.length > 0 && legacyBlocks.some(isManaged);
  const isMeant = isConcerned || imports.length > 0 || declares;
  const method = scope.method === 'blocks' && isMeant ? 'blocks' : 'commands';
  const orphans = orphanedProviders(state);
  const reimported = rulesetsToImportAgain(state, from, to);
  const leavesAll =
    asked.length === 0 ||
    method === 'blocks' ||
    installed === undefined ||
    reimported.length > 0 ||
    orphans.size > 0 ||
    !knowsLegacyWaf(from) ||
    !knowsLegacyWaf(to) ||
    legacyResources.length === 0;
  const facts = {
    state,
    from,
    to,
    method,
    own,
    imports,
    legacyBlocks,
    orphans,
    reimported,
  } as const;
  const blockages = asked.length === 0 ? blockagesOf(facts) : [];
  const isUnreadable = own.length > 0 && !knowsLegacyWaf(from);
  const mayLeave = isConcerned || imports.length > 0 || isUnreadable || blockages.length > 0;
  const selected = new Set<string | undefined>([undefined, ...zones.map(({ zoneId }) => zoneId)]);
  const leaving = legacyResources.filter(({ mode, zoneId }) => {
    if (!mayLeave) return false;
    return leavesAll || mode === 'data' || (isConcerned && selected.has(zoneId));
  });
  return { ...facts, leavesAll, blockages, leaving };
}

/** The keys of the blocks whose resources stay in a state. Blocks that they share with removed resources stay too. */
export function keptBlocks({ state, leaving }: Departure): readonly string[] {
  const { configuration, legacyResources } = state;
  if (configuration === undefined) return [];
  const gone = new Set(leaving);
  const staying = legacyResources.filter((one) => !gone.has(one));
  return blockKeys(
    configuration,
    staying.map(({ address }) => address),
  );
}

/**
 * The facts of one state.
 * @param kept keys of the blocks that still have resources in any state of the plan
 */
export function factsOf(departure: Departure, scope: PlanScope, kept: ReadonlySet<string>): Facts {
  const { state, to, method, own, imports, legacyBlocks, leaving, leavesAll } = departure;
  const { asked, isAlone } = scope;
  const { configuration, legacyResources, installed } = state;
  const keepsAll = leaving.length === 0 && imports.length === 0;
  const rulesets = withOwned(own, state, asked);
  const isMigrated = keepsAll && legacyResources.length === 0;
  const importsAgain =
    isMigrated &&
    installed !== undefined &&
    departure.reimported.length > 0 &&
    legacyBlocks.length === 0 &&
    asked.some((zoneId) => state.rulesets.some(isEntryPointOf(zoneId)));
  const blocking = blockingFirewallRules(state, to);
  const isBlocked = isMigrated && rulesets.length > 0 && blocking.length > 0;
  const leaves = asked.length === 0 ? blocking.length > 0 : !keepsAll || importsAgain || isBlocked;
  const retiring = leaves && retiredTypes(to).length > 0 ? state.retired : [];
  const leftBefore = isAlone && imports.length > 0 && legacyResources.length === 0;
  const removesBlocks =
    method === 'blocks' &&
    configuration !== undefined &&
    legacyBlocks.some((one) => isManaged(one) && !kept.has(blockKey(configuration, one)));
  const isIdle =
    keepsAll && !importsAgain && !isBlocked && !removesBlocks && departure.blockages.length === 0;
  const addresses = [...leaving, ...retiring].map(({ address }) => address);
  const removal =
    configuration === undefined || (isIdle && method !== 'blocks')
      ? undefined
      : planRemoval(configuration, {
          leaving: addresses,
          kept,
          all:
            asked.length === 0 ||
            method === 'blocks' ||
            (leaving.length === 0 ? leftBefore : leavesAll),
          retired: retiredTypes(to),
          isAlone,
        });
  const unheld =
    leaving.length > 0
      ? leavesAll
        ? []
        : unheldBlocks(state)
      : asked.length === 0 || leftBefore || removesBlocks || legacyResources.length > 0
        ? []
        : legacyBlocks.map(({ block }) => block.address);
  const decided = { rulesets, importsAgain, retiring, leftBefore, removal, unheld };
  return { ...departure, scope, ...decided, isIdle };
}

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

/** Imports a ruleset again at the address where the configuration declares it. */
function importAgain(
  { address, id = '', zoneId, accountId = '' }: OwnedRuleset,
  ofZone: (zoneId: string, rulesetId: string) => string,
): PlannedImport {
  const importId = zoneId === undefined ? `accounts/${accountId}/${id}` : ofZone(zoneId, id);
  return { zoneId: zoneId ?? accountId, rulesetId: id, address, importId, declared: true };
}

/** The edit that declares the ruleset. Returns undefined if the text is unknown or the file exists. */
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

const isManaged = ({ mode }: { readonly mode: string }): boolean => mode === 'managed';

/** The resources and blocks that stop `terraform plan` (measured, 3.35 to 5.22). */
function blockagesOf({
  state,
  from,
  legacyBlocks,
  orphans,
}: Pick<Departure, 'state' | 'from' | 'legacyBlocks' | 'orphans'>): string[] {
  const { installed, legacyResources, rulesets } = state;
  const managed = legacyResources.filter(isManaged);
  // provider 3 plans to create resources that only the files declare
  const isUnknown = installed !== undefined && !knowsLegacyWaf(from) && managed.length === 0;
  const declared = isUnknown ? legacyBlocks.filter(isManaged) : [];
  const data = legacyBlocks.filter(({ mode }) => mode === 'data');
  const unread = [
    ...(installed === undefined ? [] : blockingFirewallRules(state, installed)),
    ...(installed !== undefined && majorOf(installed) === 5
      ? rulesets.filter(({ precedesFive }) => precedesFive)
      : []),
  ];
  return [
    ...(declared.length === 0
      ? []
      : [`${declared.length} legacy resources that only the files declare`]),
    ...counted(managed.map(({ type }) => type)),
    ...(data.length === 0 ? [] : [`${data.length} legacy data sources`]),
    ...(unread.length === 0 ? [] : [shortList(unread.map(({ address }) => address))]),
    ...[...orphans].map(([provider, count]) => `${count} resources use ${provider}, which is gone`),
  ];
}

/**
 * Returns all rulesets if the major changes, and those of an earlier major if it stays 5. The state upgrade of provider
 * 5 fails for some versions: 3.35.0 under 5.22.0, 4.52.8 under 5.19 to 5.21.1, 4.52.9 under 5.22.0.
 */
function rulesetsToImportAgain(
  { rulesets }: StateFacts,
  from: string,
  to: string,
): readonly OwnedRuleset[] {
  if (majorOf(to) > majorOf(from)) return rulesets;
  return majorOf(to) < 5 ? [] : rulesets.filter(({ precedesFive }) => precedesFive);
}

/** Firewall rules that a provider version cannot read from state. It reads filters (measured). */
function blockingFirewallRules({ retired }: StateFacts, version: string): RetiredResource[] {
  return providerMajors[majorOf(version)].plansFirewallRules
    ? []
    : retired.filter(({ type }) => type === 'cloudflare_firewall_rule');
}

/**
 * Missing provider configurations that legacy resources use, with the number of these resources. Terraform fails with
 * "Provider configuration not present" (measured).
 */
function orphanedProviders({
  configuration,
  legacyResources,
}: StateFacts): ReadonlyMap<string, number> {
  const orphans = new Map<string, number>();
  if (configuration === undefined) return orphans;
  const { project } = configuration;
  for (const { provider, mode } of legacyResources) {
    if (provider === undefined || mode === 'data') continue;
    const { module, alias, text } = provider;
    // the root module has a default configuration even if no block declares it
    if (module === '' && alias === undefined) continue;
    const calls = module === '' ? [] : module.replace(/^module\./, '').split('.module.');
    const dir = calls.reduce<string | undefined>((at, name) => {
      if (at === undefined) return undefined;
      const call = project.modules.get(at)?.calls.find((one) => one.name === name);
      return call === undefined ? undefined : calledFolder(at, call.source);
    }, project.root);
    const providers = dir === undefined ? [] : (project.modules.get(dir)?.providers ?? []);
    if (providers.some((one) => one.alias === alias)) continue;
    orphans.set(text, (orphans.get(text) ?? 0) + 1);
  }
  return orphans;
}

/** Adds the zones without a lookup whose rulesets are in the state, so that these rulesets stay. */
function withOwned(
  own: readonly OwnedZone[],
  owner: StateFacts,
  asked: readonly string[],
): readonly OwnedZone[] {
  const known = new Set(own.map(({ zoneId }) => zoneId));
  const others = asked.filter((zoneId) => !known.has(zoneId));
  return [
    ...own,
    ...others.flatMap((zoneId) =>
      owner.rulesets
        .filter(isEntryPointOf(zoneId))
        .map(({ address, id = '' }) => ({ zoneId, rulesetId: id, address, owner, imported: true })),
    ),
  ];
}
