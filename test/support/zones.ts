import { createHash } from 'node:crypto';

/** Zones of the built-in scenarios. */
export const ENTERPRISE = 'e0000000000000000000000000000001';
export const PRO = 'b0000000000000000000000000000002';
export const NOT_ELIGIBLE = 'c0000000000000000000000000000003';
export const MIGRATED = 'd0000000000000000000000000000004';
/** A zone that no scenario has. */
export const UNKNOWN = 'f'.repeat(32);

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

/** The text of a state, as Terraform 1.11.4 writes it. */
export function stateFile(resources: object[], lineage: string, more: object = {}): string {
  const head = { version: 4, terraform_version: '1.11.4', serial: 1, lineage, outputs: {} };
  return `${JSON.stringify({ ...head, ...more, resources, check_results: null }, null, 2)}\n`;
}

/** 32 hexadecimal digits, the same for the same name. */
export function identifier(name: string): string {
  return createHash('md5').update(name).digest('hex');
}

/** Name of the zone of the scenario `enterprise`. */
export const NAME = 'shop.example.com';
export const FINISH = `finish --zone ${ENTERPRISE} --confirm ${NAME} --json`;

export const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
export const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f';
export const CREDENTIALS = 'c2e184081120413c86c3ab7e14069605';

/** The rule that deploys the Cloudflare Managed Ruleset. */
export function managedOf(rules: any[]): any {
  return rules.find((rule) => rule.action === 'execute' && rule.action_parameters.id === MANAGED);
}

/** An entry point for a scenario. */
export function entryPoint(...rules: object[]): object {
  return {
    ...{ id: idOf('9', 1), name: 'zone', description: '', kind: 'zone' },
    phase: 'http_request_firewall_managed',
    ...{ version: '1', last_updated: '2024-01-01T00:00:00Z', rules },
  };
}

/** A rule of an entry point for a scenario, off by default. */
export function deploy(ruleset: string, rest: object = {}): object {
  return {
    ...{ id: idOf('8', 1), ref: 'ours', version: '1', action: 'execute' },
    ...{ expression: 'true', enabled: false, action_parameters: { id: ruleset }, ...rest },
  };
}
