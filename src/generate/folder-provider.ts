import { type Finding } from '../core/finding';
import { printable } from '../core/printable';
import { allowedMajors, type ProviderMajor, providerMajors } from '../core/provider-majors';
import { type Declarations } from '../project/declarations';
import { isCloudflareRequirement } from '../project/provider-version';

/** How the files of a folder require and configure the Cloudflare provider. */
interface FolderProvider {
  readonly requirement: Declarations['requirements'][number] | undefined;
  /** Whether there is a configuration, with or without an alias. */
  readonly isConfigured: boolean;
  /** The configurations with an alias, such as `cloudflare.prod`, if there is no default one. */
  readonly aliases: readonly string[];
  /** The `provider` argument of a ruleset: the only alias, or a local name that is not the default one. */
  readonly reference: string | undefined;
}

/** Reads how the files of a folder require and configure the Cloudflare provider. */
export function readFolderProvider(declared: readonly Declarations[]): FolderProvider {
  const requirement = declared
    .flatMap(({ requirements }) => requirements)
    .find(isCloudflareRequirement);
  const local = requirement?.name ?? 'cloudflare';
  // an override file repeats a configuration
  const configured = new Set(
    declared
      .flatMap(({ providers }) => providers)
      .filter(({ name }) => name === local)
      .map(({ alias }) => alias),
  );
  const aliases = configured.has(undefined)
    ? []
    : [...configured].map((alias) => `${local}.${alias ?? ''}`);
  const [only = local === 'cloudflare' ? undefined : local, ...others] = aliases;
  return {
    requirement,
    isConfigured: configured.size > 0,
    aliases,
    reference: others.length === 0 ? only : undefined,
  };
}

/**
 * Reports what the user must do so that a folder uses the right provider for a ruleset.
 * @param required the file with the requirements of the folder; undefined if they are written with the ruleset
 * @param locked the version that the lock file of the folder selects
 */
export function providerFindings(
  { requirement, aliases }: FolderProvider,
  required: string | undefined,
  major: ProviderMajor,
  locked = '',
): Finding[] {
  const ambiguous = aliases.length > 1 ? [providerNotChosen(aliases)] : [];
  if (required === undefined) return ambiguous;
  const { constraint } = providerMajors[major];
  if (requirement === undefined) return [...ambiguous, providerNotRequired(required, constraint)];
  const versions = [
    {
      subject: required,
      version: requirement.version ?? '',
      source: 'this folder requires',
      remedy: 'pass --provider with the version of the folder, or change the version first',
    },
    {
      subject: '.terraform.lock.hcl',
      version: locked,
      source: 'the lock file selects',
      remedy: 'run terraform init -upgrade in that folder',
    },
  ];
  const excluded = versions
    .filter(({ version }) => !allowedMajors(version).includes(major))
    .slice(0, 1)
    .map(({ subject, version, source, remedy }): Finding => {
      const message = `${source} provider ${printable(version, 80)}, and the stack was generated for ${constraint}`;
      return { code: 'PROVIDER_EXCLUDED', severity: 'decision', subject, message, remedy };
    });
  return [...ambiguous, ...excluded];
}

function providerNotRequired(subject: string, constraint: string): Finding {
  return {
    code: 'PROVIDER_NOT_REQUIRED',
    severity: 'decision',
    subject,
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
