import { type ProviderMajor } from '../model/provider-majors';
import { dialects } from '../generate/dialects/registry';
import { type GeneratedFile } from '../generate/formats/format';
import { type Finding } from '../model/finding';
import { type Declarations } from './read-declarations';

/** The file that requires the provider, where a folder wants it, and what is to be said of it. */
export interface FolderProviders {
  readonly files: readonly GeneratedFile[];
  readonly findings: readonly Finding[];
}

/**
 * A module can require its providers once, and configure one without an alias once: where somebody
 * does so already, only the ruleset is written.
 * @param ours absent in formats that keep it in the file of the ruleset
 * @param oneFile somebody's project: not even a missing requirement is added there
 */
export function folderProviders(
  ours: GeneratedFile | undefined,
  major: ProviderMajor,
  declared: readonly Declarations[],
  oneFile: boolean,
): FolderProviders {
  if (ours === undefined) return { files: [], findings: [] };
  const { constraint } = dialects[major];
  const theirs = declared.filter(({ file, text }) => file !== ours.path || text !== ours.text);
  const requiring = theirs.find(({ requiresProviders }) => requiresProviders);
  const configuring = theirs.find(({ configuresCloudflare }) => configuresCloudflare);
  const keeping = requiring ?? configuring;
  if (keeping === undefined) {
    return oneFile && !declared.some(({ file }) => file === ours.path)
      ? { files: [], findings: [providerMissing('.', constraint)] }
      : { files: [ours], findings: [] };
  }
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
