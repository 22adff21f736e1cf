import { isObject, type ObjectValue, Unknown, type Value } from '../protocol/value';
import { type Diagnostic, type Path } from '../resource';
import { type SchemaJson } from '../schema/field';
import { oneOf, sdkValidate } from '../sdk/sdk-validate';

/** Ruleset kinds that the validators of providers 3 and 4 accept. */
const rulesetKinds = ['custom', 'managed', 'root', 'schema', 'zone'] as const;

/** Sensitivity levels that the validators of all majors accept. */
const sensitivities = ['default', 'medium', 'low', 'eoff'] as const;

/** Rule actions that the validators of providers 3 and 4 accept; "" is no action. */
const overrideActions = [
  'block',
  'challenge',
  'compress_response',
  'ddos_dynamic',
  'ddos_mitigation',
  'execute',
  'force_connection_close',
  'js_challenge',
  'log',
  'log_custom_field',
  'managed_challenge',
  'redirect',
  'rewrite',
  'route',
  'score',
  'serve_error',
  'set_cache_settings',
  'set_config',
  'skip',
] as const;

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

/** The validators of provider 4's `cloudflare_ruleset`, as far as managed rules meet them. */
export function validateV4Ruleset(_schema: SchemaJson, config: ObjectValue): Diagnostic[] {
  const { found, refuse, refuseId } = collector();
  const isOneOf = (allowed: readonly string[], value: Value | undefined, path: Path) => {
    if (typeof value === 'string' && !allowed.includes(value.toLowerCase())) {
      const detail = `Attribute ${path.join('.')} value must be one of: ${allowed.join(', ')}`;
      refuse('Invalid Attribute Value Match', `${detail}, got: "${value}"`, path);
    }
  };
  if ((config['zone_id'] ?? null) !== null && (config['account_id'] ?? null) !== null) {
    refuse('Invalid Attribute Combination', 'zone_id conflicts with account_id', ['zone_id']);
  }
  isOneOf(rulesetKinds, config['kind'], ['kind']);
  blocks(config['rules']).forEach((rule, at) => {
    const path: Path = ['rules', at];
    refuseId(rule, path);
    for (const [name, items] of Object.entries(rule)) {
      if (Array.isArray(items) && items.length > 1) {
        refuse('Invalid Attribute Value', `${name}: at most 1 block`, [...path, name]);
      }
    }
    for (const parameters of blocks(rule['action_parameters'])) {
      const here: Path = [...path, 'action_parameters', 0, 'overrides'];
      for (const overrides of blocks(parameters['overrides'])) {
        isOneOf(sensitivities, overrides['sensitivity_level'], [...here, 'sensitivity_level']);
        for (const [index, part] of [
          overrides,
          ...blocks(overrides['categories']),
          ...blocks(overrides['rules']),
        ].entries()) {
          isOneOf(overrideActions, part['action'], [...here, index, 'action']);
        }
      }
    }
  });
  return found;
}

const hex32 = /^[0-9a-f]{32}$/;
const kinds = ['managed', 'custom', 'root', 'zone'];

/** The validators of provider 5's `cloudflare_ruleset`, as far as managed rules meet them. */
export function validateV5Ruleset(config: ObjectValue): Diagnostic[] {
  const { found, refuse, refuseId } = collector();
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
    refuseId(rule, path);
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

/** Collects errors, among them one that provider 4 and 5 have in common. */
function collector() {
  const found: Diagnostic[] = [];
  const refuse = (summary: string, detail: string, path: Path): void => {
    found.push({ severity: 'error', summary, detail, path });
  };
  const refuseId = (rule: ObjectValue, path: Path): void => {
    if ((rule['id'] ?? null) === null) return;
    refuse(
      'Invalid Configuration for Read-Only Attribute',
      'Cannot set value for this attribute as the provider has marked it as read-only.',
      [...path, 'id'],
    );
  };
  return { found, refuse, refuseId };
}

function blocks(value: Value | undefined): ObjectValue[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
