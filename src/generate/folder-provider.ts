import { type Finding } from '../core/finding';
import { printable } from '../core/printable';
import { allowedMajors, type ProviderMajor, providerMajors } from '../core/provider-majors';
import { isCloudflareRequirement } from '../project/provider-version';
import { type Declarations } from '../project/declarations';
import { type GeneratedFile } from './formats/format';

/** How the files of a folder require and configure the Cloudflare provider. */
interface FolderProvider {
  /** The local name of the provider: `cloudflare`, unless the folder requires it under another name. */
  readonly local: string;
  readonly requirement: Declarations['requirements'][number] | undefined;
  /** Whether there is a configuration without an alias; a module has at most one. */
  readonly hasDefault: boolean;
  /** The configurations with an alias, such as `cloudflare.prod`, if there is no default one. */
  readonly aliases: readonly string[];
}

/** Reads how the files of a folder require and configure the Cloudflare provider. */
export function readFolderProvider(declared: readonly Declarations[]): FolderProvider {
  const requirement = declared
    .flatMap(({ requirements }) => requirements)
    .find(isCloudflareRequirement);
  const local = requirement?.name ?? 'cloudflare';
  const configured = declared
    .flatMap(({ providers }) => providers)
    .filter(({ name }) => name === local);
  // an override file repeats a configuration
  const aliases = [...new Set(configured.map(({ alias }) => alias))];
  const hasDefault = aliases.includes(undefined);
  return {
    local,
    requirement,
    hasDefault,
    aliases: hasDefault ? [] : aliases.map((alias) => `${local}.${alias ?? ''}`),
  };
}

/** The `provider` argument of a ruleset: the only alias, or a local name that is not the default one. */
export function providerReference({ local, aliases }: FolderProvider): string | undefined {
  if (aliases.length > 1) return undefined;
  return aliases[0] ?? (local === 'cloudflare' ? undefined : local);
}

interface ProviderNeed {
  readonly major: ProviderMajor;
  /** The version that the lock file of the folder selects. */
  readonly locked: string | undefined;
}

/**
 * A module can require its providers only once, and configure only one without an alias. If the folder
 * already does, only the ruleset is written.
 * @param ours the file that would be written
 */
export function decideProvidersFile(
  ours: GeneratedFile,
  need: ProviderNeed,
  declared: readonly Declarations[],
): { isWritten: boolean; findings: Finding[] } {
  const { aliases } = readFolderProvider(declared);
  const ambiguous = aliases.length > 1 ? [providerNotChosen(aliases)] : [];
  const others = declared.filter(({ file, text }) => file !== ours.path || text !== ours.text);
  const { local, requirement, hasDefault } = readFolderProvider(others);
  const existing =
    others.find(({ requiresProviders }) => requiresProviders) ??
    others.find(({ providers }) => hasDefault && providers.some(({ name }) => name === local)) ??
    others.find(({ file }) => file === ours.path);
  if (existing === undefined) return { isWritten: true, findings: ambiguous };
  const kept =
    requirement === undefined
      ? providerMissing(existing.file, need)
      : providersKept(existing.file, requirement.version, need);
  return { isWritten: false, findings: [...ambiguous, kept] };
}

function providersKept(file: string, wanted: string | undefined, need: ProviderNeed): Finding {
  const { constraint } = providerMajors[need.major];
  const excludes = (one: string): boolean => !allowedMajors(one).includes(need.major);
  if (wanted !== undefined && excludes(wanted)) {
    return {
      code: 'PROVIDER_EXCLUDED',
      severity: 'decision',
      subject: file,
      message: `this folder requires provider ${printable(wanted, 80)}, and the stack was generated for ${constraint}`,
      remedy: 'pass --provider with the version of the folder, or change the version first',
    };
  }
  if (need.locked !== undefined && excludes(need.locked)) {
    return {
      code: 'PROVIDER_EXCLUDED',
      severity: 'decision',
      subject: '.terraform.lock.hcl',
      message: `the lock file selects provider ${need.locked}, and the stack was generated for ${constraint}`,
      remedy: 'run terraform init -upgrade in that folder',
    };
  }
  return {
    code: 'PROVIDERS_DECLARED_ELSEWHERE',
    severity: 'info',
    subject: file,
    message: 'this folder has provider requirements already, so only the ruleset was written',
    remedy: `check that its version constraint allows ${constraint}`,
  };
}

function providerMissing(file: string, { major }: ProviderNeed): Finding {
  const { constraint } = providerMajors[major];
  return {
    code: 'PROVIDER_NOT_REQUIRED',
    severity: 'decision',
    subject: file,
    message: 'this folder declares providers, but does not require the Cloudflare provider',
    remedy: `add to required_providers: cloudflare = { source = "cloudflare/cloudflare", version = "${constraint}" }`,
  };
}

function providerNotChosen(references: readonly string[]): Finding {
  const shown = references.map((one) => printable(one, 100));
  return {
    code: 'PROVIDER_NOT_CHOSEN',
    severity: 'decision',
    subject: 'provider',
    message: `the folder has several provider configurations with an alias and no default: ${shown.join(', ')}`,
    remedy: `add the configuration for the account of this zone to the ruleset: provider = ${shown[0] ?? ''}`,
  };
}
