import schema from '../../../src/generate/dialects/schemas/v5.json';
import { type RulesetAnswer } from './arbitrary-ruleset';

/** A live ruleset whose rule has every field that provider 5 knows, whatever its phase. */
export function everything(): RulesetAnswer {
  const [fields] = valueOf(schema.rules) as [Record<string, any>];
  Object.assign(fields, { id: 'e'.repeat(32), version: '1', enabled: true, action: 'execute' });
  for (const override of fields['action_parameters'].overrides.rules) override.id = 'a'.repeat(32);
  return {
    id: 'f'.repeat(32),
    name: 'default',
    description: 'everything',
    kind: 'zone',
    phase: 'http_request_firewall_managed',
    rules: [fields as unknown as RulesetAnswer['rules'][0]],
  };
}

function valueOf(node: any, name = 'value'): unknown {
  if (typeof node === 'object') {
    const object = Object.fromEntries(
      Object.entries(node.attributes).map(([field, inner]) => [field, valueOf(inner, field)]),
    );
    if (node.nesting === 'single') return object;
    return node.nesting === 'map' ? { 'X-Header': object, snake_case: object } : [object];
  }
  const type = String(node);
  if (type.startsWith('list of ')) {
    const item = type.slice('list of '.length);
    return item === 'number'
      ? Array.from({ length: 40 }, (_, index) => 8000 + index)
      : [valueOf(item, `${name} one`), valueOf(item, `${name} two`)];
  }
  if (type.startsWith('map of '))
    return { 'X-Header': valueOf(type.slice('map of '.length), name) };
  if (type === 'bool') return false;
  return type === 'number' ? 7 : `the ${name}`;
}
