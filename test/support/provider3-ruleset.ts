import { Edit } from '../e2e/provider/table/edit';
import { instanceIn, measuredState } from './canonical';
import { type Lab } from './lab';
import { type Major } from './provider/schema/load-schema';
import { type World } from './world';

export const OTHER = 'cloudflare_ruleset.other';

/**
 * Adds the ruleset of the second zone of a world to its state, as provider 3 or another wrote it, and removes
 * the legacy resources of that zone.
 */
export function addRulesetOfThree(world: World, major: Major, writtenBy: Major = 3): void {
  const { lab, http, zoneIds, rulesetIds, resources } = world;
  const state = JSON.parse(http?.state() ?? lab.read('terraform.tfstate'));
  const ofFirst = new Set(
    resources
      .filter(({ attributes }) => attributes['zone_id'] === zoneIds[0])
      .map(({ name }) => name),
  );
  state.resources = state.resources.filter(({ name }: any) => ofFirst.has(name));
  const instance: any = structuredClone(instanceIn(measuredState(writtenBy)));
  Object.assign(instance.attributes, { id: rulesetIds[1], zone_id: zoneIds[1] });
  const { provider } = state.resources[0];
  const other = { mode: 'managed', type: 'cloudflare_ruleset', name: 'other', provider };
  state.resources.push({ ...other, instances: [instance] });
  if (http === null) lab.write('terraform.tfstate', state);
  else http.put(JSON.stringify(state));
  const blocks = resources.filter(({ name }) => ofFirst.has(name)).map(({ block }) => block);
  lab.write('main.tf', blocks.join('\n'));
  declareOther(lab, zoneIds[1]!, major);
}

/** Declares it for a provider, as a user does when the major changes. */
export function declareOther(lab: Lab, zoneId: string, major: Major): void {
  const { resource } = new Edit(major);
  const other = { ...resource, zone_id: zoneId };
  lab.write('other.tf.json', { resource: { cloudflare_ruleset: { other } } });
}
