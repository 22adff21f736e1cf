/** What an old rule or package can be told to do. */
export type OldAction = 'simulate' | 'block' | 'challenge';

/** What a mode asks for. */
export type Meaning =
  /** What holds without a setting: provider 3.35 writes these two when a setting is deleted. */
  | { readonly kind: 'default' }
  | { readonly kind: 'off' }
  | { readonly kind: 'act'; readonly action: OldAction };

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
export function readAction(mode: string): OldAction | undefined {
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
} as const satisfies Record<OldAction, string>;

/** Why an action that was carried is not quite the old one. */
export const CHALLENGE_NOTE =
  'the previous Challenge was always interactive; a managed challenge chooses what the visitor sees';

const family: Readonly<Record<OldAction, readonly string[]>> = {
  simulate: ['log'],
  block: ['block'],
  challenge: ['challenge', 'managed_challenge', 'js_challenge'],
};

/** How a new action answers to an old one: the first of a family is the very same. */
export function compareAction(old: OldAction, action: string): 'same' | 'similar' | 'other' {
  const place = family[old].indexOf(action);
  if (place < 0) return 'other';
  return place === 0 ? 'same' : 'similar';
}
