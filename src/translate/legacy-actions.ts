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

/** The action of a meaning; undefined if it has none. */
export function actionOf(meaning: Meaning | undefined): LegacyAction | undefined {
  return meaning === 'default' || meaning === 'off' ? undefined : meaning;
}

/**
 * The new action for a legacy action (spec: "Simulate becomes Log"; a real migrated zone has
 * `managed_challenge` instead of Challenge).
 */
export const newAction = {
  simulate: 'log',
  block: 'block',
  challenge: 'managed_challenge',
} as const satisfies Record<LegacyAction, string>;

/** Why a new challenge is not equal to the legacy one. */
export const CHALLENGE_NOTE =
  'the legacy Challenge was always interactive; a managed challenge chooses what the visitor sees';
