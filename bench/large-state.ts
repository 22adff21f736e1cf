import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sized } from './measure';

/** The zone of all legacy resources in the states, and a ruleset for it. */
export const zone = '0123456789abcdef0123456789abcdef';
export const ruleset = 'a'.repeat(32);
export const megabytes = [1, 10, 100] as const;
export type Megabytes = (typeof megabytes)[number];

const cloudflare = 'provider["registry.terraform.io/cloudflare/cloudflare"]';
const aws = 'provider["registry.terraform.io/hashicorp/aws"]';
type Attributes = Record<string, unknown>;

function instance(index_key: string | number | undefined, attributes: Attributes): object {
  const key = index_key === undefined ? {} : { index_key };
  const rest = { sensitive_attributes: [], private: 'bnVsbA==', dependencies: ['data.x.all'] };
  return { ...key, schema_version: 0, attributes, ...rest };
}

function repeated(count: number, attributes: (index: number) => Attributes): object[] {
  // Sorted, as Terraform sorts; one in twenty is not ASCII.
  return Array.from({ length: count }, (_, index) =>
    instance(
      `${String(index).padStart(3, '0')}/${index % 20 === 7 ? 'Größe ☃' : 'rule'}`,
      attributes(index),
    ),
  );
}

/** A legacy package, groups, rules and an override, as provider 3.35 writes them. */
function oldResources(module: string, seed: number): object[] {
  const id = (offset: number) => (seed * 64 + offset).toString(16).padStart(32, '0');
  const package_id = id(0);
  const resource = (type: string, name: string, instances: object[]) => ({
    ...{ module, mode: 'managed', type, name, provider: cloudflare, instances },
  });
  const groups = repeated(12, (index) => {
    return { group_id: id(index), id: id(index), mode: 'off', package_id, zone_id: zone };
  });
  const rules = repeated(30, (index) => {
    const rule_id = String(100000 + index);
    return { group_id: id(index), id: rule_id, mode: 'block', package_id, rule_id, zone_id: zone };
  });
  const override = {
    description: 'shop',
    groups: null,
    id: id(1),
    override_id: id(1),
    priority: 1,
  };
  const rest = { paused: false, rewrite_action: null, rules: { 100015: 'disable' }, zone_id: zone };
  return [
    resource('cloudflare_waf_group', 'groups', groups),
    resource('cloudflare_waf_override', 'shop', [
      instance(undefined, { ...override, ...rest, urls: ['shop.example.com/*'] }),
    ]),
    resource('cloudflare_waf_package', 'owasp', [
      instance(undefined, { action_mode: 'challenge', id: package_id, package_id, zone_id: zone }),
    ]),
    resource('cloudflare_waf_rule', 'rules', rules),
  ];
}

/**
 * Nine times as many bytes of other resources: 100 MB are about 400 zones with all their resources.
 */
function otherResources(module: string, seed: number): object[] {
  const record = (index: number): Attributes => ({
    ...{ allow_overwrite: false, comment: `host ${index} <a&b>`, content: '192.0.2.1', data: [] },
    ...{
      created_on: '2024-01-01T00:00:00Z',
      hostname: `h${index}.example.com`,
      id: `${seed}-${index}`,
    },
    ...{ metadata: { auto_added: 'false' }, modified_on: '2024-01-01T00:00:00Z', priority: null },
    ...{ proxied: true, tags: ['a', 'b'], timeouts: null, ttl: 1, type: 'A', zone_id: zone },
  });
  const rules = [1, 2, 3].map((port) => ({
    from_port: port,
    protocol: 'tcp',
    cidr: ['10.0.0.0/8'],
  }));
  const group = (_: unknown, index: number) => ({
    ...{
      module,
      mode: 'managed',
      type: 'aws_security_group',
      name: `group_${index}`,
      provider: aws,
    },
    instances: [
      instance(undefined, { description: 'für alle', id: `sg-${index}`, ingress: rules, tags: {} }),
    ],
  });
  const records = { module, mode: 'managed', type: 'cloudflare_record', name: 'hosts' };
  return [
    ...Array.from({ length: 50 }, group),
    { ...records, provider: cloudflare, instances: repeated(200, record) },
  ];
}

/** As Go writes it: indented below `resources`, with HTML characters escaped. */
function render(resource: object): string {
  return JSON.stringify(resource, null, 2)
    .replace(/^/gm, '    ')
    .replace(/[<>&]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);
}

function writeState(file: string, size: number): void {
  const head = { version: 4, terraform_version: '1.11.4', serial: 7, lineage: zone, outputs: {} };
  const descriptor = openSync(file, 'w');
  let written = writeSync(
    descriptor,
    `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "resources": [\n`,
  );
  for (let seed = 0; written < size; seed += 1) {
    // Sorted by module and type, as Terraform sorts.
    const module = `module.zones["z${String(seed).padStart(5, '0')}"]`;
    const resources = [...otherResources(module, seed), ...oldResources(module, seed)];
    const text = resources.map(render).join(',\n');
    written += writeSync(descriptor, `${seed === 0 ? '' : ',\n'}${text}`);
  }
  writeSync(descriptor, '\n  ],\n  "check_results": null\n}\n');
  closeSync(descriptor);
}

/** Writes a state of each size into a temporary folder, and removes it afterwards. */
export async function withLargeStates<T>(
  use: (fileOf: (size: Megabytes) => string) => T | Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'cf-waf-migrate-bench-'));
  const fileOf = (size: Megabytes) => join(folder, `${size}.tfstate`);
  try {
    for (const size of megabytes) writeState(fileOf(size), size * sized(1e6, 100));
    return await use(fileOf);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
