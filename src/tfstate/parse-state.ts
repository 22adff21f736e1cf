import { isAscii, isUtf8 } from 'node:buffer';
import * as z from 'zod';
import {
  describeIssues,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectOf,
  objectsOf,
  textOf,
} from '../core/json';
import { attempt, MigrationError } from '../core/migration-error';
import {
  type InstanceKey,
  printAddress,
  type ResourceMode,
  withKey,
} from '../core/resource-address';
import { findLegacyWafType, isOfInterest } from './legacy-waf-types';

/** One object of a resource. A deposed object has the same address as the current one. */
export interface StateInstance {
  /** As `terraform state list` prints it. */
  readonly address: string;
  /** The key (eight characters) of an object that a replacement left behind. */
  readonly deposed?: string | undefined;
  /** Whether the next apply replaces it. */
  readonly isTainted: boolean;
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
  /** Its provider configuration, which can have an alias or be in a module. */
  readonly provider: ProviderAddress;
  readonly instances: readonly StateInstance[];
}

/** The parts of a Terraform state that this tool reads. */
export interface State {
  /** Empty if the state has none. */
  readonly terraformVersion: string;
  readonly serial: number;
  readonly lineage: string;
  /** Whether it has no resource of any type. */
  readonly isEmpty: boolean;
  /** Only the types of interest, in the order of the state. */
  readonly resources: readonly StateResource[];
}

/**
 * Reads a raw Terraform state of format 4, as `terraform state pull` prints it, without a provider. Other
 * resources are checked and dropped.
 *
 * @throws MigrationError STATE_INVALID (with a position, never with content), STATE_ENCRYPTED,
 * STATE_VERSION_UNSUPPORTED
 * @example parseState(readFileSync('terraform.tfstate')).resources
 */
export function parseState(input: Uint8Array): State {
  const { resources: all, ...head } = readHead(input);
  const isEmpty = all.length === 0;
  return { ...head, isEmpty, resources: all.flatMap((raw, at) => readResource(raw, at + 1) ?? []) };
}

/**
 * The addresses of all instances of managed resources, in the order of the state.
 * @param types default: all
 * @throws MigrationError `STATE_INVALID`
 */
export function instanceAddresses(input: Uint8Array, types?: readonly string[]): readonly string[] {
  const resources = types?.length === 0 ? [] : readHead(input).resources;
  return objectsOf(resources)
    .filter(({ mode, type }) => mode === 'managed' && types?.includes(textOf(type)) !== false)
    .flatMap(({ module, type, name, instances }) => {
      const address = [module, type, name].map(textOf).filter(Boolean).join('.');
      return objectsOf(instances).map(({ index_key: key }) =>
        withKey(address, readKey(key, address)),
      );
    });
}

const PULL = 'pass what `terraform state pull` prints, unchanged';
const ENCODING =
  'pass no saved plan or compressed file; write the state again in a shell that keeps the encoding, in PowerShell: `cmd /c "terraform state pull > state.tfstate"`';
const OTHER_TEXT =
  'check whether `terraform` is a wrapper that prints other text: pass the binary with --terraform, or pass what `terraform state pull` prints, unchanged';
const CUT_OFF =
  'pull the state again; if a full disk cut it, put the last complete state in its place, such as terraform.tfstate.backup or the newest .tfstate of cf-waf-migrate-backup';
const NO_STATE =
  'there is no state in that folder and workspace: check --dir, `terraform workspace show` and `terraform init`';

function invalid(message: string, hint = PULL): MigrationError {
  return new MigrationError('STATE_INVALID', message, { hint });
}

/** Lineage and serial are optional, as in Terraform. */
const headSchema = z
  .object({
    resources: z.custom<readonly JsonValue[]>(isJsonArray, 'expected a list'),
    terraform_version: z
      .string()
      .regex(/^[\w.+-]*$/)
      .default(''),
    serial: z.int().nonnegative().default(0),
    lineage: z.string().default(''),
  })
  .transform(({ terraform_version: terraformVersion, ...rest }) => ({ terraformVersion, ...rest }));

