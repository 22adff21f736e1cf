import { join } from 'node:path';
import { type Finding } from '../core/finding';
import { type FormatName } from '../core/format-names';
import { type ProviderMajor } from '../core/provider-majors';
import { type FileToWrite, flushFiles, writeFiles } from '../files/write-files';
import { lockedVersion } from '../project/provider-version';
import { type Declarations, readDeclarations } from '../project/read-declarations';
import { type ParsedRuleset, type RulesetOrigin } from '../ruleset/parse-ruleset';
import { exceptedFindings } from '../ruleset/protection';
import { type FlavorName } from './flavor';
import { folderProviders, providerChoice } from './folder-provider';
import { type GeneratedStack, generateStack } from './generate-stack';
import { type StackNames, stackNames, type ZoneName } from './names';
import { atStandingFile, type FileOwners, requireFreePlace, requireOwnFile } from './place-stack';

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
  readonly bindings?: string | undefined;
  readonly out: string;
  /** What is in the folder, where it was read before: by a run over many zones. */
  readonly declared?: readonly Declarations[];
  /** What such a run has written since. */
  readonly owners?: FileOwners;
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
  const told = request.source.findings ?? [];
  const excepted = exceptedFindings(request.source.ruleset.rules);
  const names = stackNames(request.zone);
  const resourceName = request.resourceName ?? `managed_rules_${names.slug}`;
  const declared = request.declared ?? (await readDeclarations(request.out, request.format));
  const choice = providerChoice(declared);
  const generated = generateStack({
    ...request,
    resourceName,
    preventDestroy: true,
    providerReference: choice.reference,
    isConfigured: choice.hasOnlyAliases,
  });
  const zoneId = request.zone.id;
  const stack = atStandingFile(generated, { resourceName, zoneId }, declared);
  const place = { ...stack, resourceName, zoneId };
  const collisions = requireFreePlace(place, declared);
  const { files, findings } = folderProviders(
    stack.providersFile,
    { major: request.provider, locked: await lockedVersion(request.out) },
    declared,
  );
  const own = [stack.resourceFile, ...files].map(({ path, text }) => ({
    path: join(request.out, path),
    text,
  }));
  requireOwnFile(place, declared, request.owners ?? new Map<string, string>());
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
    findings: [
      ...told,
      ...excepted.filter(
        ({ code, subject }) => !told.some((one) => one.code === code && one.subject === subject),
      ),
      ...stack.findings,
      ...repeatedModule(request.modulePath ?? ''),
      ...collisions,
      ...(stack.providersFile === undefined ? [] : choice.findings),
      ...findings,
    ],
  };
}

function resourceOf({ address, importId }: GeneratedStack): GenerateResult['resource'] {
  return { type: 'cloudflare_ruleset', address, ...(importId === undefined ? {} : { importId }) };
}

/** All instances of a module have one configuration, and a zone has one entry point. */
function repeatedModule(modulePath: string): Finding[] {
  if (!modulePath.includes('[')) return [];
  return [
    {
      code: 'MODULE_REPEATED',
      severity: 'decision',
      subject: modulePath.replace(/\.$/, ''),
      message:
        'a module with a key can have several instances, and each of them would declare the entry point of this one zone',
      remedy:
        'put the file into a module that is called for this zone alone, or make the zone an input of the module, where its instances share the rules',
    },
  ];
}
