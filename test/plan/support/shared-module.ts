import { type StateFacts } from '../../../src/plan/facts/facts';
import {
  configuration,
  declaredZone,
  legacyResource,
  OLD_BLOCKS,
  OTHER_ZONE,
  stateFacts,
} from './state-facts';

/** The file of the module that two roots call. */
export const MODULE = 'modules/waf/main.tf';
const call = 'module "waf" {\n  source = "../../modules/waf"\n}\n';
/** What the files say: a third root has the blocks in its own. */
export const moduleFiles = {
  'roots/a/main.tf': call,
  'roots/b/main.tf': call,
  'roots/c/main.tf': OLD_BLOCKS,
  [MODULE]: OLD_BLOCKS,
};

/** The zone of the second root. */
export const otherZone = {
  ...{ ...declaredZone, zoneId: OTHER_ZONE, rulesetId: 'b'.repeat(32) },
  address: 'cloudflare_ruleset.other',
};

/** The state of a root that calls the shared module, and holds these resources of it. */
export async function rootState(
  name: 'a' | 'b' | 'c',
  changes: Partial<StateFacts> = {},
  names = ['cloudflare_waf_package.owasp', 'cloudflare_waf_rule.one["a"]'],
): Promise<StateFacts> {
  const zoneId = name === 'b' ? { zoneId: OTHER_ZONE } : {};
  return stateFacts({
    name,
    dir: `roots/${name}`,
    lineage: name,
    configuration: await configuration(moduleFiles, `roots/${name}`),
    legacyResources: names.map((one) =>
      legacyResource(name === 'c' ? one : `module.waf.${one}`, zoneId),
    ),
    ...changes,
  });
}
