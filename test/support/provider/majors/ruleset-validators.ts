import { isObject, type ObjectValue } from '../protocol/value';
import { type Diagnostic, type Path } from '../resource';
import { type SchemaJson } from '../schema/field';
import { oneOf, sdkValidate } from '../sdk/sdk-resource';

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
  const { rules, wholes, overrides } = partsOf(config);
  const check = (allowed: readonly string[], parts: readonly Part[], name: string) =>
    parts.flatMap(({ value, path }) => oneOf(allowed, value, [...path, name]));
  return [
    ...sdkValidate(schema.block, config),
    ...oneOf(rulesetKinds, config, ['kind']),
    ...check(statuses, below(rules, 'logging'), 'status'),
    ...check(sensitivities, wholes, 'sensitivity_level'),
    ...check(overrideActions, overrides, 'action'),
    ...check(statuses, overrides, 'status'),
  ];
}

/** The validators of provider 4's `cloudflare_ruleset`, as far as managed rules meet them. */
export function validateV4Ruleset(_schema: SchemaJson, config: ObjectValue): Diagnostic[] {
  const { found, refuse, refuseId } = collector();
  const check = (allowed: readonly string[], parts: readonly Part[], name: string): void => {
    for (const { value, path } of parts) {
      const given = value[name];
      if (typeof given !== 'string' || allowed.includes(given.toLowerCase())) continue;
      const at = [...path, name];
      const detail = `Attribute ${at.join('.')} value must be one of: ${allowed.join(', ')}`;
      refuse('Invalid Attribute Value Match', `${detail}, got: "${given}"`, at);
    }
  };
  if ((config['zone_id'] ?? null) !== null && (config['account_id'] ?? null) !== null) {
    refuse('Invalid Attribute Combination', 'zone_id conflicts with account_id', ['zone_id']);
  }
  const { rules, wholes, overrides } = partsOf(config);
  check(rulesetKinds, [{ value: config, path: [] }], 'kind');
  for (const rule of rules) {
    refuseId(rule);
    for (const [name, items] of Object.entries(rule.value)) {
      if (Array.isArray(items) && items.length > 1) {
        refuse('Invalid Attribute Value', `${name}: at most 1 block`, [...rule.path, name]);
      }
    }
  }
  check(sensitivities, wholes, 'sensitivity_level');
  check(overrideActions, overrides, 'action');
  return found;
}

const kinds = ['managed', 'custom', 'root', 'zone'];
const properties = ['action', 'enabled', 'sensitivity_level', 'score_threshold'];

/** The validators of provider 5's `cloudflare_ruleset`, as far as managed rules meet them. */
export function validateV5Ruleset(config: ObjectValue): Diagnostic[] {
  const { found, refuse, refuseId } = collector();
  const invalid = (detail: string, path: Path) => {
    refuse('Invalid Attribute Value Match', `Attribute ${path.join('.')} ${detail}`, path);
  };
  const combination = (detail: string, path: Path) => {
    refuse('Invalid Attribute Combination', detail, path);
  };
  const match = ({ value, path }: Part, name: string, pattern: RegExp, what: string) => {
    const given = value[name];
    if (typeof given === 'string' && !pattern.test(given)) {
      invalid(`value must be ${what}, got: ${given}`, [...path, name]);
    }
  };
  const isId = (part: Part, name: string) => {
    match(part, name, /^[0-9a-f]{32}$/, '32 lowercase hexadecimal digits');
  };

  const root: Part = { value: config, path: [] };
  isId(root, 'zone_id');
  isId(root, 'account_id');
  const given = ['zone_id', 'account_id'].filter((name) => (config[name] ?? null) !== null);
  if (given.length !== 1) {
    combination('Exactly one of these attributes must be configured: [account_id,zone_id]', [
      given[0] ?? 'zone_id',
    ]);
  }
  match(root, 'kind', new RegExp(`^(${kinds.join('|')})$`, 'i'), `one of: ${kinds.join(', ')}`);

  for (const rule of below([root], 'rules')) {
    refuseId(rule);
    const [whole] = below(below([rule], 'action_parameters'), 'overrides');
    if (whole === undefined) continue;
    const { value: overrides, path } = whole;
    if (typeof rule.value['action'] === 'string' && rule.value['action'] !== 'execute') {
      combination('overrides can only be used when the rule action is "execute"', path);
    }
    if (Object.values(overrides).every((value) => value === null)) {
      combination('at least one property of overrides must be configured', path);
    }
    for (const list of ['categories', 'rules']) {
      const items = overrides[list];
      if (Array.isArray(items) && items.length === 0) {
        invalid('list must contain at least 1 elements, got: 0', [...path, list]);
      }
    }
    for (const part of below([whole], 'rules')) isId(part, 'id');
    for (const part of [...below([whole], 'categories'), ...below([whole], 'rules')]) {
      if (properties.every((name) => (part.value[name] ?? null) === null)) {
        combination(`at least one of ${properties.join(', ')} must be configured`, part.path);
      }
    }
  }
  for (const part of partsOf(config).overrides) {
    match(part, 'action', /^[a-z_]+$/, 'lowercase characters and underscores');
    const levels = new RegExp(`^(${sensitivities.join('|')})$`, 'i');
    match(part, 'sensitivity_level', levels, `one of: ${sensitivities.join(', ')}`);
  }
  return found;
}

interface Part {
  readonly value: ObjectValue;
  readonly path: Path;
}

/** The rules of a configuration, and their overrides: of whole rulesets, and all with categories and rules. */
function partsOf(config: ObjectValue) {
  const rules = below([{ value: config, path: [] }], 'rules');
  const wholes = below(below(rules, 'action_parameters'), 'overrides');
  const overrides = [...wholes, ...below(wholes, 'categories'), ...below(wholes, 'rules')];
  return { rules, wholes, overrides };
}

/** The objects of an attribute: an object, or a list of objects or blocks. */
function below(parts: readonly Part[], name: string): Part[] {
  return parts.flatMap(({ value, path }) => {
    const found = value[name];
    if (isObject(found)) return [{ value: found, path: [...path, name] }];
    if (!Array.isArray(found)) return [];
    return found.flatMap((item, at): Part[] =>
      isObject(item) ? [{ value: item, path: [...path, name, at] }] : [],
    );
  });
}

/** Collects errors, among them one that provider 4 and 5 have in common. */
function collector() {
  const found: Diagnostic[] = [];
  const refuse = (summary: string, detail: string, path: Path): void => {
    found.push({ severity: 'error', summary, detail, path });
  };
  const refuseId = ({ value, path }: Part): void => {
    if ((value['id'] ?? null) === null) return;
    refuse(
      'Invalid Configuration for Read-Only Attribute',
      'Cannot set value for this attribute as the provider has marked it as read-only.',
      [...path, 'id'],
    );
  };
  return { found, refuse, refuseId };
}
