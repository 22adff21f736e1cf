import { isObject, type ObjectValue, type Value } from '../protocol/value';
import { type Diagnostic, type Path } from '../resource';
import { type SchemaJson } from '../schema/field';
import { oneOf, sdkValidate } from '../sdk/sdk-validate';
import { overrideActions, rulesetKinds, sensitivities } from './ruleset-enums';

const statuses = ['', 'enabled', 'disabled'];

/** The validators of provider 3's `cloudflare_ruleset`, as far as managed rules meet them. */
export function validateV3Ruleset(schema: SchemaJson, config: ObjectValue): Diagnostic[] {
  const found = sdkValidate(schema.block, config);
  found.push(...oneOf(rulesetKinds, config, ['kind']));
  blocks(config['rules']).forEach((rule, at) => {
    const path: Path = ['rules', at];
    for (const logging of blocks(rule['logging'])) {
      found.push(...oneOf(statuses, logging, [...path, 'logging', 0, 'status']));
    }
    for (const parameters of blocks(rule['action_parameters'])) {
      const here: Path = [...path, 'action_parameters', 0, 'overrides', 0];
      for (const overrides of blocks(parameters['overrides'])) {
        checkOverride(overrides, here);
        found.push(...oneOf(sensitivities, overrides, [...here, 'sensitivity_level']));
        for (const list of ['categories', 'rules']) {
          blocks(overrides[list]).forEach((item, index) => {
            checkOverride(item, [...here, list, index]);
          });
        }
      }
    }
  });
  return found;

  function checkOverride(override: ObjectValue, path: Path): void {
    found.push(
      ...oneOf(overrideActions, override, [...path, 'action']),
      ...oneOf(statuses, override, [...path, 'status']),
    );
  }
}

function blocks(value: Value | undefined): ObjectValue[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
