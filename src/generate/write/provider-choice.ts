import { type Finding } from '../../core/finding';
import { printable } from '../../core/printable';
import { type Declarations } from '../../project/read-declarations';
import { isCloudflareRequirement } from '../../project/provider-version';

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
