import { idOf } from '../../support/zones';

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
    ...(blocked(number) ? { oldWaf: { overrides: [override(number)] } } : {}),
    ...(moved(number) ? { migration: { state: 'complete' }, rulesets: [entryPoint(number)] } : {}),
  }));
  return { name: 'fleet', zones };
}

function override(number: number): object {
  return {
    id: idOf('e', number),
    urls: [`${zoneName(number)}/*`],
    rules: { 100000: 'disable' },
    groups: {},
    rewrite_action: {},
    paused: false,
    priority: 0,
    description: '',
  };
}

function entryPoint(number: number): object {
  const rule = idOf('b', number);
  return {
    id: idOf('a', number),
    name: 'default',
    description: '',
    kind: 'zone',
    phase: 'http_request_firewall_managed',
    version: '1',
    last_updated: '2026-01-01T00:00:00Z',
    rules: [
      {
        id: rule,
        version: '1',
        action: 'execute',
        expression: 'true',
        last_updated: '2026-01-01T00:00:00Z',
        ref: rule,
        enabled: true,
        action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee', version: 'latest' },
      },
    ],
  };
}
