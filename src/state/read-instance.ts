import { isJsonObject } from '../model/json';
import { MigrationError } from '../model/migration-error';
import { withKey } from './address';
import { type InstanceKey, type StateInstance } from './state';

type Raw = Readonly<Record<string, unknown>>;

function invalid(address: string, message: string): MigrationError {
  return new MigrationError('STATE_INVALID', `${address} in the state ${message}`);
}

function readKey(raw: unknown, resource: string): InstanceKey {
  if (raw === undefined || raw === null) return undefined;
  if (typeof raw === 'string') return raw;
  if (typeof raw === 'number' && Number.isSafeInteger(raw) && raw >= 0) return raw;
  throw invalid(resource, 'has an `index_key` that is neither a string nor a whole number');
}

function readAttributes(raw: Raw, address: string): Raw {
  const { attributes } = raw;
  if (isJsonObject(attributes)) return attributes;
  if (attributes !== undefined && attributes !== null) {
    throw invalid(address, 'has `attributes` that are no object');
  }
  if (raw['attributes_flat'] === undefined) return {};
  const message = `${address} in the state was written by Terraform 0.11 (\`attributes_flat\`)`;
  const hint = 'run `terraform refresh` with provider 3, which writes it anew';
  throw new MigrationError('STATE_INVALID', message, { hint });
}

/**
 * Reads one object of a resource of interest.
 *
 * @param resource the address of its resource
 * @throws MigrationError STATE_INVALID where Terraform refuses it (1.11.4), and for a key that
 * Terraform would change: a fraction, a negative number
 */
export function readInstance(raw: unknown, resource: string): StateInstance {
  if (!isJsonObject(raw)) throw invalid(resource, 'has an instance that is no object');
  const indexKey = readKey(raw['index_key'], resource);
  const address = withKey(resource, indexKey);
  // Terraform reads null as it reads nothing at all.
  const status = raw['status'] ?? '';
  const deposed = raw['deposed'] ?? '';
  const schemaVersion = raw['schema_version'] ?? 0;
  if (status !== '' && status !== 'tainted') throw invalid(address, 'has an unknown `status`');
  if (deposed !== '' && (typeof deposed !== 'string' || !/^[0-9a-zA-Z]{8}$/.test(deposed))) {
    throw invalid(address, 'has a `deposed` key that is none');
  }
  if (typeof schemaVersion !== 'number') {
    throw invalid(address, 'has a `schema_version` that is no number');
  }
  return {
    address,
    indexKey,
    status: status === '' ? undefined : status,
    deposed: deposed === '' ? undefined : deposed,
    schemaVersion,
    attributes: readAttributes(raw, address),
  };
}
