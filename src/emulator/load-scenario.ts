import { type Scenario, type ScenarioZone, scenarioSchema } from './scenario';
import canonical from './scenarios/canonical.json';
import demo from './scenarios/demo.json';
import enterprise from './scenarios/enterprise.json';
import migrated from './scenarios/migrated.json';
import notEligible from './scenarios/not-eligible.json';
import oldWaf from './scenarios/old-waf.json';
import pro from './scenarios/pro.json';

const builtIn: ReadonlyMap<string, unknown> = new Map<string, unknown>(
  [demo, enterprise, pro, notEligible, migrated, canonical, oldWaf].map((data) => [
    data.name,
    data,
  ]),
);

/** Names of the scenarios that come with the emulator; the first is the default. */
export const scenarioNames: readonly string[] = [...builtIn.keys()];

/**
 * A scenario by its name, or from its JSON, with the zones of what it includes put first.
 * @throws Error when there is no such scenario, or a ZodError that names each wrong field
 */
export function loadScenario(source: string | object): Scenario {
  const scenario = scenarioSchema.parse(typeof source === 'string' ? dataOf(source) : source);
  const included = scenario.include.flatMap((name) => loadScenario(name).zones);
  const own = scenario.zones.map((zone) => withPackages(zone, scenario.packages));
  return { ...scenario, zones: [...included, ...own] };
}

function withPackages(zone: ScenarioZone, packages: Scenario['packages']): ScenarioZone {
  if (packages === undefined || zone.oldWaf.packages !== undefined) return zone;
  return { ...zone, oldWaf: { ...zone.oldWaf, packages } };
}

function dataOf(name: string): unknown {
  if (builtIn.has(name)) return builtIn.get(name);
  throw new Error(`no scenario "${name}", there are ${scenarioNames.join(', ')}`);
}
