import { type CloudflareHttp, resultOf } from '../http/cloudflare-http';
import { type ObjectValue, Unknown, type Value, isObject, textOf } from '../protocol/value';
import { isRecord } from '../schema/conform';
import { type Field, type Fields } from '../schema/field';

/** Blocks of managed rules that the API has as lists; it has the other blocks as one object. */
const lists = new Set(['rules', 'categories']);

/**
 * A response of the API in the form of providers 3 and 4: objects as lists of one block, ids of skipped rules
 * separated by commas. Values are unchanged.
 */
export function toBlocks(fields: Fields, json: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, toBlock(field, name, json[name])]),
  );
}

function toBlock(field: Field, name: string, value: unknown): unknown {
  if (field.kind === 'leaf') {
    if (name === 'rules' && isRecord(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([ruleset, ids]) => [
          ruleset,
          Array.isArray(ids) ? ids.join(',') : ids,
        ]),
      );
    }
    return value;
  }
  const items: unknown[] = Array.isArray(value) ? value : isRecord(value) ? [value] : [];
  return items.map((item) => (isRecord(item) ? toBlocks(field.fields, item) : item));
}

/**
 * The reverse, for requests.
 *
 * @param isUnset whether the client of the major omits a value
 */
export function fromBlocks(
  fields: Fields,
  value: ObjectValue,
  isUnset: (value: Value) => boolean,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
      const part = value[name] ?? null;
      if (part instanceof Unknown || isUnset(part)) return [];
      const sent = fromBlock(field, name, part, isUnset);
      return sent === undefined ? [] : [[name, sent]];
    }),
  );
}

function fromBlock(
  field: Field,
  name: string,
  part: Value,
  isUnset: (value: Value) => boolean,
): unknown {
  if (field.kind === 'leaf') {
    if (name === 'rules' && isObject(part)) {
      return Object.fromEntries(
        Object.entries(part).map(([ruleset, ids]) => [ruleset, textOf(ids).split(/\s*,\s*/)]),
      );
    }
    return part;
  }
  if (!Array.isArray(part)) return undefined;
  const items = part.filter(isObject).map((item) => fromBlocks(field.fields, item, isUnset));
  return lists.has(name) && items.length > 0 ? items : items[0];
}

export type RulesetJson = Record<string, unknown>;

/** The Rulesets API of one zone or account, as the client of providers 3 and 4 calls it. */
export class RulesetService {
  private readonly base: string;

  constructor(
    private readonly http: CloudflareHttp,
    scope: ObjectValue,
  ) {
    const zone = textOf(scope['zone_id']);
    this.base = zone === '' ? `/accounts/${textOf(scope['account_id'])}` : `/zones/${zone}`;
  }

  get = (id: string) => this.call('GET', `/rulesets/${id}`);
  update = (id: string, body: object) => this.call('PUT', `/rulesets/${id}`, body);

  private async call(method: string, path: string, body?: unknown): Promise<RulesetJson> {
    const result = resultOf(await this.http.send(method, this.base + path, body));
    return isRecord(result) ? result : {};
  }
}
