import fc from 'fast-check';
import { quoteHcl } from '../../src/core/terraform-syntax';

export interface RawResource {
  module?: string;
  mode: 'managed' | 'data';
  type: string;
  name: string;
  provider: string;
  instances: Record<string, unknown>[];
}

const cloudflare = 'provider["registry.terraform.io/cloudflare/cloudflare"]';
const kinds = [
  ['managed', 'cloudflare_waf_package', cloudflare],
  ['managed', 'cloudflare_waf_group', `${cloudflare}.eu`],
  ['managed', 'cloudflare_waf_rule', `module.a.${cloudflare}.inner`],
  ['managed', 'cloudflare_waf_override', 'provider.cloudflare'],
  ['data', 'cloudflare_waf_packages', 'provider["registry.opentofu.org/cloudflare/cloudflare"]'],
  ['data', 'cloudflare_waf_groups', cloudflare],
  ['data', 'cloudflare_waf_rules', cloudflare],
  ['managed', 'cloudflare_ruleset', cloudflare],
  ['managed', 'cloudflare_filter', cloudflare],
  ['managed', 'cloudflare_record', cloudflare],
  ['data', 'cloudflare_zones', cloudflare],
  ['managed', 'cloudflare_waf_rules', cloudflare],
  ['managed', 'terraform_data', 'provider["terraform.io/builtin/terraform"]'],
] as const;

/** Keys that have broken a tool somewhere: shells, terminals, templates, Unicode. */
const hostileKeys = [
  ...['', ' ', '0', '-1', 'a.b', 'a["b"]', '"', '\\', '\\"', "'", '`id`', '$(id)', '; rm -rf /'],
  ...['${x}', '%{if x}', '$${x}', '%%{x}', '$', '%', '$$', 'a$', '{', '$ {', '$%{', '%${', '\\${'],
  ...['\n', '\r\n', '\t', '\u0000', '\u0007', '\u001b[2J\u001b]0;x\u0007', '\u007f', '\u0085'],
  ...['\u00a0', '\u00ad', '\u2028', '\u2029', '\u200b', '\u202e', '\u2066', '\ufeff', '\ufffd'],
  ...['é', 'e\u0301', '日本', '👩‍🚀', '\u{e0001}', '\u{10ffff}', '\ue000', '\u0378', '<b>&amp;</b>'],
  ...['module.a', 'data.x.y', '[0]', '"},{"mode":"managed"', '],"resources":[', '\\u0041'],
];

/** Characters that every Unicode since 15.0 knows alike. */
const knownCharacter = fc.integer({ min: 0, max: 0x85f }).map((code) => String.fromCodePoint(code));

/** A key of `for_each`, also an unusual one. */
const arbitraryText = fc.oneof(
  fc.constantFrom(...hostileKeys),
  fc.array(fc.constantFrom(...hostileKeys, 'a', 'B'), { maxLength: 4 }).map((all) => all.join('')),
  // without additions of Unicode 15.1: Terraform 1.11 escapes them, Node 20 does not
  fc
    .string({ unit: 'grapheme', maxLength: 12 })
    .filter((key) => !/[\u2ffc-\u2fff\u31ef\u{2ebf0}-\u{2ee5d}]/u.test(key)),
  fc.string({ unit: knownCharacter, maxLength: 8 }),
);

export const arbitraryKey = fc.oneof(
  fc.constant(undefined),
  fc.nat({ max: 1000 }),
  fc.maxSafeNat(),
  arbitraryText,
);

/** A name that Terraform can address. */
export const arbitraryName = fc.oneof(
  fc.stringMatching(/^[a-z_][a-z0-9_-]{0,8}$/),
  fc.constantFrom('a', 'r', 'module', 'data', '_', 'a-', 'É', '日本', 'a·', '℘'),
);

/** A module path as Terraform writes it, empty at the root. */
export const arbitraryModule = fc
  .array(
    fc.record({
      name: arbitraryName.filter((name) => name !== 'module'),
      // Terraform normalises strings to NFC.
      key: fc.option(
        fc.oneof(
          fc.nat({ max: 20 }),
          arbitraryText.map((text) => text.normalize('NFC')),
        ),
        { nil: undefined },
      ),
    }),
    { maxLength: 3 },
  )
  .map((steps) =>
    steps
      .map(({ name, key }) => {
        const index = typeof key === 'number' ? `[${key}]` : `[${quoteHcl(key ?? '')}]`;
        return `module.${name}${key === undefined ? '' : index}`;
      })
      .join('.'),
  );

const instance = fc
  .record({
    index_key: arbitraryKey,
    zone_id: fc.constantFrom('0'.repeat(32), 'f'.repeat(32), undefined),
    status: fc.constantFrom(undefined, undefined, 'tainted'),
    note: arbitraryText,
    list: fc.array(fc.record({ mode: fc.constantFrom('managed', 'on'), name: arbitraryText }), {
      maxLength: 3,
    }),
  })
  .map(({ index_key, zone_id, status, note, list }) => ({
    ...(index_key !== undefined && { index_key }),
    ...(status !== undefined && { status }),
    schema_version: 0,
    attributes: { id: 'x', note, list, ...(zone_id !== undefined && { zone_id }) },
    sensitive_attributes: [],
  }));

const resource = fc
  .record({
    module: arbitraryModule,
    kind: fc.constantFrom(...kinds),
    name: arbitraryName,
    instances: fc.uniqueArray(instance, {
      selector: (one) => one.index_key,
      maxLength: 4,
    }),
  })
  .map(({ module, kind: [mode, type, provider], name, instances }): RawResource => ({
    ...(module !== '' && { module }),
    ...{ mode, type, name, provider, instances },
  }));

/** Resources of a state that Terraform accepts, each address once. */
export const arbitraryResources = fc.uniqueArray(resource, {
  selector: ({ module, mode, type, name }) => JSON.stringify([module, mode, type, name]),
  maxLength: 8,
});

/** A raw state of format 4. */
export function rawState(resources: readonly unknown[]): object {
  return {
    version: 4,
    terraform_version: '1.11.4',
    serial: 7,
    lineage: '57840cae-e9bb-45f7-25ec-1e7cba2b079c',
    outputs: {},
    resources,
    check_results: null,
  };
}

/** A legacy resource with one instance. */
export function rawResource(changes: object = {}): object {
  return {
    mode: 'managed',
    type: 'cloudflare_waf_rule',
    name: 'r',
    provider: cloudflare,
    instances: [{ schema_version: 0, attributes: { zone_id: '0'.repeat(32) } }],
    ...changes,
  };
}
