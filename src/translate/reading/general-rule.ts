import { type RuleDraft } from './draft';
import { type OldState } from './old-states';

/** What the zone says of one new rule. */
export interface GeneralRule {
  readonly draft: RuleDraft;
  /** What it would say if the group of the old rule were on; undefined: nothing. */
  readonly own: RuleDraft | undefined;
}

/** Of the old rules that became it, and agree. */
export function generalRule(id: string, claims: readonly OldState[]): GeneralRule {
  const action = claims.find((claim) => claim.action !== undefined)?.action;
  const asked = claims.find(({ request }) => request !== undefined)?.request?.meaning;
  return {
    draft: { id, enabled: claims.every(({ enabled }) => enabled), action },
    own: asked === undefined ? undefined : { id, enabled: asked.kind !== 'off', action },
  };
}

/** Whether one new rule can do what several old ones did. */
export function agree(claims: readonly OldState[]): boolean {
  const [first] = claims;
  return claims.every(
    ({ enabled, action }) => enabled === first?.enabled && (!enabled || action === first.action),
  );
}
