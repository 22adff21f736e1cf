import { type PackageKind } from './legacy-index';

/** What an old setting belongs to. */
export type SettingKind =
  'zone' | 'package' | 'group' | 'rule' | 'override' | 'firewall-rule' | 'page-rule';

/** One old setting: one attribute of one thing, with one value. */
export interface Setting {
  readonly kind: SettingKind;
  /** Where it was read: an address of a state, or a place in an answer. */
  readonly from: string;
  readonly attribute: string;
  /** What it is about: the id of a package, group or rule, a URL pattern, an expression. */
  readonly subject: string;
  readonly value: string;
  /** The old package that it belongs to, where that is known: also which managed ruleset follows. */
  readonly package?: PackageKind;
  /** What its rule or group is called, where that is known. */
  readonly title?: string;
  /** Of an override: the URL patterns that it is for. */
  readonly urls?: readonly string[];
}

/**
 * Something that a ruleset has to hold for a setting to be kept. Rules are those of the Cloudflare
 * Managed Ruleset. `within` is the expression of the rule that has to hold it; without, it is the
 * general rule.
 */
export type Want =
  | { readonly kind: 'not-deployed'; readonly ruleset: string }
  /** The level and the threshold by the table, which are never quite what the sensitivity was. */
  | { readonly kind: 'paranoia'; readonly level: number }
  | { readonly kind: 'threshold'; readonly threshold: number }
  | { readonly kind: 'score-action'; readonly action: LegacyAction }
  | { readonly kind: 'rule-off'; readonly id: string }
  | {
      readonly kind: 'rule-acts';
      readonly id: string;
      readonly action: LegacyAction;
      readonly within?: string;
    }
  | { readonly kind: 'rule-default'; readonly id: string; readonly within: string }
  /** The managed rulesets run for these requests, and for no others. */
  | { readonly kind: 'runs'; readonly expression: string; readonly also: string }
  /** A rule, or all that the entry point deploys, are not run for some requests. */
  | {
      readonly kind: 'skip';
      readonly rules: { readonly id: string } | 'all';
      readonly expression: string;
      /** Another expression for the very same requests, as somebody else may have written it. */
      readonly also?: string;
    };

/**
 * What a setting asks of the new ruleset. `exception`: the expression of the exception that somebody
 * else may have made of a setting that asks for nothing here.
 */
export type Verdict =
  /** Nothing: it changed nothing in the previous WAF. */
  | { readonly kind: 'inert'; readonly why: string; readonly exception?: string }
  /** Something that cannot be named or expressed. */
  | {
      readonly kind: 'unknown';
      readonly why: string;
      readonly remedy: string;
      readonly exception?: string;
      /** New rules that it may have become (whole ids or last eight digits), and what for. */
      readonly candidates?: { readonly ids: readonly string[]; readonly meaning: Meaning };
    }
  | {
      readonly kind: 'wanted';
      readonly wants: readonly Want[];
      /** What of the setting is not among the wants. */
      readonly missing?: string;
    };

/** What an old rule or package can be told to do. */
export type LegacyAction = 'simulate' | 'block' | 'challenge';

/** What a mode asks for. */
export type Meaning =
  /** What holds without a setting: provider 3.35 writes these two when a setting is deleted. */
  | { readonly kind: 'default' }
  | { readonly kind: 'off' }
  | { readonly kind: 'act'; readonly action: LegacyAction };

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['default', { kind: 'default' }],
  ['on', { kind: 'default' }],
  ['disable', { kind: 'off' }],
  ['off', { kind: 'off' }],
  ['simulate', { kind: 'act', action: 'simulate' }],
  ['block', { kind: 'act', action: 'block' }],
  ['challenge', { kind: 'act', action: 'challenge' }],
]);

/** Reads the mode of a rule, or of a group in an override; undefined when it is none. */
export function readMode(mode: string): Meaning | undefined {
  return meanings.get(mode);
}

/** Reads the action of the OWASP package; undefined when it is none. */
export function readAction(mode: string): LegacyAction | undefined {
  const meaning = meanings.get(mode);
  return meaning?.kind === 'act' ? meaning.action : undefined;
}

/** Whether two modes ask for the same. */
export function sameMeaning(left: Meaning, right: Meaning): boolean {
  return (
    left.kind === right.kind &&
    (left.kind !== 'act' || right.kind !== 'act' || left.action === right.action)
  );
}

/**
 * The new action of an old one (spec: "Simulate becomes Log"; a real migrated zone shows
 * `managed_challenge` where it had Challenge).
 */
export const newAction = {
  simulate: 'log',
  block: 'block',
  challenge: 'managed_challenge',
} as const satisfies Record<LegacyAction, string>;

/** Why an action that was carried is not quite the old one. */
export const CHALLENGE_NOTE =
  'the previous Challenge was always interactive; a managed challenge chooses what the visitor sees';

const family: Readonly<Record<LegacyAction, readonly string[]>> = {
  simulate: ['log'],
  block: ['block'],
  challenge: ['challenge', 'managed_challenge', 'js_challenge'],
};

/** How a new action answers to an old one: the first of a family is the very same. */
export function compareAction(old: LegacyAction, action: string): 'same' | 'similar' | 'other' {
  const place = family[old].indexOf(action);
  if (place < 0) return 'other';
  return place === 0 ? 'same' : 'similar';
}

/** What is known of the thing that a setting is about; what is not known is left out. */
export function settingFacts(
  of: PackageKind | undefined,
  title: string | undefined,
): Pick<Setting, 'package' | 'title'> {
  return {
    ...(of === undefined ? {} : { package: of }),
    ...(title === undefined ? {} : { title }),
  };
}
