import { isJsonObject, type JsonObject, objectsOf, textOf } from '../../model/json';
import { parseJson } from '../../model/parse-json';
import { printAddress } from '../../state/address';
import { type Instance, isSameRewritten, isSameText } from './same-instance';

/** What the steps of a plan were to change in a state. */
export interface OwnChanges {
  readonly gone: ReadonlySet<string>;
  readonly present: ReadonlySet<string>;
  /**
   * Whether Terraform may have written everything anew, as an import does, and an apply that changes nothing: every
   * entry by the schema of the provider that is installed, outputs and answers of data sources. The next apply does so
   * again, so that a rollback loses nothing of it.
   */
  readonly isRewritten?: boolean;
  /** Whether a later major of the provider may have written them: in its own schema. */
  readonly isUpgraded?: boolean;
}

/**
 * Whether a state differs from its backup by nothing but what the plan was to change: then nobody
 * else has written anything that a rollback would lose.
 */
export function differsByPlanAlone(
  backup: Buffer,
  live: Buffer,
  { gone, present, isRewritten = false, isUpgraded = false }: OwnChanges,
): boolean {
  const before = read(backup);
  const now = read(live);
  if (before === undefined || now === undefined) return backup.equals(live);
  const outputsDiffer = JSON.stringify(before['outputs']) !== JSON.stringify(now['outputs']);
  if (outputsDiffer && !isRewritten) return false;
  const was = instancesOf(before, isRewritten);
  const is = instancesOf(now, isRewritten);
  const isSame = (one: Instance, other: Instance): boolean =>
    isRewritten ? isSameRewritten(one, other, isUpgraded) : isSameText(one, other);
  const added = [...is].filter(([address, instances]) => {
    const old = was.get(address) ?? [];
    return (
      old.length !== instances.length || old.some((one, at) => !isSame(one, instances[at] ?? one))
    );
  });
  const missing = [...was.keys()].filter((address) => !is.has(address));
  return (
    added.every(([address]) => present.has(address)) &&
    missing.every((address) => gone.has(address))
  );
}

/** Whether two states say the same, whichever version of Terraform has written what it derives. */
export function isSameState(one: Buffer, other: Buffer): boolean {
  const none: ReadonlySet<string> = new Set();
  return differsByPlanAlone(one, other, { gone: none, present: none, isRewritten: true });
}

/** A backend without a state has nothing in it. */
function read(bytes: Buffer): JsonObject | undefined {
  if (bytes.length === 0) return {};
  const document = parseJson(bytes.toString('utf8'));
  return isJsonObject(document) ? document : undefined;
}

/** Every instance of a state by its address; deposed objects belong to it. */
function instancesOf(state: JsonObject, isManagedAlone: boolean): Map<string, Instance[]> {
  const instances = new Map<string, Instance[]>();
  for (const resource of objectsOf(state['resources'])) {
    if (isManagedAlone && isData(resource)) continue;
    const addresses = addressesOf(resource);
    const provider = textOf(resource['provider']);
    for (const [at, content] of objectsOf(resource['instances']).entries()) {
      const address = addresses[at] ?? '';
      instances.set(address, [...(instances.get(address) ?? []), { provider, content }]);
    }
  }
  return instances;
}

/** The addresses of the instances of a resource, as a state has it. */
export function addressesOf(resource: JsonObject): string[] {
  const mode = isData(resource) ? 'data' : 'managed';
  const [module, type, name] = [
    textOf(resource['module']),
    textOf(resource['type']),
    textOf(resource['name']),
  ];
  return objectsOf(resource['instances']).map((instance) => {
    const key = instance['index_key'];
    const index = typeof key === 'string' || typeof key === 'number' ? key : undefined;
    return printAddress(module, mode, type, name, index);
  });
}

const isData = (resource: JsonObject): boolean => resource['mode'] === 'data';
