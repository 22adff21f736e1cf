import { isObject, type ObjectValue, Unknown, type Value } from '../protocol/value';
import { type Diagnostic, type Path } from '../resource';
import { sensitivities } from './ruleset-enums';

const hex32 = /^[0-9a-f]{32}$/;
const kinds = ['managed', 'custom', 'root', 'zone'];

/** The validators of provider 5's `cloudflare_ruleset`, as far as managed rules meet them. */
export function validateV5Ruleset(config: ObjectValue): Diagnostic[] {
  const found: Diagnostic[] = [];
  const refuse = (summary: string, detail: string, path: Path) => {
    found.push({ severity: 'error', summary, detail, path });
  };
  const invalid = (detail: string, path: Path) => {
    refuse('Invalid Attribute Value Match', `Attribute ${path.join('.')} ${detail}`, path);
  };
  const combination = (detail: string, path: Path) => {
    refuse('Invalid Attribute Combination', detail, path);
  };
  const isId = (value: Value | undefined, path: Path) => {
    if (typeof value === 'string' && !hex32.test(value)) {
      invalid(`value must be 32 lowercase hexadecimal digits, got: ${value}`, path);
    }
  };

  isId(config['zone_id'], ['zone_id']);
  isId(config['account_id'], ['account_id']);
  const given = ['zone_id', 'account_id'].filter((name) => (config[name] ?? null) !== null);
  if (given.length !== 1) {
    combination('Exactly one of these attributes must be configured: [account_id,zone_id]', [
      given[0] ?? 'zone_id',
    ]);
  }
  if (typeof config['kind'] === 'string' && !kinds.includes(config['kind'].toLowerCase())) {
    invalid(`value must be one of: ${kinds.join(', ')}`, ['kind']);
  }

  for (const [at, rule] of objects(config['rules'])) {
    const path: Path = ['rules', at];
    if ((rule['id'] ?? null) !== null) {
      refuse(
        'Invalid Configuration for Read-Only Attribute',
        'Cannot set value for this attribute as the provider has marked it as read-only.',
        [...path, 'id'],
      );
    }
    const parameters = rule['action_parameters'];
    if (!isObject(parameters)) continue;
    const overrides = parameters['overrides'];
    if (!isObject(overrides)) continue;
    const here: Path = [...path, 'action_parameters', 'overrides'];
    if (typeof rule['action'] === 'string' && rule['action'] !== 'execute') {
      combination('overrides can only be used when the rule action is "execute"', here);
    }
    if (Object.values(overrides).every((value) => value === null)) {
      combination('at least one property of overrides must be configured', here);
    }
    checkWords(overrides, here);
    for (const list of ['categories', 'rules'] as const) {
      const items = overrides[list];
      if (Array.isArray(items) && items.length === 0) {
        invalid('list must contain at least 1 elements, got: 0', [...here, list]);
      }
      for (const [index, item] of objects(items)) checkOverride(list, item, [...here, list, index]);
    }
  }
  return found;

  function checkWords({ action, sensitivity_level: level }: ObjectValue, path: Path): void {
    if (typeof action === 'string' && !/^[a-z_]+$/.test(action)) {
      invalid(`value must be lowercase characters and underscores, got: "${action}"`, [
        ...path,
        'action',
      ]);
    }
    if (
      typeof level === 'string' &&
      !sensitivities.some((known) => known === level.toLowerCase())
    ) {
      invalid(`value must be one of: ${sensitivities.join(', ')}, got: "${level}"`, [
        ...path,
        'sensitivity_level',
      ]);
    }
  }

  function checkOverride(list: 'categories' | 'rules', item: ObjectValue, path: Path): void {
    if (list === 'rules') isId(item['id'], [...path, 'id']);
    const properties = ['action', 'enabled', 'sensitivity_level', 'score_threshold'];
    if (properties.every((name) => (item[name] ?? null) === null)) {
      combination(`at least one of ${properties.join(', ')} must be configured`, path);
    }
    checkWords(item, path);
  }
}

function objects(value: Value | undefined): [number, ObjectValue][] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item, at): [number, ObjectValue][] =>
    isObject(item) && !(item instanceof Unknown) ? [[at, item]] : [],
  );
}
