import { type ConfigBlock } from '../blocks/config-file';
import { type ResourceBlock } from '../blocks/config-module';
import { type ConfigProject } from '../blocks/config-project';
import { type FileEdit } from '../blocks/file-edit';
import { copiesOf, originOf } from '../blocks/generated-blocks';
import { addressesOf, findBlocks, modulePaths } from '../blocks/find-blocks';
import { findOldBlocks } from '../blocks/find-old-blocks';
import { findReferences } from '../blocks/find-references';
import { groupBy } from '../blocks/group-by';
import { isSynthesised } from '../blocks/is-synthesised';
import { planEdit } from '../blocks/plan-edit';
import { withoutKeys } from '../blocks/resource-address';
import { compareTexts } from '../model/compare-texts';
import { type Finding } from '../model/finding';
import { parseAddress } from '../state/address';
import { oldWafTypes } from '../state/old-waf-types';
import { blockKey, otherNames, placeOf } from './block-keys';
import { type Configuration } from './configuration';
import * as finding from './edit-findings';

/** How the old blocks leave the files: what can be edited, and what only a person can do. */
export interface PlannedRemoval {
  readonly edits: readonly FileEdit[];
  /** Addresses of the resources whose blocks go, also those of which the state holds nothing. */
  readonly going: readonly string[];
  /** Blocks that a person has to take out, as addresses, or construct paths of CDKTF. */
  readonly manual: readonly string[];
  /** Whether a reference would break: then nothing is edited. */
  readonly breaks: boolean;
  readonly findings: readonly Finding[];
}

/** What leaves a state. */
export interface Departure {
  readonly leaving: readonly string[];
  /** Keys of blocks ({@link blockKey}) of which something stays, in this state or another one. */
  readonly kept: ReadonlySet<string>;
  /** Whether blocks of old types go although the state has nothing of them. */
  readonly all: boolean;
  /** Whether the provider that the configuration is for then has a schema for the old types. */
  readonly knowsOldWaf: boolean;
  /** Types that leave besides the old ones: filters and firewall rules. */
  readonly retired: readonly string[];
  /** Provider configurations that what is declared in their place refers to. */
  readonly used: ReadonlySet<string>;
}

/**
 * Plans how the blocks of what leaves a state leave its configuration. A reference that would break
 * stops the edit of everything: a folder that does not load helps nobody.
 */
export function planRemoval(configuration: Configuration, departure: Departure): PlannedRemoval {
  const { project, grammar } = configuration;
  const { leaving, kept, all, knowsOldWaf, retired, used } = departure;
  const isKept = (one: ResourceBlock): boolean => kept.has(blockKey(configuration, one));
  const addresses = [...new Set(leaving.map(withoutKeys))];
  const declared = addresses.map((address) => ({ address, blocks: findBlocks(project, address) }));
  const found = findOldBlocks(project, { old: oldWafTypes, retired });
  const shared = declared.filter(({ blocks }) => blocks.some(isKept));
  const going = new Map<ConfigBlock, ResourceBlock>();
  const others = all ? [...found.old, ...found.retired] : [];
  for (const one of [...declared.flatMap(({ blocks }) => blocks), ...others]) {
    if (!isKept(one)) going.set(one.block, one);
  }
  for (const one of otherNames(configuration, [...going.values()])) going.set(one.block, one);
  // a program makes the change in one go: nothing of it is edited beside
  const byProgram = isSynthesised(project) ? [...going.values()] : undefined;
  const missing = declared
    .filter(({ blocks }) => blocks.length === 0)
    .map(({ address }) => address);
  // what another zone shares, and what is gone already, is nothing for a person to take out
  const stopped = (): ReadonlySet<string> =>
    new Set([
      ...declared.filter(({ blocks }) => !blocks.every(isKept)).map(({ address }) => address),
      ...others
        .filter((one) => going.has(one.block))
        .flatMap(({ file, block }) => addressesOf(project, file, block.address)),
    ]);
  // by its reference a provider configuration is named only as one that is left over
  const references = findReferences(project, new Set(going.keys()), grammar).filter(
    ({ from }) => !used.has(from),
  );
  const breaking = references.filter(({ effect }) => effect === 'breaks');
  const breaks = breaking.length > 0;
  const isStopped = breaks || byProgram !== undefined;
  const edits = isStopped ? [] : editsOf(configuration, [...going.values()]);
  const unread = unreadPaths(project);
  const inModules = missing.filter((address) => unread.some((path) => address.startsWith(path)));
  // without a schema Terraform refuses them; with one, a check that cannot read them warns
  const inChecks = found.inChecks.flatMap(({ type, name, file }) =>
    addressesOf(project, file, `data.${type}.${name}`).map((address) => ({ address, file })),
  );
  const ofRoot = new Set(project.rootModule.files.map(({ path }) => path));
  return {
    edits,
    going: [...going.values()]
      .filter(({ mode }) => mode === 'managed')
      .flatMap(({ file, block }) => addressesOf(project, file, block.address)),
    manual: [
      ...(byProgram?.flatMap((one) => originOf(project, one)) ?? (isStopped ? stopped() : [])),
      ...inModules,
      ...(knowsOldWaf ? [] : inChecks.map(({ address }) => address)),
    ],
    breaks,
    findings: [
      ...breaking.map((one) => finding.referenceBreaks(one, ofRoot.has(one.file))),
      ...references.filter(({ effect }) => effect !== 'breaks').map(finding.referenceStays),
      ...inChecks.map(({ address, file }) => finding.dataInCheck(address, file.path, knowsOldWaf)),
      ...shared.map(({ address }) => finding.blockShared(address)),
      ...inModules.map(finding.moduleNotRead),
      ...copiesOf(project, byProgram ?? []).map(finding.moduleCopied),
      // of a data source nothing is to destroy
      ...missing
        .filter((address) => !inModules.includes(address) && parseAddress(address).mode !== 'data')
        .map((address) => finding.blockGone(address, configuration.tofuFiles)),
    ],
  };
}

/** One edit a file, by the first of its names. */
function editsOf(configuration: Configuration, going: readonly ResourceBlock[]): FileEdit[] {
  const sorted = going.toSorted((a, b) => compareTexts(a.file.path, b.file.path));
  const byPlace = groupBy(sorted, ({ file }) => placeOf(configuration, file.path));
  return [...byPlace.values()].flatMap((same) => {
    const [{ file }] = same;
    const own = same.filter((one) => one.file === file);
    return (
      planEdit(
        file,
        own.map(({ block }) => block),
      ) ?? []
    );
  });
}

/** How the addresses begin that lie in modules whose files are not among those that were read. */
export function unreadPaths(project: ConfigProject): readonly string[] {
  return [...project.modules.values()].flatMap((module) => {
    const names = project.unread.filter(({ dir }) => dir === module.dir).map(({ name }) => name);
    return modulePaths(project, module).flatMap((path) =>
      names.map((name) => `${path === '' ? '' : `${path}.`}module.${name}.`),
    );
  });
}
