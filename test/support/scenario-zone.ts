import { createHash } from 'node:crypto';

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
