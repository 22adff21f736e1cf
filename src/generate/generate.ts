import { basename, dirname, extname, join } from 'node:path';
import { addFindings, type Finding } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { type ProviderMajor } from '../core/provider-majors';
import { withoutKeys } from '../core/resource-address';
import { terraformFileName } from '../core/terraform-syntax';
import { type FileToWrite, writeFiles, type WriteOptions } from '../files/write-files';
import { type Declarations, isOfZone, readDeclarations } from '../project/declarations';
import { type RulesetOrigin } from '../ruleset/parse-ruleset';
import { exceptedFindings } from '../ruleset/protection';
import { renderHclBlocks, renderJsonBlocks } from '../tfconfig/state-blocks';
import { programContext } from './existing-project';
import { providerFindings, readFolderProvider } from './folder-provider';
import { type GeneratedFile } from './formats/format';
import {
  GENERATED,
  type GeneratedStack,
  generateStack,
  readGenerated,
  stackPath,
  type StackRequest,
  withoutHead,
} from './generate-stack';
import { type SourceRuleset } from './read-source';
import { nameOfResource, stackNames, type StackNames, type ZoneName } from './stack-names';

/** What to generate and where to write it. */
export interface GenerateRequest extends Pick<
  StackRequest,
  'zone' | 'provider' | 'format' | 'modulePath' | 'flavor' | 'bindings'
> {
  readonly source: SourceRuleset;
  /** The name that the user chose. By default, the file that is replaced keeps the name of its resource. */
  readonly resourceName?: string;
  /** The name in a new file; by default from the zone name, so that several zones can share a folder. */
  readonly newName?: string;
  readonly out: string;
  /** What a run over many zones shares: declarations that the folder had before, and the files written since. */
  readonly run?: {
    readonly declared: readonly Declarations[];
    readonly written: Set<string>;
  };
  /** The files of a new project, written together with the stack or not at all. */
  readonly beside?: readonly FileToWrite[];
  /** Writes the `import` block of the ruleset to a separate file (HCL and Terraform JSON, in a root module). */
  readonly importBlock?: boolean;
  readonly force: boolean;
  readonly onDiffer?: WriteOptions['onDiffer'];
}

/** The JSON output of the command (docs/commands.md). */
export interface GenerateResult {
  readonly files: readonly string[];
  readonly resource: {
    readonly type: 'cloudflare_ruleset';
    readonly address: string;
    readonly importId?: string | undefined;
  };
  readonly names: StackNames;
  /** Whether `force` replaced a Terraform file that declared it, so that a state may have it. */
  readonly wasDeclared: boolean;
  readonly provider: ProviderMajor;
  readonly source: RulesetOrigin;
  readonly findings: readonly Finding[];
}

/**
 * Generates and writes the stack of one zone, completely or not at all.
 * @throws MigrationError `RULESET_INVALID`, `ADDRESS_TAKEN`, `ENTRY_POINT_DECLARED`, `FILE_EXISTS`,
 *   `FILE_UNWRITABLE`; `ENTRY_POINT_MISSING` if the `import` block is requested for a missing ruleset
 */
export async function generate(request: GenerateRequest): Promise<GenerateResult> {
  const { out, format, run } = request;
  const declared = run?.declared ?? (await readDeclarations(out, format));
  const folder = folderOfEarlier(request, declared);
  if (folder === undefined) return generateIn(request, declared);
  const moved = { ...request, ...programContext(folder), out: folder };
  return generateIn(moved, await readDeclarations(folder, format));
}

/**
 * The other folder of the project in which `--force` replaces the file of a zone: `plan` prints commands with --force
 * that do not name this folder.
 */
function folderOfEarlier(
  request: GenerateRequest,
  declared: readonly Declarations[],
): string | undefined {
  if (!request.force || request.run) return undefined;
  const earlier = findEarlier(request, declared);
  const folder = earlier && dirname(join(request.out, earlier.file));
  return folder === join(request.out) ? undefined : folder;
}

