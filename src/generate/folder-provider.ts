import { type Finding } from '../core/finding';
import { printable } from '../core/printable';
import { allowedMajors, type ProviderMajor } from '../core/provider-majors';
import { type Declarations } from '../project/declarations';
import { isCloudflareRequirement } from '../project/provider-version';

/** How a folder, or the stacks of a program, require and configure the Cloudflare provider. */
type FolderProvider = ReturnType<typeof readFolderProvider>;

export function readFolderProvider(declared: readonly Declarations[]) {
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
  const named = [...configured].flatMap((alias) =>
    alias === undefined ? [] : `${local}.${alias}`,
  );
  const aliases = configured.has(undefined) ? [] : named;
  const [only = local === 'cloudflare' ? undefined : local, ...others] = aliases;
  return {
    requirement,
    isConfigured: configured.size > 0,
    /** Those with an alias. */
    named,
    /** Those with an alias, such as `cloudflare.prod`, if there is no default one. */
    aliases,
    /** The `provider` argument of a ruleset: the only alias, or a local name that is not the default one. */
    reference: others.length === 0 ? only : undefined,
  };
}

/**
 * Reports what the user must do so that a folder uses the right provider for a ruleset.
 * @param required the file with the requirements of the folder; undefined if they are written with the ruleset
 * @param isReplaced whether the ruleset was declared before: `plan --to`, which changes the version, needs it first
 */
export function providerFindings(
  provider: FolderProvider,
  required: string | undefined,
  major: ProviderMajor,
  { isReplaced, isConstruct }: { readonly isReplaced: boolean; readonly isConstruct: boolean },
): Finding[] {
  const { requirement, aliases, reference } = provider;
  const isChosen = aliases.length === 0 || reference !== undefined;
  const findings = isChosen ? [] : [notChosen(provider, isConstruct)];
  // without a requirement, `terraform init` fails and names the missing source; a construct has a step for its version
  const version = required === undefined || isConstruct ? undefined : requirement?.version;
  if (version !== undefined && !allowedMajors(version).includes(major)) {
    findings.push({
      code: 'PROVIDER_EXCLUDED',
      severity: isReplaced ? 'info' : 'decision',
      subject: required ?? '',
      message: `this folder requires provider ${printable(version, 80)}, and the stack was generated for provider ${major}`,
      remedy: isReplaced
        ? 'change the version at the manual step of `plan --to`'
        : 'pass --provider with the version of the folder, or change the version with `plan --to`',
    });
  }
  return findings;
}

function notChosen({ aliases }: FolderProvider, isConstruct: boolean): Finding {
  // any other text of a file could look like a command
  const shown = aliases.filter((one) => /^[\w.-]+$/.test(one));
  const [first = '<provider>.<alias>'] = shown;
  return {
    code: 'PROVIDER_NOT_CHOSEN',
    severity: 'decision',
    subject: 'provider',
    message: `the folder or the program has several provider configurations with an alias and no default${shown.length === 0 ? '' : `: ${shown.join(', ')}`}`,
    remedy: `add the configuration for the account of this zone to the ruleset: ${isConstruct ? `ruleset.addOverride("provider", ${JSON.stringify(first)});` : `provider = ${first}`}`,
  };
}
