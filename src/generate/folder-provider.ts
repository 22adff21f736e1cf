import { type Finding } from '../core/finding';
import { printable } from '../core/printable';
import { allowedMajors, overlap, type ProviderMajor, versionRange } from '../core/provider-majors';
import { isCloudflareRequirement } from '../project/provider-version';
import { type Declarations } from '../project/read-declarations';
import { dialects } from './dialects/registry';
import { type GeneratedFile } from './formats/format';

/** The file that requires the provider, where a folder wants it, and what is to be said of it. */
export interface FolderProviders {
  readonly files: readonly GeneratedFile[];
  readonly findings: readonly Finding[];
}

/** What a stack needs of the folder. */
export interface ProviderNeed {
  readonly major: ProviderMajor;
  /** What the lock file of the folder selects. */
  readonly locked: string | undefined;
}

/**
 * A module can require its providers once, and configure one without an alias once: where somebody
 * does so already, only the ruleset is written. A file of somebody else is never replaced.
 * @param ours absent in formats that keep it in the file of the ruleset
 */
export function folderProviders(
  ours: GeneratedFile | undefined,
  need: ProviderNeed,
  declared: readonly Declarations[],
): FolderProviders {
  if (ours === undefined) return { files: [], findings: [] };
  const theirs = declared.filter(({ file, text }) => file !== ours.path || text !== ours.text);
  const { local, requirement, hasDefault } = providerChoice(theirs);
  const keeping =
    theirs.find(({ requiresProviders }) => requiresProviders) ??
    theirs.find(({ providers }) => hasDefault && providers.some(({ name }) => name === local)) ??
    theirs.find(({ file }) => file === ours.path);
  if (keeping === undefined) return { files: [ours], findings: [] };
  const finding =
    requirement === undefined
      ? providerMissing(keeping.file, need)
      : providersKept(keeping.file, requirement.version, need);
  return { files: [], findings: [finding] };
}

function providersKept(file: string, wanted: string | undefined, need: ProviderNeed): Finding {
  const { constraint } = dialects[need.major];
  const range = versionRange(constraint);
  const excludes = (one: string | undefined): boolean =>
    one !== undefined && !overlap(versionRange(one), range);
  if (need.locked !== undefined && !excludes(wanted) && excludes(`= ${need.locked}`)) {
    return lockExcludes(need.locked, wanted, constraint);
  }
  if (wanted === undefined || !excludes(wanted)) {
    return {
      code: 'PROVIDERS_DECLARED_ELSEWHERE',
      severity: 'info',
      subject: file,
      message:
        'this folder declares its provider requirements already, so only the ruleset was written',
      remedy: `check that its version constraint allows the provider that the stack was generated for: ${constraint}`,
    };
  }
  return {
    code: 'PROVIDER_EXCLUDED',
    severity: 'decision',
    subject: file,
    message: `this folder takes the provider at ${printable(wanted, 80)}, and the stack was generated for ${constraint}`,
    // another --provider helps only where the folder has another one
    remedy: allowedMajors(wanted).includes(need.major)
      ? `raise the version to ${constraint} first, in required_providers and with terraform init -upgrade`
      : 'generate it with --provider for the one that the folder has, or change the version first',
  };
}

/** The constraint allows the provider, and the version that `terraform init` has selected is another one. */
function lockExcludes(locked: string, wanted: string | undefined, constraint: string): Finding {
  const first =
    wanted === undefined ? `set version = "${constraint}" in required_providers, then ` : '';
  return {
    code: 'PROVIDER_EXCLUDED',
    severity: 'decision',
    subject: '.terraform.lock.hcl',
    message: `the lock file selects provider ${locked}, and the stack was generated for ${constraint}`,
    remedy: `${first}run terraform init -upgrade in that folder`,
  };
}

function providerMissing(file: string, { major }: ProviderNeed): Finding {
  const { constraint } = dialects[major];
  return {
    code: 'PROVIDER_NOT_REQUIRED',
    severity: 'decision',
    subject: file,
    message:
      'this folder declares providers already, but does not require the one of Cloudflare, and only one file can',
    remedy: `add to required_providers: cloudflare = { source = "cloudflare/cloudflare", version = "${constraint}" }`,
  };
}

/** How the files of a folder provide Cloudflare's provider. */
export interface ProviderChoice {
  /** The name that the folder has for it: `cloudflare`, unless it requires it under another one. */
  readonly local: string;
  readonly requirement: Declarations['requirements'][number] | undefined;
  /** Whether a configuration without an alias is there, which can be one alone. */
  readonly hasDefault: boolean;
  /** Whether all that are there have one. */
  readonly hasOnlyAliases: boolean;
  /** What the `provider` argument of the ruleset has to say: `cloudflare.prod`. */
  readonly reference: string | undefined;
  readonly findings: readonly Finding[];
}

/** Which provider configuration a ruleset gets: the default one, or the only one with an alias. */
export function providerChoice(declared: readonly Declarations[]): ProviderChoice {
  const requirement = declared
    .flatMap(({ requirements }) => requirements)
    .find(isCloudflareRequirement);
  const local = requirement?.name ?? 'cloudflare';
  const aliases = declared
    .flatMap(({ providers }) => providers)
    .filter(({ name }) => name === local)
    .map(({ alias }) => alias);
  const hasDefault = aliases.includes(undefined);
  const open = hasDefault ? [] : aliases.map((alias) => `${local}.${alias ?? ''}`);
  const [only, another] = open;
  const name = local === 'cloudflare' ? undefined : local;
  return {
    local,
    requirement,
    hasDefault,
    hasOnlyAliases: open.length > 0,
    reference: another === undefined ? (only ?? name) : undefined,
    findings: another === undefined ? [] : [notChosen(open)],
  };
}

function notChosen(references: readonly string[]): Finding {
  const shown = references.map((one) => printable(one, 100));
  return {
    code: 'PROVIDER_NOT_CHOSEN',
    severity: 'decision',
    subject: 'provider',
    message: `the folder has no default configuration of the provider, and several with an alias: ${shown.join(', ')}`,
    remedy: `add the one of the account of this zone to the ruleset: provider = ${shown[0] ?? ''}`,
  };
}
