import { constants, isAscii, isUtf8 } from 'node:buffer';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { isOfInterest } from './legacy-waf-types';
import { readRawResource, readResource, type State, type StateResource } from './state';

/**
 * Reads a raw Terraform state of format 4, as `terraform state pull` prints it, without a provider. Other
 * resources are checked and dropped.
 *
 * @throws MigrationError STATE_INVALID (with a position, never with content), STATE_ENCRYPTED,
 * STATE_VERSION_UNSUPPORTED
 * @example parseState(readFileSync('terraform.tfstate')).resources
 */
export function parseState(input: Uint8Array): State {
  const { resources: all, ...head } = readHead(parseDocument(input));
  const resources: StateResource[] = [];
  for (const [at, element] of all.entries()) {
    const resource = readRawResource(element, at + 1);
    const { mode, type } = resource;
    if (isOfInterest(mode, type)) resources.push(readResource(resource, at + 1));
  }
  return { ...head, resources };
}

const PULL = 'pass what `terraform state pull` prints, unchanged';
const ENCODING =
  'pass no saved plan or compressed file; write the state again in a shell that keeps the encoding, in PowerShell: `cmd /c "terraform state pull > state.tfstate"`';
const CUT_OFF =
  'pull the state again; if a full disk cut it, put the last complete state in its place, such as terraform.tfstate.backup or the newest .tfstate of cf-waf-migrate-backup';
const NO_STATE =
  'there is no state in that folder and workspace: check --dir, `terraform workspace show` and `terraform init`';

function invalid(message: string, hint = PULL): MigrationError {
  return new MigrationError('STATE_INVALID', message, { hint });
}

/** The metadata of a state. */
interface StateHead extends Pick<State, 'terraformVersion' | 'serial' | 'lineage'> {
  readonly resources: readonly JsonValue[];
}

/** Lineage and serial are optional, as in Terraform. */
function readHead(document: unknown): StateHead {
  if (!isJsonObject(document)) {
    throw invalid('this is JSON, but not a Terraform state: it is not an object');
  }
  refuseOtherKinds(document);
  refuseOtherVersions(document);
  const {
    resources,
    terraform_version: terraformVersion = '',
    serial = 0,
    lineage = '',
  } = document;
  if (!isJsonArray(resources)) throw invalid('the state has no list of `resources`');
  if (typeof terraformVersion !== 'string' || !/^[\w.+-]*$/.test(terraformVersion)) {
    throw invalid('the state has an invalid `terraform_version`');
  }
  if (typeof serial !== 'number' || !Number.isSafeInteger(serial) || serial < 0) {
    throw invalid('the state has an invalid `serial`');
  }
  if (typeof lineage !== 'string') throw invalid('the state has an invalid `lineage`');
  return { resources, terraformVersion, serial, lineage };
}

/** Documents that users pass by mistake. */
function refuseOtherKinds(document: JsonObject): void {
  // OpenTofu 1.7 and later store the state inside `encrypted_data`.
  if (typeof document['encrypted_data'] === 'string' || 'encryption_version' in document) {
    throw new MigrationError('STATE_ENCRYPTED', 'the state is encrypted by OpenTofu');
  }
  if (document['format'] === 'cf-waf-migrate/finish-backup') {
    throw invalid(
      'this is the backup of the legacy settings that `finish` saved, not a Terraform state',
      'pass what `terraform state pull` printed before the legacy resources were removed, such as the backup of `apply`',
    );
  }
  if ('format_version' in document) {
    const isPlan = 'planned_values' in document || 'resource_changes' in document;
    throw invalid(
      isPlan
        ? 'this is a Terraform plan as JSON, not a state'
        : 'this is what `terraform show -json` prints, not the state itself',
    );
  }
}

function refuseOtherVersions(document: JsonObject): void {
  const version = document['version'];
  if (version === 4) return;
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1) {
    throw invalid('this is JSON, but not a Terraform state: it has no format version');
  }
  if (version < 4 && !('modules' in document) && !('terraform_version' in document)) {
    throw invalid('this is JSON, but not a Terraform state');
  }
  throw new MigrationError(
    'STATE_VERSION_UNSUPPORTED',
    `the state has format version ${version}; only version 4 is supported`,
    {
      // Terraform 1.11.4 reads versions 1 to 3 without a provider and prints version 4.
      hint: 'pass what `terraform state pull` of Terraform 0.12 or later prints, or update cf-waf-migrate',
    },
  );
}

/** @throws MigrationError STATE_INVALID, never with content, because a state contains secrets in plain text */
function parseDocument(input: Uint8Array): unknown {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  if (bytes.length > constants.MAX_STRING_LENGTH) {
    throw invalid(`the state has ${bytes.length} bytes, which is more than can be read`);
  }
  // replacing invalid bytes would change addresses
  if (!isUtf8(bytes)) throw invalid('the state is not UTF-8 text', ENCODING);
  // Latin-1 needs half the memory if the text is ASCII
  const text = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8').replace(/^\ufeff/, '');
  try {
    return JSON.parse(text);
  } catch {
    if (text.trim() === '') throw invalid('the state is empty', NO_STATE);
    throw invalid('the state is not JSON, or is cut off', CUT_OFF);
  }
}
