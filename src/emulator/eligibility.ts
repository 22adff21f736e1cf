import { type Zone } from './zone';

/** The two procedures of the service: spec, part "Eligibility". */
export type Phase = 1 | 2;

/** The procedure that a call asks for: `phase_two=1`, or the earlier one without it. */
export function phaseOf(query: URLSearchParams): Phase {
  return query.get('phase_two') === '1' ? 2 : 1;
}

/** Why a zone may not migrate; empty where it may. */
export function blockersOf(zone: Zone, phase: Phase): string[] {
  const blockers: string[] = [];
  if (zone.oldWaf.overrides.length > 0) {
    blockers.push('the zone has URI-based WAF overrides, which must be deleted first');
  }
  if (phase === 1 && zone.oldWaf.enabled && owaspIsOn(zone)) {
    blockers.push('the OWASP rule set is enabled');
  }
  return blockers;
}

function owaspIsOn(zone: Zone): boolean {
  return zone.oldWaf.packages.some(
    (one) => one.detection_mode === 'anomaly' && one.sensitivity !== 'off',
  );
}
