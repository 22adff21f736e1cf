import { type Finding } from '../core/finding';
import { printable } from '../core/printable';
import { allowedMajors, type ProviderMajor, providerMajors } from '../core/provider-majors';
import { type Declarations } from '../project/declarations';
import { isCloudflareRequirement } from '../project/provider-version';

/** How a folder, or the stacks of a program, require and configure the Cloudflare provider. */
type FolderProvider = ReturnType<typeof readFolderProvider>;

/** Reads how the files of a folder require and configure the Cloudflare provider. */
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
    hasDefault: configured.has(undefined),
    /** Those with an alias. */
    named,
    /** Those with an alias, such as `cloudflare.prod`, if there is no default one. */
    aliases,
    /** The `provider` argument of a ruleset: the only alias, or a local name that is not the default one. */
    reference: others.length === 0 ? only : undefined,
  };
}

/**
 * Reads how the stacks of a program configure the Cloudflare provider. Any of them can get the construct, so it refers
 * to an alias only if that is the only configuration of each stack.
 */
export function readStackProvider(stacks: readonly Declarations[]): FolderProvider {
  const each = stacks
    .map((stack) => readFolderProvider([stack]))
    .filter(({ isConfigured }) => isConfigured);
  const [only] = each;
  return {
    ...{ requirement: undefined, isConfigured: true },
    hasDefault: each.some(({ hasDefault }) => hasDefault),
    named: each.flatMap(({ named }) => named),
    aliases: [...new Set(each.flatMap(({ aliases }) => aliases))],
    reference: each.every((one) => one.reference === only?.reference) ? only?.reference : undefined,
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
  // without a requirement, `terraform init` fails and names the missing source
  const version = required === undefined ? undefined : requirement?.version;
  if (version !== undefined && !allowedMajors(version).includes(major)) {
    findings.push({
      code: 'PROVIDER_EXCLUDED',
      severity: isReplaced ? 'info' : 'decision',
      subject: required ?? '',
      message: `this folder requires provider ${printable(version, 80)}, and the stack was generated for ${providerMajors[major].constraint}`,
      remedy: isReplaced
        ? 'change the version at the step for it of `plan --to`'
        : 'pass --provider with the version of the folder, or change the version; plan --to has a step for it',
    });
  }
  return findings;
}

function notChosen({ aliases, hasDefault }: FolderProvider, isConstruct: boolean): Finding {
  const shown = aliases.map((one) => printable(one, 100));
  const [first = ''] = shown;
  return {
    code: 'PROVIDER_NOT_CHOSEN',
    severity: hasDefault ? 'info' : 'decision',
    subject: 'provider',
    ...(isConstruct
      ? {
          message: `stacks of the program have no default provider configuration, only some with an alias: ${shown.join(', ')}`,
          remedy: `if the ruleset is for one of these stacks, add the configuration for the account of this zone below it: ruleset.addOverride("provider", ${JSON.stringify(first)});`,
        }
      : {
          message: `the folder has several provider configurations with an alias and no default: ${shown.join(', ')}`,
          remedy: `add the configuration for the account of this zone to the ruleset: provider = ${first}`,
        }),
  };
}
