import { createHash } from 'node:crypto';
import * as z from 'zod';
import catalogue from './catalogue/legacy-packages.json';
import { faultSchema } from './faults';
import canonical from './scenarios/canonical.json';
import demo from './scenarios/demo.json';
import enterprise from './scenarios/enterprise.json';
import migrated from './scenarios/migrated.json';
import notEligible from './scenarios/not-eligible.json';
import oldWafScenario from './scenarios/old-waf.json';
import pro from './scenarios/pro.json';
import {
  legacyPackage,
  type LegacyPackage,
  settingsSchema,
  type Zone,
  zoneSchema,
  type ZoneSeed,
} from './world';

/** A scenario as JSON data: the initial zones, and how the API behaves. */
export const scenarioSchema = z.strictObject({
  name: z.string(),
  description: z.string().default(''),
  include: z.array(z.string()).default([]),
  settings: settingsSchema.prefault({}),
  faults: z.array(faultSchema).default([]),
  /** The legacy packages of every zone; by default those of the catalogue. */
  packages: z.array(legacyPackage).optional(),
  zones: z.array(zoneSchema).default([]),
});

type Scenario = Omit<z.output<typeof scenarioSchema>, 'zones'> & {
  readonly zones: readonly Zone[];
};

const builtIn: ReadonlyMap<string, unknown> = new Map<string, unknown>(
  [demo, enterprise, pro, notEligible, migrated, canonical, oldWafScenario].map((data) => [
    data.name,
    data,
  ]),
);

/** Names of the built-in scenarios; the first is the default. */
export const scenarioNames: readonly string[] = [...builtIn.keys()];

/**
 * Loads a scenario by its name or from its JSON. Zones of included scenarios come first.
 * @throws Error when there is no such scenario, or a ZodError that names each invalid field
 */
export function loadScenario(source: string | object): Scenario {
  const scenario = scenarioSchema.parse(typeof source === 'string' ? dataOf(source) : source);
  const included = scenario.include.flatMap((name) => loadScenario(name).zones);
  const own = scenario.zones.map((seed) => buildZone(seed, scenario.packages));
  return { ...scenario, zones: [...included, ...own] };
}

function dataOf(name: string): unknown {
  if (builtIn.has(name)) return builtIn.get(name);
  throw new Error(`no scenario "${name}", there are ${scenarioNames.join(', ')}`);
}

/** A zone with all defaults filled in. It shares no objects with its seed. */
function buildZone(seed: ZoneSeed, packages: readonly LegacyPackage[] | undefined): Zone {
  const { oldWaf, migration, ...rest } = structuredClone(seed);
  return {
    ...rest,
    migration: {
      state: migration.state,
      since: rest.created_on,
      source: migration.state === 'start' ? 'defaults' : 'zone',
      readsLeft: 0,
    },
    legacyWaf: {
      enabled: oldWaf.enabled,
      overrides: oldWaf.overrides,
      packages: (packages ?? [...standardPackages, userPackage(seed.id)]).map((one) =>
        buildPackage(one, oldWaf.settings),
      ),
    },
  };
}

/** Legacy WAF defaults: OWASP `high` and `challenge`, groups on, rules at their default. */
function buildPackage(seed: LegacyPackage, settings: ZoneSeed['oldWaf']['settings']) {
  const one = structuredClone(seed);
  for (const group of one.groups) {
    group.mode = settings.groups[group.id] ?? group.mode;
    for (const rule of group.rules) rule.mode = settings.rules[rule.id] ?? rule.mode;
  }
  if (one.detection_mode === 'traditional') return one;
  const defaults = { sensitivity: 'high', action_mode: 'challenge' };
  return { ...one, ...defaults, ...settings.packages[one.id] };
}

const standardPackages = z.array(legacyPackage).parse(catalogue.packages);

/** The package of custom rules: empty, with a different id in each zone. */
function userPackage(zoneId: string): LegacyPackage {
  return {
    id: createHash('sha256').update(`USER/${zoneId}`).digest('hex').slice(0, 32),
    name: 'USER',
    description: '',
    detection_mode: 'traditional',
    groups: [],
  };
}
