import { createHash } from 'node:crypto';

/** Zones of the built-in scenarios. */
export const ENTERPRISE = 'e0000000000000000000000000000001';
export const PRO = 'b0000000000000000000000000000002';
export const NOT_ELIGIBLE = 'c0000000000000000000000000000003';
export const MIGRATED = 'd0000000000000000000000000000004';

/** An identifier: a digit, then a number. */
export function idOf(digit: string, number: number): string {
  return digit + number.toString(16).padStart(31, '0');
}

/** A scenario with one zone; Enterprise by default. */
export function oneZone(zone: object = {}, settings: object = {}): object {
  const defaults = { id: ENTERPRISE, name: 'shop.example.com', plan: 'enterprise' };
  return { name: 'one', settings, zones: [{ ...defaults, ...zone }] };
}

/** What differs from the defaults in a zone, by id; each becomes a legacy resource. */
export interface LegacySettings {
  packages?: Record<string, { sensitivity: string; action_mode: string }>;
  groups?: Record<string, 'on' | 'off'>;
  rules?: Record<string, string>;
  overrides?: { urls: string[]; rules?: Record<string, string>; groups?: Record<string, string> }[];
}

/** The zone of a number in a scenario, with legacy settings; `ruleset` is its entry point. */
export function scenarioZone(
  at: number,
  { packages = {}, groups = {}, rules = {}, overrides = [] }: LegacySettings,
  ruleset?: object,
) {
  return {
    id: identifier(`zone ${at}`),
    name: `zone-${at + 1}.example.com`,
    oldWaf: {
      settings: { packages, groups, rules },
      overrides: overrides.map((override, index) => ({
        id: identifier(`override ${at} ${index}`),
        description: '',
        priority: 0,
        paused: false,
        rewrite_action: {},
        groups: {},
        rules: {},
        ...override,
      })),
    },
    rulesets: ruleset === undefined ? [] : [{ ...ruleset, id: identifier(`ruleset ${at}`) }],
  };
}

/** 32 hexadecimal digits, the same for the same name. */
export function identifier(name: string): string {
  return createHash('md5').update(name).digest('hex');
}
