import { type ConfigBlock, type ConfigFile } from '../blocks/config-file';
import { type ResourceBlock } from '../blocks/config-module';
import { type ConfigProject } from '../blocks/config-project';
import { type FileEdit } from '../blocks/file-edit';
import { copiesOf, originOf } from '../blocks/generated-blocks';
import { findBlocks } from '../blocks/find-blocks';
import { findOldBlocks } from '../blocks/find-old-blocks';
import { findReferences } from '../blocks/find-references';
import { type HclGrammar } from '../blocks/hcl-grammar';
import { isSynthesised } from '../blocks/is-synthesised';
import { planEdit } from '../blocks/plan-edit';
import { withoutKeys } from '../blocks/resource-address';
import { type Finding } from '../model/finding';
import { oldWafTypes } from '../state/old-waf-types';
import * as finding from './edit-findings';

/** The configuration of a state's folder, read from its files. */
export interface Configuration {
  readonly project: ConfigProject;
  readonly grammar: HclGrammar;
}

/** How the old blocks leave the files: what can be edited, and what only a person can do. */
export interface PlannedRemoval {
  readonly edits: readonly FileEdit[];
  /** Blocks that a person has to take out, as addresses, or construct paths of CDKTF. */
  readonly manual: readonly string[];
  readonly findings: readonly Finding[];
}

/** What leaves a state. */
export interface Departure {
  readonly leaving: readonly string[];
  /** Keys of blocks ({@link blockKeys}) of which something stays, in this state or another one. */
  readonly kept: ReadonlySet<string>;
  /** Whether blocks of old types go although the state has nothing of them. */
  readonly all: boolean;
  /** Types that leave besides the old ones: filters and firewall rules. */
  readonly retired: readonly string[];
  /** Provider configurations that what is declared in their place refers to. */
  readonly used: ReadonlySet<string>;
}

/** The blocks of resources: a module that is called twice has one for both, also for two states. */
export function blockKeys(
  { project }: Configuration,
  addresses: readonly string[],
): readonly string[] {
  const blocks = new Set(addresses.map(withoutKeys));
  return [...blocks].flatMap((address) => findBlocks(project, address).map(keyOf));
}

const keyOf = ({ file, block }: ResourceBlock): string => `${file.path} ${block.range.start}`;

/**
 * Plans how the blocks of what leaves a state leave its configuration. A reference that would break
 * stops the edit of everything: a folder that does not load helps nobody.
 */
export function planRemoval(
  { project, grammar }: Configuration,
  departure: Departure,
): PlannedRemoval {
  const { leaving, kept, all, retired, used } = departure;
  const isKept = (one: ResourceBlock): boolean => kept.has(keyOf(one));
  const addresses = [...new Set(leaving.map(withoutKeys))];
  const declared = addresses.map((address) => ({ address, blocks: findBlocks(project, address) }));
  const found = findOldBlocks(project, { old: oldWafTypes, retired });
  const shared = declared.filter(({ blocks }) => blocks.some(isKept));
  const going = new Map<ConfigBlock, ResourceBlock>();
  const others = all ? [...found.old, ...found.retired] : [];
  for (const one of [...declared.flatMap(({ blocks }) => blocks), ...others]) {
    if (!isKept(one)) going.set(one.block, one);
  }
  // a program makes the change in one go: nothing of it is edited beside
  const byProgram = isSynthesised(project) ? [...going.values()] : undefined;
  const missing = declared
    .filter(({ blocks }) => blocks.length === 0)
    .map(({ address }) => address);
  // what another zone shares, and what is gone already, is nothing for a person to take out
  const stopped = declared
    .filter(({ blocks }) => !blocks.every(isKept))
    .map(({ address }) => address);
  // by its reference a provider configuration is named only as one that is left over
  const references = findReferences(project, new Set(going.keys()), grammar).filter(
    ({ from }) => !used.has(from),
  );
  const breaking = references.filter(({ effect }) => effect === 'breaks');
  const isStopped = breaking.length > 0 || byProgram !== undefined;
  const edits = isStopped ? [] : editsOf([...going.values()]);
  const inModules = missing.filter((address) => isUnread(project, address));
  const ofRoot = new Set(project.rootModule.files.map(({ path }) => path));
  return {
    edits,
    manual: [
      ...(byProgram?.flatMap((one) => originOf(project, one)) ?? (isStopped ? stopped : [])),
      ...inModules,
    ],
    findings: [
      ...breaking.map((one) => finding.referenceBreaks(one, ofRoot.has(one.file))),
      ...references.filter(({ effect }) => effect !== 'breaks').map(finding.referenceStays),
      ...found.inChecks.map(({ type, name, file }) =>
        finding.dataInCheck(`${type}.${name}`, file.path),
      ),
      ...shared.map(({ address }) => finding.blockShared(address)),
      ...inModules.map(finding.moduleNotRead),
      ...copiesOf(project, byProgram ?? []).map(finding.moduleCopied),
      ...missing.filter((address) => !inModules.includes(address)).map(finding.blockGone),
    ],
  };
}

function editsOf(going: readonly ResourceBlock[]): FileEdit[] {
  const byFile = new Map<ConfigFile, ConfigBlock[]>();
  for (const { file, block } of going) byFile.set(file, [...(byFile.get(file) ?? []), block]);
  return [...byFile]
    .sort(([a], [b]) => (a.path < b.path ? -1 : 1))
    .flatMap(([file, blocks]) => planEdit(file, blocks) ?? []);
}

/** Whether an address lies in a module whose files are not among those that were read. */
function isUnread(project: ConfigProject, address: string): boolean {
  return project.unread.some(({ name }) => address.includes(`module.${name}.`));
}