function generateIn(request: GenerateRequest, declared: readonly Declarations[]): GenerateResult {
  const { zone, source, provider, out, force } = request;
  const names = stackNames(zone);
  const { stack, resourceName, configured } = stackOf(request, declared);
  const wasDeclared =
    force &&
    declared.some(
      ({ rulesets, entryPoints }) =>
        rulesets.includes(resourceName) ||
        entryPoints.some((one) => one.name === resourceName && isOfZone(one, zone.id)),
    );
  const content = { stack, resourceName, zone, out, force };
  const place = placeStack(content, declared, request.run?.written ?? new Set());
  const { address, importId, resourceFile, providersFile } = stack;
  // a module can require its providers only once
  const required = declared.find(({ requirements }) => requirements.length > 0);
  const keepsProviders =
    required !== undefined || declared.some(({ file }) => file === providersFile?.path);
  const files = [
    { ...resourceFile, path: place.path },
    ...(providersFile && !keepsProviders ? [providersFile] : []),
    ...(request.importBlock === true ? [importFile(request, names, stack)] : []),
  ].map(({ path, text }) => ({ path: join(out, path), text }));
  const written = [...(request.beside ?? []), ...files];
  writeFiles(written, {
    force,
    onDiffer: request.onDiffer,
    // after the migration, a provisional stack with the same rules gets its import command
    mayReplace: (old) =>
      old.includes('PROVISIONAL: ') && withoutHead(old) === withoutHead(resourceFile.text),
    sync: false,
    links: false,
  });
  return {
    files: written.map(({ path }) => path),
    resource: { type: 'cloudflare_ruleset', address, importId },
    names,
    wasDeclared,
    provider,
    source: source.origin,
    findings: [
      ...addFindings(source.findings, exceptedFindings(source.ruleset.rules)),
      ...stack.findings,
      ...place.findings,
      ...providerFindings(configured, required?.file, provider, {
        isReplaced: wasDeclared,
        isConstruct: request.format === 'construct',
      }),
    ],
  };
}

/** The stack of a zone, with the name and the provider configuration of the file that it replaces. */
function stackOf(request: GenerateRequest, declared: readonly Declarations[]) {
  const { zone } = request;
  const { reference, ...configured } = readFolderProvider(declared);
  const earlier = findEarlier(request, declared);
  const { entryPoints = [] } = earlier ?? {};
  const kept =
    entryPoints.find((one) => isOfZone(one, zone.id)) ??
    entryPoints.find((one) => isOfZone(one, zone.id) === undefined);
  // with another name, Terraform would destroy the ruleset and create it again
  const resourceName =
    request.resourceName ?? kept?.name ?? request.newName ?? nameOfResource(zone);
  // of several configurations, or beside the default one, the replaced file names one
  const { providerReference, count } = readGenerated(earlier?.text ?? '');
  const own = reference ?? configured.named.find((one) => one === providerReference);
  const stack = generateStack({
    ...request,
    resourceName,
    providerReference: own,
    count,
    isConfigured: configured.isConfigured,
  });
  return { stack, resourceName, configured: { ...configured, reference: own } };
}

/**
 * Finds the file to replace, or one that this tool wrote for the same zone, with another name or in another folder of
 * the project.
 */
function findEarlier(
  { zone, format, resourceName = '' }: GenerateRequest,
  declared: readonly Declarations[],
): Declarations | undefined {
  const path = stackPath({ zone, format });
  return declared.find(({ file, text, rulesets, entryPoints }) => {
    const isGenerated = text.includes(GENERATED);
    const hasOwnName = file === path || (isGenerated && basename(file) === path);
    const hasAddress = isGenerated && rulesets.includes(resourceName);
    return (
      (hasAddress && entryPoints.some((one) => isOfZone(one, zone.id))) ||
      // the user may have replaced the zone id by an expression
      (hasOwnName && entryPoints.some((one) => isOfZone(one, zone.id) !== false))
    );
  });
}

