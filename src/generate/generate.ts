import { join } from 'node:path';
import { type Finding } from '../core/finding';
import { MigrationError } from '../core/migration-error';
import { type ProviderMajor } from '../core/provider-majors';
import { terraformFileName } from '../core/terraform-syntax';
import { type FileToWrite, writeFiles } from '../files/write-files';
import { type Declarations, readDeclarations } from '../project/declarations';
import { type RulesetOrigin } from '../ruleset/parse-ruleset';
import { exceptedFindings } from '../ruleset/protection';
import { renderHclBlocks, renderJsonBlocks } from '../tfconfig/state-blocks';
import { providerFindings, readFolderProvider } from './folder-provider';
import { type GeneratedFile, type StackNames } from './formats/format';
import {
  type GeneratedStack,
  generateStack,
  nameOfResource,
  stackNames,
  type StackRequest,
  withoutHead,
} from './generate-stack';
import { placeStack } from './place-stack';
import { type SourceRuleset } from './read-source';

/** What to generate and where to write it. */
export interface GenerateRequest extends Pick<
  StackRequest,
  'zone' | 'provider' | 'format' | 'modulePath' | 'flavor' | 'bindings'
> {
  readonly source: SourceRuleset;
  /** Derived from the zone name by default, so that several zones can share a folder. */
  readonly resourceName?: string;
  readonly out: string;
  /** What a run over many zones shares: declarations that the folder had before, and the files written since. */
  readonly run?: {
    readonly declared: readonly Declarations[];
    readonly written: Set<string>;
  };
  /** The files of a new project, written together with the stack or not at all. */
  readonly beside?: readonly FileToWrite[];
  /**
   * Writes the `import` block of the ruleset to a separate file (HCL and Terraform JSON, in a root module).
   */
  readonly importBlock?: boolean;
  readonly force: boolean;
}

/** The JSON output of the command (docs/commands.md). */
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
 * Generates and writes the stack of one zone, completely or not at all.
 * @throws MigrationError `RULESET_INVALID`, `ADDRESS_TAKEN`, `ENTRY_POINT_DECLARED`, `FILE_EXISTS`,
 *   `FILE_UNWRITABLE`; `ENTRY_POINT_MISSING` if the `import` block is requested for a missing ruleset
 */
export async function generate(request: GenerateRequest): Promise<GenerateResult> {
  const { zone, source, provider, out } = request;
  const names = stackNames(zone);
  const resourceName = request.resourceName ?? nameOfResource(zone);
  const declared = request.run?.declared ?? (await readDeclarations(out, request.format));
  const folder = readFolderProvider(declared);
  const stack = generateStack({
    ...request,
    resourceName,
    providerReference: folder.reference,
    isConfigured: folder.isConfigured,
  });
  const content = { stack, resourceName, zone, out };
  const place = placeStack(content, declared, request.run?.written ?? new Set());
  const { address, importId, resourceFile, providersFile } = stack;
  // a module can require its providers only once, and a file of the user is kept
  const required =
    declared.find(({ requirements }) => requirements.length > 0) ??
    declared.find(({ file }) => file === providersFile?.path);
  const files = [
    { ...resourceFile, path: place.path },
    ...(providersFile && required === undefined ? [providersFile] : []),
    ...(request.importBlock === true ? [importFile(request, names, stack)] : []),
  ].map(({ path, text }) => ({ path: join(out, path), text }));
  const written = [...(request.beside ?? []), ...files];
  writeFiles(written, {
    force: request.force,
    // after the migration, a provisional stack with the same rules gets its import command
    mayReplace: (old) =>
      old.includes('PROVISIONAL: ') && withoutHead(old) === withoutHead(resourceFile.text),
    sync: false,
  });
  return {
    files: written.map(({ path }) => path),
    resource: {
      type: 'cloudflare_ruleset',
      address,
      ...(importId === undefined ? {} : { importId }),
    },
    names,
    provider,
    source: source.origin,
    findings: [
      ...protectionFindings(source),
      ...stack.findings,
      ...place.findings,
      ...(providersFile === undefined ? [] : providerFindings(folder, required?.file, provider)),
    ],
  };
}

/** @throws MigrationError `ENTRY_POINT_MISSING` if there is no ruleset to import yet */
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

/** The findings of the source, and exceptions that the source does not report. */
function protectionFindings({ findings, ruleset }: SourceRuleset): Finding[] {
  const excepted = exceptedFindings(ruleset.rules).filter(
    ({ code, subject }) => !findings.some((one) => one.code === code && one.subject === subject),
  );
  return [...findings, ...excepted];
}
