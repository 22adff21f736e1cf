import { join } from 'node:path';
import { type ProviderMajor } from '../model/provider-majors';
import { type FlavorName } from '../generate/flavor';
import { type FormatName } from '../model/format-names';
import { type GeneratedStack, generateStack } from '../generate/generate-stack';
import { type StackNames, stackNames, type ZoneName } from '../generate/names';
import { type ParsedRuleset, type RulesetOrigin } from '../generate/parse-ruleset';
import { type Finding } from '../model/finding';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { flushFiles } from './flush-files';
import { folderProviders } from './folder-providers';
import { type Declarations, readDeclarations } from './read-declarations';
import { type FileToWrite, writeFiles } from './write-files';

/** What to generate and where to write it. */
export interface GenerateRequest {
  readonly zone: ZoneName;
  readonly source: ParsedRuleset & { readonly findings?: readonly Finding[] };
  readonly provider: ProviderMajor;
  readonly format: FormatName;
  /** Where several zones share a folder: made from the name of the zone, unless it is given. */
  readonly resourceName?: string;
  readonly modulePath?: string;
  readonly flavor?: FlavorName;
  readonly out: string;
  /** Somebody's project: the file of the ruleset is all that is written there. */
  readonly oneFile?: boolean;
  /** What is in the folder, where it was read before: by a run over many zones. */
  readonly declared?: readonly Declarations[];
  /** Written with the stack, all or none: the files of a new project. */
  readonly beside?: readonly FileToWrite[];
  /** Of a run over many zones: the files are on the disk when it returns, and others do not wait. */
  readonly besideOthers?: boolean;
  readonly force: boolean;
}

/** The command's JSON (docs/command-line.md). */
export interface GenerateResult {
  readonly files: readonly string[];
  readonly resource: {
    readonly type: 'cloudflare_ruleset';
    readonly address: string;
    readonly importId?: string;
  };
  readonly names: StackNames;
  readonly provider: ProviderMajor;
  readonly source: RulesetOrigin;
  readonly findings: readonly Finding[];
}

/**
 * Generates the stack of one zone and writes it, whole or not at all.
 * @throws MigrationError `RULESET_INVALID`, `ADDRESS_TAKEN`, `ENTRY_POINT_DECLARED`, `FILE_EXISTS`,
 *   `FILE_UNWRITABLE`
 */
export async function generate(request: GenerateRequest): Promise<GenerateResult> {
  const names = stackNames(request.zone);
  const resourceName = request.resourceName ?? `managed_rules_${names.slug}`;
  const stack = generateStack({ ...request, resourceName, preventDestroy: true });
  const { providersFile } = stack;
  const declared =
    providersFile === undefined ? [] : (request.declared ?? (await readDeclarations(request.out)));
  requireFreeAddress(stack, resourceName, declared);
  requireFirst(stack, request.zone, declared);
  const { files, findings } = folderProviders(
    providersFile,
    request.provider,
    declared,
    request.oneFile ?? false,
  );
  const own = [stack.resourceFile, ...files].map(({ path, text }) => ({
    path: join(request.out, path),
    text,
  }));
  const written = [...(request.beside ?? []), ...own];
  const besideOthers = request.besideOthers ?? false;
  const open: number[] = [];
  const flush = besideOthers ? { flush: (file: number) => open.push(file) } : {};
  try {
    writeFiles(written, { force: request.force, ...flush });
  } finally {
    await flushFiles(open);
  }
  return {
    files: written.map(({ path }) => path),
    resource: resourceOf(stack),
    names,
    provider: request.provider,
    source: request.source.origin,
    findings: [...(request.source.findings ?? []), ...stack.findings, ...findings],
  };
}

function resourceOf({ address, importId }: GeneratedStack): GenerateResult['resource'] {
  return { type: 'cloudflare_ruleset', address, ...(importId === undefined ? {} : { importId }) };
}

/** Two zones in one folder need two addresses: Terraform refuses a resource that is declared twice. */
function requireFreeAddress(
  { address, resourceFile }: GeneratedStack,
  resourceName: string,
  declared: readonly Declarations[],
): void {
  const other = declared.find(
    ({ file, rulesets }) => file !== resourceFile.path && rulesets.includes(resourceName),
  );
  if (other) {
    const place = printable(other.file, 100);
    throw new MigrationError('ADDRESS_TAKEN', `${address} is declared in ${place} already`);
  }
}

/** A zone has one entry point: whoever declares it twice has Terraform undo in one what the other does. */
function requireFirst(
  { resourceFile }: GeneratedStack,
  { id }: ZoneName,
  declared: readonly Declarations[],
): void {
  for (const { file, entryPoints } of declared) {
    const other = entryPoints.find(({ zoneId }) => zoneId === id);
    if (other === undefined || file === resourceFile.path) continue;
    const [place, address] = [
      printable(file, 100),
      printable(`cloudflare_ruleset.${other.name}`, 200),
    ];
    throw new MigrationError(
      'ENTRY_POINT_DECLARED',
      `${address} in ${place} declares the entry point of this zone already, and a zone has one`,
      {
        hint: `keep that one; or take it out of ${place}, and pass --address ${address}, so that the state keeps it`,
      },
    );
  }
}
