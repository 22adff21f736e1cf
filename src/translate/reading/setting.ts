/** What a legacy setting belongs to. */
export type SettingKind =
  'zone' | 'package' | 'group' | 'rule' | 'override' | 'firewall-rule' | 'page-rule';

/** The three packages of the legacy WAF; `user` contains rules written for one customer. */
export type PackageKind = 'cloudflare' | 'owasp' | 'user';

/** One legacy setting: an attribute with its value. */
export interface Setting {
  readonly kind: SettingKind;
  /** Where it was read: an address in a state, or a place in a response. */
  readonly from: string;
  readonly attribute: string;
  /** The id of a package, group or rule, a URL pattern, or an expression. */
  readonly subject: string;
  readonly value: string;
  /** The legacy package that it belongs to, if known. */
  readonly package?: PackageKind | undefined;
  /** The name of its rule or group, if known. */
  readonly title?: string | undefined;
  /** The URL patterns of an override. */
  readonly urls?: readonly string[];
}

/** What a legacy rule or package can do with a request. */
export type LegacyAction = 'simulate' | 'block' | 'challenge';

/** What a mode means; `default` applies without a setting. */
export type Meaning = 'default' | 'off' | LegacyAction;

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['default', 'default'],
  // provider 3.35 writes `on` and `off` when a setting is deleted
  ['on', 'default'],
  ['disable', 'off'],
  ['off', 'off'],
  ['simulate', 'simulate'],
  ['block', 'block'],
  ['challenge', 'challenge'],
]);

/** Reads the mode of a rule, or of a group in an override; undefined if unknown. */
export function readMode(mode: string): Meaning | undefined {
  return meanings.get(mode);
}

export function actionOf(meaning: Meaning | undefined): LegacyAction | undefined {
  return meaning === 'default' || meaning === 'off' ? undefined : meaning;
}

/** What a ruleset must contain to keep a setting. Rules are those of the Cloudflare Managed Ruleset. */
export type Want =
  | { readonly kind: 'not-deployed'; readonly ruleset: string }
  /** Level and threshold come from the mapping table of the migration, and never equal the sensitivity. */
  | { readonly kind: 'paranoia'; readonly level: number }
  | { readonly kind: 'threshold'; readonly threshold: number }
  | { readonly kind: 'score-action'; readonly action: LegacyAction }
  | { readonly kind: 'rule-off'; readonly id: string }
  | { readonly kind: 'rule-acts'; readonly id: string; readonly action: LegacyAction }
  /** The managed rulesets run for these requests, and for no others. */
  | { readonly kind: 'runs'; readonly expression: string }
  /** For some requests, one rule or everything that the entry point deploys does not run. */
  | {
      readonly kind: 'skip';
      /** Undefined for everything. */
      readonly rule?: string;
      readonly expression: string;
    };

export type WantOf<Kind extends Want['kind']> = Extract<Want, { readonly kind: Kind }>;

/** A setting that changed nothing in the legacy WAF, with the reason. */
export const inert = (why: string) => ({ kind: 'inert', why }) as const;

/** A setting whose equivalent in the new WAF is unknown or does not exist, with the reason. */
export const unknown = (why: string, remedy: string) => ({ kind: 'unknown', why, remedy }) as const;

export type Unknown = ReturnType<typeof unknown>;

/**
 * A setting that requires something of the ruleset.
 * @param missing why the wants do not cover the whole setting
 */
export const wanted = (wants: readonly Want[], missing?: Omit<Unknown, 'kind'>) =>
  ({ kind: 'wanted', wants, missing }) as const;

export type Wanted = ReturnType<typeof wanted>;

/** What a setting requires of the new ruleset. */
export type Verdict = ReturnType<typeof inert> | Unknown | Wanted;

export const wantsOf = (verdict: Verdict): readonly Want[] =>
  verdict.kind === 'wanted' ? verdict.wants : [];
