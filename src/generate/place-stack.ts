import { basename, dirname, extname, join } from 'node:path';
import { type Finding } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import { posixQuote } from '../core/posix-quote';
import { printable } from '../core/printable';
import { isOfZone } from '../project/declared-rulesets';
import { type Declarations } from '../project/declarations';
import { GENERATED, type GeneratedStack, nameOfResource, type ZoneName } from './generate-stack';

interface StackContent {
  readonly stack: GeneratedStack;
  readonly resourceName: string;
  readonly zone: ZoneName;
  readonly out: string;
}

/**
 * Decides which file a stack is written to. Refuses to declare a ruleset twice, and to overwrite the file of another
 * zone.
 * @param written the paths that this run has written; this stack is added
 * @throws MigrationError `ADDRESS_TAKEN`, `ENTRY_POINT_DECLARED`, `FILE_EXISTS`
 */
export function placeStack(
  content: StackContent,
  declared: readonly Declarations[],
  written: Set<string>,
): { path: string; findings: Finding[] } {
  const { stack, zone } = content;
  const generated = declared.find((one) => isGeneratedFor(content, one));
  const path = generated?.file ?? stack.resourceFile.path;
  const others = declared.filter(({ file }) => file !== path);
  requireOneEntryPoint(content, others);
  requireFreeAddress(content, others);
  const own = declared.find(({ file }) => file === path)?.entryPoints ?? [];
  const isOfOther = own.length > 0 && own.every((one) => isOfZone(one, zone.id) === false);
  if (isOfOther || written.has(path)) {
    // two zones can have the same name, for example if a domain moves to another account
    throw new MigrationError(
      'FILE_EXISTS',
      `${printable(path)} belongs to another zone with the name of zone ${zone.id}`,
      { hint: 'pass another --out for one of them, or delete the file if its zone is gone' },
    );
  }
  written.add(path);
  return { path, findings: others.flatMap((other) => undecided(other, zone.id)) };
}

/**
 * Whether a generated file declares only this ruleset, so that `--force` overwrites it. Its name can differ,
 * because `apply` names files by resource and a zone can be renamed.
 */
function isGeneratedFor(
  { stack: { resourceFile }, resourceName, zone }: StackContent,
  { file, text, blocks, rulesets, entryPoints }: Declarations,
): boolean {
  return (
    extname(file) === extname(resourceFile.path) &&
    blocks === 1 &&
    rulesets.includes(resourceName) &&
    entryPoints.some((one) => isOfZone(one, zone.id)) &&
    text.includes(GENERATED) &&
    providerArgument(text) === providerArgument(resourceFile.text)
  );
}

/** The provider configuration that a ruleset names. */
function providerArgument(text: string): string | undefined {
  return /^\s*"?provider"?\s*[=:]\s*(.*)$/m.exec(text)?.[1];
}

/** Terraform refuses a resource that is declared twice. */
function requireFreeAddress(
  { stack: { address }, resourceName, zone }: StackContent,
  others: readonly Declarations[],
): void {
  const other = others.find(({ rulesets }) => rulesets.includes(resourceName));
  if (other === undefined) return;
  const message = `${address} is already declared in ${printable(other.file, 100)}`;
  const free = address.slice(0, -resourceName.length) + nameOfResource(zone);
  const hint = free === address ? {} : { hint: `pass --address ${free}` };
  throw new MigrationError('ADDRESS_TAKEN', message, hint);
}

/** A zone has only one entry point: two resources would undo each other's changes. */
function requireOneEntryPoint(
  { stack, zone, out }: StackContent,
  others: readonly Declarations[],
): void {
  for (const { file, entryPoints } of others) {
    const other = entryPoints.find((one) => isOfZone(one, zone.id));
    if (other === undefined) continue;
    // a path through .. is read from another folder than the user's
    const place = printable(file.startsWith('..') ? join(out, file) : file, 300);
    const address = printable(`cloudflare_ruleset.${other.name}`, 200);
    const keep = file.endsWith('ts')
      ? basename(file) === stack.resourceFile.path
        ? `to write that file again, pass --force --out ${posixQuote(dirname(join(out, file)))}`
        : 'keep that resource, or delete it first if its stack was never deployed'
      : `keep that resource, or remove it from ${place}, and pass --address ${address}, so that the state does not change`;
    throw new MigrationError(
      'ENTRY_POINT_DECLARED',
      `${address} in ${place} declares the entry point of this zone already`,
      { hint: keep },
    );
  }
}

function undecided({ file, entryPoints }: Declarations, zoneId: string): Finding[] {
  const unknown = entryPoints.filter((one) => isOfZone(one, zoneId) === undefined);
  return unknown.map(({ name }) => ({
    code: 'ENTRY_POINT_ZONE_UNKNOWN',
    severity: 'decision',
    subject: `cloudflare_ruleset.${name} in ${file}`,
    message:
      'the zone or phase of this ruleset is an expression: it may be the entry point of this zone, and two resources for it would undo each other',
    remedy: 'check that it has another zone or phase; otherwise keep only one of the two',
  }));
}
