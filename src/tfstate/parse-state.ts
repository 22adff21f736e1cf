import { type ResourceMode } from '../core/resource-address';
import { isJsonObject, objectOf } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { isOfInterest } from './legacy-waf-types';
import { readInBatches, resourcesOf, type StateDocument } from './state-document';
import {
  type RawResource,
  readRawResource,
  readResource,
  type ResourceCount,
  type State,
  type StateResource,
} from './state';

/** A byte order mark, which some editors and shells put before UTF-8 text. */
function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function readState({ top, batches }: StateDocument): State {
  const head = readStateHead(top);
  const resources: StateResource[] = [];
  const tally = new ResourceTally();
  let position = 0;
  for (const batch of batches) {
    for (const element of batch) {
      position += 1;
      const resource = readRawResource(element, position);
      tally.add(resource);
      if (!isOfInterest(resource.mode, resource.type)) continue;
      resources.push(readResource(resource, position));
    }
  }
  return { ...head, resources, counts: tally.counts() };
}

/**
 * Reads a raw Terraform state of format 4, as `terraform state pull` prints it, without a
 * provider. Resources of no interest are counted and dropped, so that a large state needs little
 * more memory than its bytes; the instances of the others are narrowed when they are asked for.
 *
 * @throws MigrationError STATE_INVALID (with a position, never with content), STATE_ENCRYPTED,
 * STATE_VERSION_UNSUPPORTED
 * @example parseState(readFileSync('terraform.tfstate')).resources
 */
export function parseState(input: Uint8Array): State {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  return readInBatches(withoutMark(bytes), readState);
}

/** The instances of a resource: its objects without the deposed ones beside another of its key. */
function countInstances(instances: readonly unknown[]): number {
  const hasDeposed = instances.some((one) => objectOf(one)['deposed'] !== undefined);
  return hasDeposed ? countKeys(instances) : instances.length;
}

function countKeys(instances: readonly unknown[]): number {
  return new Set(instances.map((one) => objectOf(one)['index_key'])).size;
}

type Entry = { -readonly [key in keyof ResourceCount]: ResourceCount[key] };
interface Group {
  /** The one that counted last: most resources of a type have the same provider. */
  last: Entry;
  readonly entries: Map<string, Entry>;
}

/** Counts resources by mode, type and provider configuration. */
class ResourceTally {
  readonly #groups = { managed: new Map<string, Group>(), data: new Map<string, Group>() };

  add({ mode, type, provider, instances }: RawResource): void {
    const group = this.#groups[mode].get(type) ?? this.#addGroup(mode, type, provider);
    if (group.last.provider !== provider) {
      group.last = group.entries.get(provider) ?? { mode, type, provider, count: 0 };
      group.entries.set(provider, group.last);
    }
    group.last.count += countInstances(instances);
  }

  #addGroup(mode: ResourceMode, type: string, provider: string): Group {
    const last = { mode, type, provider, count: 0 };
    const group = { last, entries: new Map([[provider, last]]) };
    this.#groups[mode].set(type, group);
    return group;
  }

  counts(): readonly ResourceCount[] {
    return Object.values(this.#groups)
      .flatMap((groups) => [...groups.values()])
      .flatMap(({ entries }) => [...entries.values()]);
  }
}

type Document = Readonly<Record<string, unknown>>;

/** What a state says about itself. */
interface StateHead {
  readonly terraformVersion: string;
  readonly serial: number;
  readonly lineage: string;
}

const pull = 'pass what `terraform state pull` prints, as it is';

function noState(message: string, hint = pull): MigrationError {
  return new MigrationError('STATE_INVALID', message, { hint });
}

/** Documents that people pass by mistake. */
function refuseOtherKinds(document: Document): void {
  // OpenTofu 1.7 and later: the state proper is inside `encrypted_data`.
  if (typeof document['encrypted_data'] === 'string' || 'encryption_version' in document) {
    throw new MigrationError('STATE_ENCRYPTED', 'the state is encrypted by OpenTofu');
  }
  if (document['format'] === 'cf-waf-migrate/finish-backup') {
    throw noState(
      'this is what `finish` has saved of the legacy settings, not a Terraform state',
      'read it yourself (`oldWaf` has every package, group and rule), or leave it to `finish`; pass what `terraform state pull` printed before the legacy resources were removed from it, such as the backup of `apply`',
    );
  }
  if ('format_version' in document) {
    const isPlan = 'planned_values' in document || 'resource_changes' in document;
    throw noState(
      isPlan
        ? 'this is a Terraform plan as JSON, not a state'
        : 'this is what `terraform show -json` prints, not the state itself',
    );
  }
}

/** What `version` says, of which only 4 is read. */
function refuseOtherVersions(document: Document): void {
  const version = document['version'];
  if (version === 4) return;
  if (typeof version !== 'number' || !Number.isSafeInteger(version) || version < 1) {
    throw noState('this is JSON, but not a Terraform state: it has no format version');
  }
  if (version < 4 && !('modules' in document) && !('terraform_version' in document)) {
    throw noState('this is JSON, but not a Terraform state');
  }
  throw new MigrationError(
    'STATE_VERSION_UNSUPPORTED',
    `the state has format version ${version}; version 4 is read`,
    {
      // Terraform 1.11.4 reads versions 1 to 3, without a provider, and prints version 4.
      hint:
        version < 4
          ? 'pass what `terraform state pull` of Terraform 0.12 or later prints: it is version 4'
          : 'update cf-waf-migrate; until then, pass a state that a Terraform of format version 4 wrote',
    },
  );
}

/**
 * Checks that a parsed document is a state of format version 4, and reads what it says about
 * itself. Terraform reads a state without lineage or serial, too.
 *
 * @throws MigrationError STATE_ENCRYPTED, STATE_VERSION_UNSUPPORTED, STATE_INVALID
 */
function readStateHead(document: unknown): StateHead {
  if (!isJsonObject(document)) {
    throw noState('this is JSON, but not a Terraform state: it is no object');
  }
  refuseOtherKinds(document);
  refuseOtherVersions(document);
  if (resourcesOf(document) === undefined) throw noState('the state has no list of `resources`');
  const { terraform_version: terraformVersion = '', serial = 0, lineage = '' } = document;
  if (typeof terraformVersion !== 'string' || !/^[\w.+-]*$/.test(terraformVersion)) {
    throw noState('the `terraform_version` of the state is no version');
  }
  if (typeof serial !== 'number' || !Number.isSafeInteger(serial) || serial < 0) {
    throw noState('the `serial` of the state is no whole number');
  }
  if (typeof lineage !== 'string') throw noState('the `lineage` of the state is no string');
  return { terraformVersion, serial, lineage };
}

/**
 * The addresses of every resource of a state, of interest or not, as `terraform state list` prints them.
 * @throws MigrationError `STATE_INVALID`
 */
export function stateAddresses(input: Uint8Array): readonly string[] {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  return readInBatches(bytes, ({ batches }) => {
    const addresses: string[] = [];
    let position = 0;
    for (const batch of batches) {
      for (const element of batch) {
        position += 1;
        const resource = readRawResource(element, position);
        const { instances } = readResource(resource, position);
        addresses.push(...instances.map(({ address }) => address));
      }
    }
    return addresses;
  });
}