function importFile(
  { zone, format }: GenerateRequest,
  { slug }: StackNames,
  { address, importId }: GeneratedStack,
): GeneratedFile {
  if (importId === undefined) {
    throw new MigrationError(
      'ENTRY_POINT_MISSING',
      `zone ${zone.id} has no live entry point ruleset to import`,
      { hint: 'finish the migration of the zone first, or leave out --import-block' },
    );
  }
  const blocks = { imports: [{ to: address, id: importId }], removed: [] };
  return format === 'hcl'
    ? { path: terraformFileName(`${slug}_import`, '.tf'), text: renderHclBlocks(blocks) }
    : { path: terraformFileName(`${slug}_import`, '.tf.json'), text: renderJsonBlocks(blocks) };
}

interface StackContent {
  readonly stack: GeneratedStack;
  readonly resourceName: string;
  readonly zone: ZoneName;
  readonly out: string;
  readonly force: boolean;
}

/**
 * Decides which file a stack is written to. Refuses to declare a ruleset twice, and to overwrite the file of another
 * zone.
 * @param written the paths that this run has written; this stack is added
 */
function placeStack(
  content: StackContent,
  declared: readonly Declarations[],
  written: Set<string>,
): { path: string; findings: Finding[] } {
  const { stack, zone } = content;
  const generated = declared.find((one) => isGeneratedFor(content, one));
  const path = generated?.file ?? stack.resourceFile.path;
  const replaced = declared.find(({ file }) => file === path);
  const own = replaced?.entryPoints ?? [];
  const isOfOther = own.length > 0 && own.every((one) => isOfZone(one, zone.id) === false);
  // --force replaces a ruleset, not the blocks that the user added to its file
  const isShared = own.length > 0 && !isOfOther && replaced !== undefined && replaced.blocks > 1;
  const others = declared.filter((one) => one !== replaced || isShared);
  requireOneEntryPoint(content, others);
  requireFreeAddress(content, others);
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
    readGenerated(text).providerReference === readGenerated(resourceFile.text).providerReference
  );
}

/** Terraform refuses a resource that is declared twice. */
function requireFreeAddress(
  { stack: { address }, resourceName, zone }: StackContent,
  others: readonly Declarations[],
): void {
  const other = others.find(({ rulesets }) => rulesets.includes(resourceName));
  if (other === undefined) return;
  const taken = withoutKeys(address);
  const message = `${taken} is already declared in ${printable(other.file, 100)}`;
  const free = taken.slice(0, -resourceName.length) + nameOfResource(zone);
  const hint = free === taken ? undefined : `pass --address ${free}`;
  throw new MigrationError('ADDRESS_TAKEN', message, { hint });
}

/** A zone has only one entry point: two resources would undo each other's changes. */
function requireOneEntryPoint(content: StackContent, others: readonly Declarations[]): void {
  for (const { file, entryPoints } of others) {
    const other = entryPoints.find((one) => isOfZone(one, content.zone.id));
    if (other === undefined) continue;
    const path = join(content.out, file);
    // a path through .. is read from another folder than the user's
    const place = printable(file.startsWith('..') ? path : file, 300);
    const address = printable(`cloudflare_ruleset.${other.name}`, 200);
    const message = `${address} in ${place} declares the entry point of this zone already`;
    const hint = file.endsWith('ts')
      ? howToKeepProgram(path, content)
      : other.name === content.resourceName
        ? 'edit that block by hand: --force replaces only a generated file without other blocks, and with a provider of this folder. With --out <empty folder>, the same command writes an example'
        : `keep that resource, or remove it from ${place}, and pass --address ${address}, so that the state does not change`;
    throw new MigrationError('ENTRY_POINT_DECLARED', message, { hint });
  }
}

function howToKeepProgram(file: string, { stack, force }: StackContent): string {
  const keep = 'keep that resource, or delete it first if its stack was never deployed';
  if (basename(file) === stack.resourceFile.path)
    return force ? keep : 'to write that file again, pass --force';
  const flags = file.endsWith('.ruleset.ts')
    ? '--force --format construct, without --address'
    : `--force --out ${dirname(printable(file, 300))}, without --format and --address`;
  return `${keep}. If \`generate\` wrote that file, write it again with ${flags}`;
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
