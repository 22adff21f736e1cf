import { type ObjectValue } from '../protocol/value';
import { conform, isRecord } from '../schema/conform';
import { blockFields, type Field, type Fields } from '../schema/field';
import { loadSchema } from '../schema/load-schema';

/**
 * State of provider 4 as provider 5 rewrites it: lists of one block become objects, comma separated
 * ids become lists.
 *
 * @throws {ShapeError} for an attribute that provider 4 did not have, such as those of provider 3
 */
export function rulesetFromV4(fields: Fields, state: unknown): ObjectValue {
  const v4 = blockFields(loadSchema(4).resources['cloudflare_ruleset']!.block);
  const parsed = conform(v4, state, { strict: true });
  return conform(fields, reshape(fields, parsed));
}

function reshape(fields: Fields, value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, reshapeField(field, name, value[name])]),
  );
}

function reshapeField(field: Field, name: string, value: unknown): unknown {
  if (field.kind === 'leaf') {
    if (name === 'rules' && isRecord(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([id, ids]) => [id, String(ids).split(/\s*,\s*/)]),
      );
    }
    return value;
  }
  if (!Array.isArray(value)) return value;
  const items = value.map((item: unknown) =>
    isRecord(item) ? reshape(field.fields, item) : { name: item },
  );
  if (field.nesting === 'single') return items[0] ?? null;
  if (field.nesting === 'map') {
    const named = value.map((item: unknown, at) => [
      isRecord(item) ? item['name'] : String(at),
      items[at],
    ]);
    return named.length === 0 ? null : Object.fromEntries(named as [string, unknown][]);
  }
  return items.length === 0 && name !== 'rules' ? null : items;
}
