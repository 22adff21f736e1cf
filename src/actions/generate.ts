import { join } from 'node:path';
import { dialects } from '../generate/dialects/registry';
import { type ProviderMajor } from '../generate/dialects/dialect';
import { type GeneratedFile } from '../generate/formats/format';
import { type FormatName } from '../generate/formats/registry';
import { type GeneratedStack, generateStack } from '../generate/generate-stack';
import { type ZoneName } from '../generate/names';
import { type ParsedRuleset, type RulesetOrigin } from '../generate/parse-ruleset';
import { type Finding } from '../model/finding';
import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { type Declarations, readDeclarations } from './read-declarations';
import { writeFiles } from './write-files';

/** What to generate and where to write it. */
export interface GenerateRequest {
  readonly zone: ZoneName;
  readonly source: ParsedRuleset & { readonly findings?: readonly Finding[] };
  readonly provider: ProviderMajor;
  readonly format: FormatName;
  readonly resourceName: string;
  readonly out: string;
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
  readonly provider: ProviderMajor;
  readonly source: RulesetOrigin;
  readonly findings: readonly Finding[];
}

/**
 * Generates the stack of one zone and writes it, whole or not at all.
 * @throws MigrationError `RULESET_INVALID`, `ADDRESS_TAKEN`, `FILE_EXISTS`, `FILE_UNWRITABLE`
 */
export async function generate(request: GenerateRequest): Promise<GenerateResult> {
  const stack = generateStack({ ...request, preventDestroy: true });
  const declared = stack.providersFile ? await readDeclarations(request.out) : [];
  requireFreeAddress(stack, request, declared);
  const { files, findings } = providers(stack, request.provider, declared);
  const written = [stack.resourceFile, ...files].map(({ path, text }) => ({
    path: join(request.out, path),
    text,
  }));
  writeFiles(written, { force: request.force });
  return {
    files: written.map(({ path }) => path),
    resource: resourceOf(stack),
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
  { resourceName }: GenerateRequest,
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

/** A module can require its providers once, and configure one without an alias once. */
function providers(
  { providersFile: ours }: GeneratedStack,
  major: ProviderMajor,
  declared: readonly Declarations[],
): { files: GeneratedFile[]; findings: Finding[] } {
  if (ours === undefined) return { files: [], findings: [] };
  const theirs = declared.filter(({ file, text }) => file !== ours.path || text !== ours.text);
  const requiring = theirs.find(({ requiresProviders }) => requiresProviders);
  const configuring = theirs.find(({ configuresCloudflare }) => configuresCloudflare);
  const keeping = requiring ?? configuring;
  if (keeping === undefined) return { files: [ours], findings: [] };
  const { constraint } = dialects[major];
  const finding = requiring?.requiresCloudflare
    ? providersKept(requiring.file, constraint)
    : providerMissing(keeping.file, constraint);
  return { files: [], findings: [finding] };
}

function providersKept(file: string, constraint: string): Finding {
  return {
    code: 'PROVIDERS_DECLARED_ELSEWHERE',
    severity: 'info',
    subject: file,
    message:
      'this folder declares its provider requirements already, so only the ruleset was written',
    remedy: `check that its version constraint allows the provider that the stack was generated for: ${constraint}`,
  };
}

function providerMissing(file: string, constraint: string): Finding {
  return {
    code: 'PROVIDER_NOT_REQUIRED',
    severity: 'decision',
    subject: file,
    message:
      'this folder declares providers already, but does not require the one of Cloudflare, and only one file can',
    remedy: `add to required_providers: cloudflare = { source = "cloudflare/cloudflare", version = "${constraint}" }`,
  };
}
