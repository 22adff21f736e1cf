import { join } from 'node:path';
import {
  allowedMajors,
  allowsVersion,
  findProviderMajor,
  NEWEST_MAJOR,
  PROVIDER_MAJORS,
  type ProviderMajor,
  providerMajors,
} from '../core/provider-majors';
import { type FormatName, isProgram } from '../core/format-names';
import { printable } from '../core/printable';
import { textOfFile } from '../files/read-files';
import { BINDINGS, cdktfProvider, isCloudflareSource, packagesOf } from './cdktf-project';
import { type ConfigProject, placeOfBlock, type ProviderRequirement } from '../tfconfig/config';
import { findBlocksOfTypes } from '../tfconfig/find-blocks';
import { legacyWafTypes } from '../tfstate/legacy-waf-types';
import { readConfiguration } from './read-configuration';

export interface DetectedProvider {
  readonly major: ProviderMajor;
  /** Part of a sentence: `.terraform.lock.hcl selects 4.52.8`. */
  readonly because: string;
}

/**
 * Detects the provider major version for a stack. In each folder, the first of these decides: the lock file,
 * the CDKTF bindings in package.json, a version constraint that allows only one major version, a block of the
 * legacy WAF. If no folder has one, it is the newest.
 * @param folders the nearest first; the first with a result wins
 * @param format only a CDKTF format considers the CDKTF bindings
 */
export async function detectProvider(
  folders: readonly string[],
  format: FormatName,
): Promise<DetectedProvider> {
  for (const folder of folders) {
    const detected =
      byLock(folder) ??
      (isProgram(format) ? byBindings(folder) : undefined) ??
      (await byConstraint(folder)) ??
      (await byLegacyBlock(folder));
    if (detected !== undefined) return detected;
  }
  return { major: NEWEST_MAJOR, because: 'the default' };
}

function byLock(folder: string): DetectedProvider | undefined {
  const version = lockedVersion(folder);
  const major = findProviderMajor(version ?? '');
  if (version === undefined || major === undefined) return undefined;
  return { major, because: `.terraform.lock.hcl selects ${version}` };
}

export function byBindings(folder: string): DetectedProvider | undefined {
  const version = /\d+/.exec(packagesOf(folder).get(BINDINGS) ?? '')?.[0];
  if (version === undefined) return undefined;
  const begun = PROVIDER_MAJORS.filter(
    (major) => providerMajors[major].firstBindings <= Number(version),
  );
  const because = `package.json has ${BINDINGS} ${version}, its bindings`;
  return { major: begun.at(-1) ?? NEWEST_MAJOR, because };
}

/** The only major version that the version constraints of a folder allow. */
export async function byConstraint(folder: string): Promise<DetectedProvider | undefined> {
  const constraint = (await requiredVersion(folder)) ?? '';
  const [major, another] = allowedMajors(constraint);
  if (major === undefined || another !== undefined) return undefined;
  return { major, because: `the version constraint allows ${printable(constraint, 80)}` };
}

async function byLegacyBlock(folder: string): Promise<DetectedProvider | undefined> {
  const project = (await readConfiguration('.', folder))?.project;
  const [block] = project === undefined ? [] : findBlocksOfTypes(project, legacyWafTypes);
  return block && { major: 3, because: `only provider 3 has ${block.block.address}` };
}

/** The version of the Cloudflare provider in a folder's `.terraform.lock.hcl`, if there is one. */
export function lockedVersion(dir: string): string | undefined {
  const lock = textOfFile(join(dir, '.terraform.lock.hcl'));
  const block = /^provider "[^"]*\/cloudflare\/cloudflare" \{$([^}]*)/m.exec(lock)?.[1] ?? '';
  return /^[ \t]*version\s*=\s*"(\d+\.\d+\.\d+)"/m.exec(block)?.[1];
}

/** Whether an entry of `required_providers` is the Cloudflare provider; without a source, its name decides. */
export function isCloudflareRequirement({ name, source }: ProviderRequirement): boolean {
  return isCloudflareSource(source ?? name);
}

/** The version constraint of the Cloudflare provider in the readable files of a folder. */
export async function requiredVersion(folder: string): Promise<string | undefined> {
  const ofCdktf = cdktfProvider(folder)?.version;
  if (ofCdktf !== undefined) return ofCdktf;
  const configuration = await readConfiguration('.', folder);
  return configuration && constraintOf(configuration.project);
}

/** The blocks whose version constraint of the Cloudflare provider excludes a major version: `versions.tf:1`. */
export function placesExcluding(major: ProviderMajor, project: ConfigProject): string[] {
  return requirementsOf(project)
    .filter(({ version = '' }) => !allowedMajors(version).includes(major))
    .map(({ block }) => placeOfBlock(block));
}

/** The version constraint of a configuration that allows only other major versions than some. */
export function constraintExcluding(
  majors: readonly number[],
  project: ConfigProject,
): string | undefined {
  const constraint = constraintOf(project);
  const allowed = allowedMajors(constraint ?? '');
  return allowed.length > 0 && !allowed.some((one) => majors.includes(one))
    ? constraint
    : undefined;
}

/** The version constraint of a configuration that allows the major of a locked version, but not that version. */
export function constraintWithin(locked: string, project: ConfigProject): string | undefined {
  const constraint = constraintOf(project) ?? '';
  const isOfMajor = allowedMajors(constraint).some((one) => one === findProviderMajor(locked));
  return isOfMajor && !allowsVersion(constraint, locked) ? constraint : undefined;
}

/** The version constraints of the Cloudflare provider in a configuration; undefined if it has none. */
export function constraintOf(project: ConfigProject): string | undefined {
  const constraints = requirementsOf(project).flatMap(({ version }) => version ?? []);
  return constraints.length === 0 ? undefined : [...new Set(constraints)].join(', ');
}

const requirementsOf = ({ modules }: ConfigProject): ProviderRequirement[] =>
  [...modules.values()].flatMap(({ requirements }) => requirements.filter(isCloudflareRequirement));
