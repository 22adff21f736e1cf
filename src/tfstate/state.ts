import { isJsonArray, isJsonObject, type JsonObject } from '../core/json';
import { MigrationError } from '../core/migration-error';
import {
  type InstanceKey,
  printAddress,
  type ResourceMode,
  withKey,
} from '../core/resource-address';
import { parseProviderAddress } from './provider-address';

/** One object of a resource. A deposed object has the same address as the current one. */
export interface StateInstance {
  /** As `terraform state list` prints it. */
  readonly address: string;
  /** The key (eight characters) of an object that a replacement left behind. */
  readonly deposed?: string | undefined;
  /** The version of the provider's schema that the object was written with. */
  readonly schemaVersion: number;
  /** As written by the provider. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A resource of the types of interest (legacy-waf-types.ts). */
export interface StateResource {
  readonly address: string;
  readonly mode: ResourceMode;
  readonly type: string;
  readonly name: string;
  /** As written in the state, with HCL escapes: `module.zones["a"]`; empty at the root. */
  readonly module: string;
  /** As written in the state: `provider["registry.terraform.io/cloudflare/cloudflare"].eu`. */
  readonly provider: string;
  readonly instances: readonly StateInstance[];
}

/** The parts of a Terraform state that this tool reads. */
export interface State {
  /** Empty if the state has none. */
  readonly terraformVersion: string;
  readonly serial: number;
  readonly lineage: string;
  /** Only the types of interest, in the order of the state. */
  readonly resources: readonly StateResource[];
}

/** The checked fields of any resource. */
export interface RawResource {
  readonly mode: ResourceMode;
  readonly type: string;
  readonly provider: string;
  readonly instances: readonly unknown[];
  readonly raw: JsonObject;
}

function invalid(position: number, message: string, cause?: unknown): MigrationError {
  return new MigrationError('STATE_INVALID', `resource ${position} of the state ${message}`, {
    cause,
  });
}

/**
 * Narrows one element of a state's `resources`.
 *
 * @param position counted from 1, for messages
 * @throws MigrationError STATE_INVALID if it does not have the shape of format 4
 */
export function readRawResource(raw: unknown, position: number): RawResource {
  if (!isJsonObject(raw)) throw invalid(position, 'is not an object');
  const { mode, type, provider, instances } = raw;
  if (mode !== 'managed' && mode !== 'data') {
    throw invalid(position, 'has a `mode` that is neither "managed" nor "data"');
  }
  if (typeof type !== 'string') throw invalid(position, 'has no `type`');
  if (typeof provider !== 'string') throw invalid(position, 'has no `provider`');
  if (!isJsonArray(instances)) throw invalid(position, 'has no list of `instances`');
  return { mode, type, provider, instances, raw };
}

/** Terraform 0.11 accepted a leading digit; later versions list such a resource but cannot address it. */
function isName(text: string): boolean {
  // nearly all names are ASCII, and compiling Unicode properties takes longer than parsing 1 MB
  return /^[\w-]+$/.test(text) || /^[\p{ID_Continue}-]+$/u.test(text);
}

/**
 * Reads a resource with its instances.
 *
 * @throws MigrationError STATE_INVALID if Terraform also rejects it (1.11.4), if Terraform silently omits
 * it (an invalid `provider`), or if its address would be ambiguous
 */
export function readResource(resource: RawResource, position: number): StateResource {
  const { mode, type, provider, instances, raw } = resource;
  const { name, module = '' } = raw;
  if (typeof name !== 'string' || !isName(name)) {
    throw invalid(position, `(${type}) has an invalid \`name\``);
  }
  if (typeof module !== 'string') {
    throw invalid(position, `(${type}) has an invalid \`module\``);
  }
  if (parseProviderAddress(provider) === undefined) {
    throw invalid(position, `(${type}) has an invalid \`provider\``);
  }
  let address: string;
  try {
    address = printAddress(module, mode, type, name, undefined);
  } catch (cause) {
    throw invalid(position, `(${type}) has an invalid \`module\``, cause);
  }
  const read = instances.map((instance) => readInstance(instance, address));
  return { address, mode, type, name, module, provider, instances: read };
}

/** @throws MigrationError STATE_INVALID if Terraform rejects it (1.11.4) or would change the key */
function readInstance(raw: unknown, resource: string): StateInstance {
  if (!isJsonObject(raw)) throw invalidInstance(resource, 'has an instance that is not an object');
  const address = withKey(resource, readKey(raw['index_key'], resource));
  // Terraform treats null as absent
  const deposed = raw['deposed'] ?? '';
  const schemaVersion = raw['schema_version'] ?? 0;
  if (deposed !== '' && (typeof deposed !== 'string' || !/^[0-9a-zA-Z]{8}$/.test(deposed))) {
    throw invalidInstance(address, 'has an invalid `deposed` key');
  }
  if (typeof schemaVersion !== 'number') {
    throw invalidInstance(address, 'has an invalid `schema_version`');
  }
  return {
    address,
    deposed: deposed === '' ? undefined : deposed,
    schemaVersion,
    attributes: readAttributes(raw, address),
  };
}

function readKey(raw: unknown, resource: string): InstanceKey {
  if (raw === undefined || raw === null) return undefined;
  if (typeof raw === 'string') return raw;
  if (typeof raw === 'number' && Number.isSafeInteger(raw) && raw >= 0) return raw;
  throw invalidInstance(resource, 'has an invalid `index_key`');
}

function readAttributes(raw: JsonObject, address: string): JsonObject {
  const { attributes = null, attributes_flat: flat } = raw;
  if (isJsonObject(attributes)) return attributes;
  if (attributes !== null) throw invalidInstance(address, 'has invalid `attributes`');
  if (flat === undefined) return {};
  const message = `${address} in the state was written by Terraform 0.11 (\`attributes_flat\`)`;
  const hint = 'run `terraform refresh` with provider 3, which rewrites it';
  throw new MigrationError('STATE_INVALID', message, { hint });
}

function invalidInstance(address: string, message: string): MigrationError {
  return new MigrationError('STATE_INVALID', `${address} in the state ${message}`);
}
