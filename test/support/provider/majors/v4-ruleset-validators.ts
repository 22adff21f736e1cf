import { isObject, type ObjectValue, type Value } from '../protocol/value';
import { type Diagnostic, type Path } from '../resource';
import { type SchemaJson } from '../schema/field';
import { overrideActions, rulesetKinds, sensitivities } from './ruleset-enums';

/** The validators of provider 4's `cloudflare_ruleset`, as far as managed rules meet them. */
export function validateV4Ruleset(_schema: SchemaJson, config: ObjectValue): Diagnostic[] {
  const found: Diagnostic[] = [];
  const refuse = (summary: string, detail: string, path: Path) => {
    found.push({ severity: 'error', summary, detail, path });
  };
  const oneOf = (allowed: readonly string[], value: Value | undefined, path: Path) => {
    if (typeof value === 'string' && !allowed.includes(value.toLowerCase())) {
      const detail = `Attribute ${path.join('.')} value must be one of: ${allowed.join(', ')}`;
      refuse('Invalid Attribute Value Match', `${detail}, got: "${value}"`, path);
    }
  };
  if ((config['zone_id'] ?? null) !== null && (config['account_id'] ?? null) !== null) {
    refuse('Invalid Attribute Combination', 'zone_id conflicts with account_id', ['zone_id']);
  }
  oneOf(rulesetKinds, config['kind'], ['kind']);
  blocks(config['rules']).forEach((rule, at) => {
    const path: Path = ['rules', at];
    if ((rule['id'] ?? null) !== null) {
      refuse(
        'Invalid Configuration for Read-Only Attribute',
        'Cannot set value for this attribute as the provider has marked it as read-only.',
        [...path, 'id'],
      );
    }
    for (const [name, items] of Object.entries(rule)) {
      if (Array.isArray(items) && items.length > 1) {
        refuse('Invalid Attribute Value', `${name}: at most 1 block`, [...path, name]);
      }
    }
    for (const parameters of blocks(rule['action_parameters'])) {
      const here: Path = [...path, 'action_parameters', 0, 'overrides'];
      for (const overrides of blocks(parameters['overrides'])) {
        oneOf(sensitivities, overrides['sensitivity_level'], [...here, 'sensitivity_level']);
        for (const [index, part] of [
          overrides,
          ...blocks(overrides['categories']),
          ...blocks(overrides['rules']),
        ].entries()) {
          oneOf(overrideActions, part['action'], [...here, index, 'action']);
        }
      }
    }
  });
  return found;
}

function blocks(value: Value | undefined): ObjectValue[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
