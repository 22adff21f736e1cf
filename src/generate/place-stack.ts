import { extname } from 'node:path';
import { type Finding } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { isEntryPointOf } from '../project/entry-points';
import { type Declarations } from '../project/read-declarations';
import { GENERATED, type GeneratedStack } from './generate-stack';

/**
 * Puts a stack into the file that declares it already and nothing else, and that this tool wrote: `apply` names it by
 * the resource, a zone may be called otherwise now. That file is written over, with `--force`, and not a second one.
 */
export function atStandingFile(
  stack: GeneratedStack,
  { resourceName, zoneId }: Pick<PlacedStack, 'resourceName' | 'zoneId'>,
  declared: readonly Declarations[],
): GeneratedStack {
  const { resourceFile } = stack;
  const standing = declared.find(
    ({ file, text, blocks, rulesets, entryPoints }) =>
      extname(file) === extname(resourceFile.path) &&
      blocks === 1 &&
      rulesets.includes(resourceName) &&
      entryPoints.some((one) => isEntryPointOf(one, zoneId)) &&
      text.includes(GENERATED) &&
      providerIn(text) === providerIn(resourceFile.text),
  );
  if (standing === undefined) return stack;
  return { ...stack, resourceFile: { ...resourceFile, path: standing.file } };
}

/** Which configuration of the provider a ruleset goes by, where a plan or a person has chosen one. */
function providerIn(text: string): string | undefined {
  return /^\s*"?provider"?\s*[=:]\s*(.*)$/m.exec(text)?.[1];
}

/** A stack that is to be put among files, and what it declares. */
export interface PlacedStack extends Pick<GeneratedStack, 'address' | 'resourceFile'> {
  readonly resourceName: string;
  readonly zoneId: string;
}

/**
 * Looks whether the files beside a stack declare what it declares.
 * @returns what cannot be told, as findings
 * @throws MigrationError `ADDRESS_TAKEN`, `ENTRY_POINT_DECLARED`
 */
export function requireFreePlace(
  stack: PlacedStack,
  declared: readonly Declarations[],
): readonly Finding[] {
  const others = declared.filter(({ file }) => file !== stack.resourceFile.path);
  requireFreeAddress(stack, others);
  requireFirst(stack, others);
  return others.flatMap(({ file, isUnread, entryPoints }) => [
    ...(isUnread ? [unread(file)] : []),
    ...entryPoints
      .filter((one) => isEntryPointOf(one, stack.zoneId) === undefined)
      .map(({ name }) => zoneNotTold(file, name)),
  ]);
}

/** Two zones in one folder need two addresses: Terraform refuses a resource that is declared twice. */
function requireFreeAddress(
  { address, resourceName }: PlacedStack,
  others: readonly Declarations[],
): void {
  const other = others.find(({ rulesets }) => rulesets.includes(resourceName));
  if (other) {
    const place = printable(other.file, 100);
    throw new MigrationError('ADDRESS_TAKEN', `${address} is declared in ${place} already`);
  }
}

/** A zone has one entry point: whoever declares it twice has Terraform undo in one what the other does. */
function requireFirst({ zoneId }: PlacedStack, others: readonly Declarations[]): void {
  for (const { file, entryPoints } of others) {
    const other = entryPoints.find((one) => isEntryPointOf(one, zoneId));
    if (other === undefined) continue;
    const place = printable(file, 100);
    const address = printable(`cloudflare_ruleset.${other.name}`, 200);
    const keep = file.endsWith('ts')
      ? 'or delete that file, where it is an earlier one of the same stack; the state goes by the name of the stack'
      : `or take it out of ${place}, and pass --address ${address}, so that the state keeps it`;
    throw new MigrationError(
      'ENTRY_POINT_DECLARED',
      `${address} in ${place} declares the entry point of this zone already, and a zone has one`,
      { hint: `keep that one; ${keep}` },
    );
  }
}

function zoneNotTold(file: string, name: string): Finding {
  return {
    code: 'ENTRY_POINT_ZONE_UNKNOWN',
    severity: 'decision',
    subject: `cloudflare_ruleset.${name} in ${file}`,
    message:
      'an expression tells the zone or the phase of this ruleset, so it may be the entry point of this zone; a zone has one, and two resources of it undo each other',
    remedy: 'check that it is of another zone or phase; else keep one of the two',
  };
}

function unread(file: string): Finding {
  return {
    code: 'FOLDER_FILE_UNREAD',
    severity: 'decision',
    subject: file,
    message:
      'this file cannot be read as Terraform configuration, so what it declares was not compared with the stack',
    remedy: 'mend it, and check that it declares neither the entry point of the zone nor providers',
  };
}

/** Files that a run has written, relative to the folder, and the ids of their zones. */
export type FileOwners = Map<string, string>;

/**
 * Refuses the file of another zone: two can have one name, such as a domain that moves between
 * accounts, and each would be written over the other. Else the file is the zone's from now on.
 * @throws MigrationError `FILE_EXISTS`
 */
export function requireOwnFile(
  { resourceFile: { path }, zoneId }: PlacedStack,
  declared: readonly Declarations[],
  owners: FileOwners,
): void {
  const owner =
    owners.get(path) ??
    ownerIn(
      declared.find(({ file }) => file === path),
      zoneId,
    );
  if (owner === undefined || owner === zoneId) {
    owners.set(path, zoneId);
    return;
  }
  throw new MigrationError(
    'FILE_EXISTS',
    `${printable(path)} is that of zone ${printable(owner, 40)}, which has the name of zone ${zoneId}`,
    { hint: 'give each an --out of its own, or delete the file where its zone is no more' },
  );
}

/** The zone of a file that surely holds the entry point of another one alone. */
function ownerIn(file: Declarations | undefined, zoneId: string): string | undefined {
  const entryPoints = file?.entryPoints ?? [];
  const isAnothers = entryPoints.every((one) => isEntryPointOf(one, zoneId) === false);
  return isAnothers ? entryPoints[0]?.zone.text : undefined;
}
