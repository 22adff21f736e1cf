import { deploy, entryPoint, idOf, MANAGED } from '../../support/zones';

export const OURS = 'ac'.repeat(16);
export const OTHER_ACCOUNT = 'bd'.repeat(16);

interface FleetOptions {
  count: number;
  /** Whether a zone has moved; by default each has. */
  moved?: (number: number) => boolean;
  /** Whether a URI-based override blocks a zone; by default none is blocked. */
  blocked?: (number: number) => boolean;
  /** By default {@link zoneName}. */
  name?: (number: number) => string;
  /** By default `pro`. */
  plan?: (number: number) => string;
}

/** The counts of a summary without anything but done zones. */
export const ALL_DONE = {
  ...{ attention: 0, failed: 0, waiting: 0, unknown: 0 },
  ...{ refused: 0, skipped: 0, earlier: 0 },
};

export const zoneId = (number: number): string => idOf('f', number);
export const zoneName = (number: number): string => `zone-${number}.example.com`;

/** A scenario with many zones of one account; those that have moved deploy the managed ruleset. */
export function fleetScenario({
  count,
  moved = () => true,
  blocked = () => false,
  name = zoneName,
  plan = () => 'pro',
}: FleetOptions): object {
  const zones = Array.from({ length: count }, (_, number) => ({
    id: zoneId(number),
    name: name(number),
    plan: plan(number),
    account: { id: OURS, name: 'Ours' },
    ...(blocked(number) && {
      oldWaf: { overrides: [{ id: idOf('e', number), urls: ['a.example/*'], rules: {} }] },
    }),
    ...(moved(number) && { migration: { state: 'complete' }, rulesets: [standing(number)] }),
  }));
  return { name: 'fleet', zones };
}

const standing = (number: number): object => {
  const rule = { id: idOf('b', number), ref: idOf('b', number), enabled: true };
  return { ...entryPoint(deploy(MANAGED, rule)), id: idOf('a', number), name: 'default' };
};
