import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../model/json';
import { printAddress } from '../../state/address';

/** What the steps of a plan were to change in a state. */
export interface OwnChanges {
  readonly gone: ReadonlySet<string>;
  readonly present: ReadonlySet<string>;
}

/**
 * Whether a state differs from its backup by nothing but what the plan was to change: then nobody
 * else has written anything that a rollback would lose.
 */
export function differsByPlanAlone(
  backup: Buffer,
  live: Buffer,
  { gone, present }: OwnChanges,
): boolean {
  const before = read(backup);
  const now = read(live);
  if (before === undefined || now === undefined) return backup.equals(live);
  if (JSON.stringify(before['outputs']) !== JSON.stringify(now['outputs'])) return false;
  const was = instancesOf(before);
  const is = instancesOf(now);
  const added = [...is].filter(([address, text]) => was.get(address) !== text);
  const missing = [...was.keys()].filter((address) => !is.has(address));
  return (
    added.every(([address]) => present.has(address)) &&
    missing.every((address) => gone.has(address))
  );
}

function read(bytes: Buffer): JsonObject | undefined {
  try {
    const document: unknown = JSON.parse(bytes.toString('utf8'));
    return isJsonObject(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

/** Every instance of a state by its address, as text to compare; deposed objects belong to it. */
function instancesOf(state: JsonObject): Map<string, string> {
  const instances = new Map<string, string>();
  for (const resource of objects(state['resources'])) {
    const text = (name: string): string => {
      const value = resource[name];
      return typeof value === 'string' ? value : '';
    };
    const mode = text('mode') === 'data' ? 'data' : 'managed';
    for (const instance of objects(resource['instances'])) {
      const key = instance['index_key'];
      const index = typeof key === 'string' || typeof key === 'number' ? key : undefined;
      const address = printAddress(text('module'), mode, text('type'), text('name'), index);
      const content = JSON.stringify([text('provider'), instance]);
      instances.set(address, `${instances.get(address) ?? ''}${content}`);
    }
  }
  return instances;
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return isJsonArray(value) ? value.filter(isJsonObject) : [];
}