/** The metadata of a state, and its resources as they are written. */
function readHead(input: Uint8Array): z.output<typeof headSchema> {
  const document = parseDocument(input);
  refuseOtherKinds(document);
  const head = headSchema.safeParse(document, { jitless: true });
  if (head.success) return head.data;
  throw invalid(`the state is malformed: ${describeIssues(head.error)}`);
}

/** Documents that users pass by mistake. */
function refuseOtherKinds(document: unknown): void {
  const parts = objectOf(document);
  // OpenTofu 1.7 and later store the state inside `encrypted_data`.
  if (typeof parts['encrypted_data'] === 'string' || 'encryption_version' in parts) {
    throw new MigrationError('STATE_ENCRYPTED', 'the state is encrypted by OpenTofu');
  }
  if ('format_version' in parts) {
    throw invalid('this is what `terraform show -json` prints, not the state itself');
  }
  const { version } = parts;
  if (version === 4) return;
  const isState =
    Number.isSafeInteger(version) &&
    (Number(version) > 4 || 'modules' in parts || 'terraform_version' in parts);
  if (!isState || Number(version) < 1) throw invalid('this is JSON, but not a Terraform state');
  throw new MigrationError(
    'STATE_VERSION_UNSUPPORTED',
    `the state has format version ${Number(version)}; only version 4 is supported`,
    {
      // Terraform 1.11.4 reads versions 1 to 3 without a provider and prints version 4.
      hint: 'pass what `terraform state pull` of Terraform 0.12 or later prints, or update cf-waf-migrate',
    },
  );
}

/** @throws MigrationError STATE_INVALID, never with content, because a state contains secrets in plain text */
function parseDocument(input: Uint8Array): unknown {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  // replacing invalid bytes would change addresses
  if (!isUtf8(bytes)) throw invalid('the state is not UTF-8 text', ENCODING);
  // Latin-1 needs half the memory if the text is ASCII
  const text = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8').replace(/^\ufeff/, '');
  try {
    return JSON.parse(text);
  } catch {
    if (text.trim() === '') throw invalid('the state is empty', NO_STATE);
    if (!text.startsWith('{'))
      throw invalid('the state is not JSON: it begins with other text', OTHER_TEXT);
    throw invalid('the state is not JSON, or is cut off', CUT_OFF);
  }
}

/** Terraform 0.11 accepted a leading digit; later versions list such a resource but cannot address it. */
function isName(text: string): boolean {
  // nearly all names are ASCII, and compiling Unicode properties takes longer than parsing 1 MB
  return /^[\w-]+$/.test(text) || /^[\p{ID_Continue}-]+$/u.test(text);
}

/**
 * Reads a resource with its instances; only checks the shape of a resource that is of no interest.
 *
 * @param position counted from 1, for messages
 * @returns undefined if the resource is of no interest
 * @throws MigrationError STATE_INVALID if Terraform also rejects it (1.11.4), if Terraform silently omits
 * it (an invalid `provider`), or if its address would be ambiguous
 */
function readResource(raw: JsonValue, position: number): StateResource | undefined {
  const refuse = (field: string): never => {
    throw new MigrationError(
      'STATE_INVALID',
      `resource ${position} of the state has an invalid \`${field}\``,
    );
  };
  const { mode, type, provider, instances, name, module = '' } = objectOf(raw);
  if (mode !== 'managed' && mode !== 'data') return refuse('mode');
  if (typeof type !== 'string') return refuse('type');
  if (typeof provider !== 'string') return refuse('provider');
  if (!isJsonArray(instances)) return refuse('instances');
  if (!isOfInterest(mode, type)) return undefined;
  if (typeof name !== 'string' || !isName(name)) return refuse('name');
  const configuration = parseProviderAddress(provider);
  if (configuration === undefined) return refuse('provider');
  const address = attempt(() => printAddress(textOf(module), mode, type, name, undefined));
  if (address === undefined || typeof module !== 'string') return refuse('module');
  const read = instances.map((instance) => readInstance(instance, address));
  return { address, mode, type, provider: configuration, instances: read };
}

