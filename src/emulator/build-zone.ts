import { createHash } from 'node:crypto';
import * as z from 'zod';
import catalogue from './catalogue/legacy-packages.json';
import { type LegacyPackage, type OldWaf, unsetMode } from './old-waf';
import { legacyPackage, type ScenarioZone } from './scenario';
import { type Zone } from './zone';

const standardPackages = z.array(legacyPackage).parse(catalogue.packages);

/** A zone with every default filled in, from what a scenario says of it. Shares nothing with it. */
export function buildZone(seed: ScenarioZone): Zone {
  const copy = structuredClone(seed);
  return {
    id: copy.id,
    name: copy.name,
    plan: copy.plan,
    account: copy.account,
    created_on: copy.created_on,
    migration: {
      state: copy.migration.state,
      since: copy.created_on,
      source: copy.migration.state === 'start' ? 'defaults' : 'zone',
    },
    oldWaf: buildOldWaf(copy.oldWaf, copy.id),
    rulesets: copy.rulesets,
    filters: copy.filters,
    firewallRules: copy.firewallRules,
    pageRules: copy.pageRules,
  };
}

/** Defaults of the old WAF: OWASP `high` and `challenge`, groups on, rules at their default. */
function buildOldWaf(seed: ScenarioZone['oldWaf'], zoneId: string): OldWaf {
  const { settings } = seed;
  const packages = (seed.packages ?? [...standardPackages, userPackage(zoneId)]).map(
    (one): LegacyPackage => {
      const groups = one.groups.map((group) => ({
        ...group,
        mode: settings.groups[group.id] ?? ('on' as const),
        rules: group.rules.map(({ default_mode, ...rule }) => ({
          ...rule,
          ...(default_mode === undefined ? {} : { default_mode }),
          mode: settings.rules[rule.id] ?? unsetMode(rule),
        })),
      }));
      if (one.detection_mode === 'traditional') return { ...one, groups };
      const chosen = settings.packages[one.id];
      return {
        ...one,
        sensitivity: chosen?.sensitivity ?? 'high',
        action_mode: chosen?.action_mode ?? 'challenge',
        groups,
      };
    },
  );
  return { enabled: seed.enabled, packages, overrides: seed.overrides };
}

/** The package of the customer's own rules: empty here, and with an id of its own in each zone. */
function userPackage(zoneId: string): z.infer<typeof legacyPackage> {
  return {
    id: createHash('sha256').update(`USER/${zoneId}`).digest('hex').slice(0, 32),
    name: 'USER',
    description: '',
    detection_mode: 'traditional',
    groups: [],
  };
}
