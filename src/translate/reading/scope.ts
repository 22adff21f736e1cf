import { type UrlPattern } from '../patterns/url-pattern';
import { type OldAction } from './modes';
import { shortName } from './short-name';
import { type Setting } from './verdict';

/**
 * What an override makes of a new rule: `skip` it; set it to its `default`; put it back to what the
 * zone says of it apart from its group (`own`: the group is on there); or let it act.
 */
export type ScopeChange = 'skip' | 'default' | 'own' | OldAction;

/** A change with the settings that ask for it. */
export interface ScopeClaim {
  readonly change: ScopeChange;
  readonly settings: readonly Setting[];
}

/** A URI-based override, as far as it can be expressed. */
export interface Scope {
  readonly from: string;
  readonly id: string | undefined;
  readonly description: string;
  readonly priority: number;
  readonly patterns: readonly UrlPattern[];
  readonly expression: string;
  /** By new rule. */
  readonly claims: Map<string, ScopeClaim>;
  /** What becomes of every rule, and the settings that say so. */
  all: { readonly change: 'skip' | OldAction; readonly settings: readonly Setting[] } | undefined;
  /** What cannot be expressed of a setting that is otherwise carried. */
  readonly missing: ReadonlyMap<Setting, string>;
}

/** Why an override changes nothing. */
export const COVERED = 'overrides of higher priority say otherwise for all of its URLs';

/** A short name that stays the same when the override is changed. */
export function refOf({ id, from }: Scope): string {
  return `override_${shortName(id, from)}`;
}

/** What overrides are called in the new ruleset. */
export function describeScopes(scopes: readonly Scope[]): string {
  const names = scopes.map(({ description, patterns }) =>
    description === '' ? patterns.map(({ text }) => text).join(' ') : description,
  );
  return `URI override of the previous WAF: ${names.join('; ')}`;
}