/** @throws MigrationError STATE_INVALID if Terraform rejects it (1.11.4) or would change the key */
function readInstance(raw: unknown, resource: string): StateInstance {
  if (!isJsonObject(raw)) throw invalidInstance(resource, 'instances');
  const address = withKey(resource, readKey(raw['index_key'], resource));
  // Terraform treats null as absent
  const deposed = raw['deposed'] ?? '';
  const schemaVersion = raw['schema_version'] ?? 0;
  if (typeof deposed !== 'string' || !/^(?:[0-9a-zA-Z]{8})?$/.test(deposed)) {
    throw invalidInstance(address, 'deposed');
  }
  if (typeof schemaVersion !== 'number') throw invalidInstance(address, 'schema_version');
  return {
    address,
    deposed: deposed || undefined,
    isTainted: raw['status'] === 'tainted',
    schemaVersion,
    attributes: readAttributes(raw, address),
  };
}

function readKey(raw: unknown, resource: string): InstanceKey {
  if (raw === undefined || raw === null) return undefined;
  if (typeof raw === 'string') return raw;
  if (typeof raw === 'number' && Number.isSafeInteger(raw) && raw >= 0) return raw;
  throw invalidInstance(resource, 'index_key');
}

function readAttributes(raw: JsonObject, address: string): JsonObject {
  const { attributes = null, attributes_flat: flat } = raw;
  if (isJsonObject(attributes)) return attributes;
  if (attributes !== null) throw invalidInstance(address, 'attributes');
  if (flat === undefined) return {};
  const message = `${address} in the state was written by Terraform 0.11 (\`attributes_flat\`)`;
  const hint = 'run `terraform refresh` with provider 3, which rewrites it';
  throw new MigrationError('STATE_INVALID', message, { hint });
}

function invalidInstance(address: string, field: string): MigrationError {
  const message = `${address} in the state has an invalid \`${field}\``;
  return new MigrationError('STATE_INVALID', message);
}

/** One instance of a legacy WAF type: one line of `terraform state list`. */
export interface LegacyResource extends Pick<
  StateResource,
  'address' | 'mode' | 'type' | 'provider'
> {
  /** Undefined if the state does not contain it. */
  readonly zoneId: string | undefined;
  /** Of the current object, or of the first deposed one if there is no current object. */
  readonly attributes: Readonly<Record<string, unknown>>;
}

/**
 * The legacy resources and data sources of a state, in its order. They are recognised by type, because a
 * mirror or fork of the provider has another source.
 */
export function pickLegacyResources(state: State): readonly LegacyResource[] {
  // One address can have several objects, and Terraform accepts a resource that is split in two.
  const found = new Map<string, LegacyResource>();
  for (const resource of state.resources) {
    if (findLegacyWafType(resource.mode, resource.type) === undefined) continue;
    const { mode, type, provider } = resource;
    for (const { address, deposed, attributes } of resource.instances) {
      if (deposed !== undefined && found.has(address)) continue;
      const zoneId = textOf(attributes['zone_id']) || undefined;
      found.set(address, { address, mode, type, provider, zoneId, attributes });
    }
  }
  return [...found.values()];
}

/** The provider configuration of a resource in a state. */
export interface ProviderAddress {
  /** As written in the state: `provider["registry.terraform.io/cloudflare/cloudflare"].eu`. */
  readonly text: string;
  /** The module in the configuration: empty at the root, otherwise `module.a`, without instance keys. */
  readonly module: string;
  readonly alias: string | undefined;
}

const modules = String.raw`(?:(module\.[^\s."[\]]+(?:\.module\.[^\s."[\]]+)*)\.)?`;
const alias = String.raw`(?:\.([^\s."[\]]+))?`;
/** Before Terraform 0.13 a provider had no source, only a name. */
const PROVIDER = new RegExp(
  String.raw`^${modules}provider(?:\["[^"\\]+"\]|\.[^\s."[\]]+)${alias}$`,
);

/** Parses the address of a provider configuration; returns undefined if it is invalid. */
export function parseProviderAddress(text: string): ProviderAddress | undefined {
  const found = PROVIDER.exec(text);
  return found === null ? undefined : { text, module: found[1] ?? '', alias: found[2] };
}
