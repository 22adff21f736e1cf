import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProviderMajor } from '../generate/dialects/dialect';
import { type FormatName } from '../generate/formats/registry';
import { type GeneratedStack, generateStack } from '../generate/generate-stack';
import { type ZoneName } from '../generate/names';
import { type ParsedRuleset, type RulesetOrigin } from '../generate/parse-ruleset';
import { type Finding } from '../model/finding';
import { writeFiles } from './write-files';

/** What to generate and where to write it. */
export interface GenerateRequest {
  readonly zone: ZoneName;
  readonly source: ParsedRuleset;
  readonly provider: ProviderMajor;
  readonly format: FormatName;
  readonly resourceName: string;
  readonly out: string;
  readonly force: boolean;
}

/** The command's JSON (docs/cli). */
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
 * @throws MigrationError `RULESET_INVALID`, `FILE_EXISTS`, `FILE_UNWRITABLE`
 */
export async function generate(request: GenerateRequest): Promise<GenerateResult> {
  const stack = generateStack({ ...request, preventDestroy: true });
  const findings = [...stack.findings];
  const files = [stack.resourceFile];
  if (stack.providersFile) {
    const declaring = await fileWithRequirements(request.out, stack.providersFile.path);
    if (declaring === undefined) files.push(stack.providersFile);
    else findings.push(providersKept(declaring));
  }
  const written = files.map(({ path, text }) => ({ path: join(request.out, path), text }));
  await writeFiles(written, { force: request.force });
  return {
    files: written.map(({ path }) => path),
    resource: resourceOf(stack),
    provider: request.provider,
    source: request.source.origin,
    findings,
  };
}

function resourceOf({ address, importId }: GeneratedStack): GenerateResult['resource'] {
  return { type: 'cloudflare_ruleset', address, ...(importId === undefined ? {} : { importId }) };
}

/** A file of the folder, other than ours, that declares provider requirements already. */
async function fileWithRequirements(folder: string, ours: string): Promise<string | undefined> {
  const names = await readdir(folder).catch((): string[] => []);
  for (const name of names.sort()) {
    if (name === ours || !/\.tf(\.json)?$/.test(name)) continue;
    const text = await readFile(join(folder, name), 'utf8').catch(() => '');
    if (text.includes('required_providers')) return name;
  }
  return undefined;
}

function providersKept(name: string): Finding {
  return {
    code: 'PROVIDERS_DECLARED_ELSEWHERE',
    severity: 'info',
    subject: name,
    message:
      'this folder declares its provider requirements already, so only the ruleset was written',
    remedy:
      'check that its version constraint allows the provider that the stack was generated for',
  };
}
