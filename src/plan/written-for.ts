import { type ConfigFile } from '../blocks/config-file';
import { type ConfigObject, objectsOf } from '../blocks/config-value';
import { PROVIDER_MAJORS, type ProviderMajor } from '../model/provider-majors';

/**
 * The provider majors that take a declared ruleset as it is written; all of them where nothing tells.
 * Blocks of rules are of 3 and 4, lists of them of 5; `status` is of 3, `ref` of those after it.
 * @param body of the resource
 */
export function writtenFor(body: ConfigObject, syntax: ConfigFile['syntax']): ProviderMajor[] {
  const rules = objectsOf(body.get('rules'));
  const nested = rules.flatMap((rule) => [rule.get('action_parameters'), rule.get('logging')]);
  const isDynamic = objectsOf(body.get('dynamic')).some((one) => one.has('rules'));
  const hasBlocks = isDynamic || nested.some(Array.isArray);
  // Terraform JSON may write a block as an object
  const hasObjects = syntax === 'hcl' && nested.some((value) => value instanceof Map);
  const overrides = nested.flatMap(objectsOf).flatMap((one) => objectsOf(one.get('overrides')));
  const logging = rules.flatMap((rule) => objectsOf(rule.get('logging')));
  const rated = ['categories', 'rules'].flatMap((name) =>
    overrides.flatMap((one) => objectsOf(one.get(name))),
  );
  const hasStatus = [...overrides, ...rated, ...logging].some((one) => one.has('status'));
  const hasRefs = rules.some((rule) => rule.has('ref'));
  return PROVIDER_MAJORS.filter((major) => {
    const isOfSyntax = major < 5 ? !hasObjects : !hasBlocks;
    return isOfSyntax && (major === 3 ? !hasRefs : !hasStatus);
  });
}
