import { MANAGED_PHASE } from '../../../src/core/ruleset';
import { type StateFacts, type PlannedZone } from '../../../src/plan/facts/facts';
import { type Method } from '../../../src/plan/plan-schema';
import { MODULE, moduleFiles, otherZone, rootState } from './shared-module';
import {
  boundTo,
  configuration,
  declaredZone,
  OLD_BLOCKS,
  legacyResource,
  OTHER_ZONE,
  stateFacts,
  ZONE,
  zone,
} from './state-facts';

/** The facts from which is planned. */
interface PlanCase {
  readonly zones?: readonly PlannedZone[];
  readonly states: readonly StateFacts[];
  readonly method?: Method;
}

/** One state with these facts. */
const of = (changes: Partial<StateFacts>, more: Omit<PlanCase, 'states'> = {}): PlanCase => ({
  states: [stateFacts(changes)],
  ...more,
});

/** One state in a folder with these files. */
const inFiles = async (
  files: Readonly<Record<string, string>>,
  changes: Partial<StateFacts> = {},
  more: Omit<PlanCase, 'states'> = {},
): Promise<PlanCase> => of({ configuration: await configuration(files), ...changes }, more);

/** Of a zone whose declaration the plan can write. */
const declaring = { zones: [declaredZone] };

const old = (zoneId: string | undefined, ...addresses: readonly string[]) =>
  addresses.map((address) => legacyResource(address, { zoneId }));
const ofThree = (address: string) => ({
  address: `cloudflare_ruleset.${address}`,
  zoneId: OTHER_ZONE,
  id: address.repeat(32).slice(0, 32),
  written: { schemaVersion: 1, hasObjects: false },
});
const firewallRules = (count: number) => [
  'cloudflare_filter.f',
  ...Array.from({ length: count }, (_, at) => `cloudflare_firewall_rule.r${at}`),
];
const fresh = stateFacts({
  ...{ name: 'stack', dir: 'stack', legacyResources: [], exists: false, lineage: '', serial: 0 },
  ...{ installed: '5.22.0', dataDir: '.terraform-stack' },
});
const synthesised = (name: string) => ({
  '//': { metadata: { path: `edge/${name}`, uniqueId: name } },
  zone_id: 'z',
});
const STACK = {
  'cdk.tf.json': JSON.stringify({
    resource: {
      cloudflare_waf_package: { owasp: synthesised('owasp') },
      cloudflare_waf_rule: { one: synthesised('one') },
    },
  }),
};

/** What is planned from which facts: each is a file of test/golden/plans to be read. */
export const planCases: Readonly<Record<string, () => PlanCase | Promise<PlanCase>>> = {
  'another-ruleset-in-the-state': () =>
    of({
      rulesets: [
        { address: 'cloudflare_ruleset.first', zoneId: 'e'.repeat(32), id: 'e' },
        { address: zone.address, zoneId: ZONE, id: 'b'.repeat(32), phase: MANAGED_PHASE },
      ],
    }),
  'declared-rulesets-that-need-a-person': () =>
    of({
      declared: [
        { address: 'cloudflare_ruleset.of_a_variable', zoneId: undefined },
        { address: 'cloudflare_ruleset.each', zoneId: ZONE, isRepeated: true, majors: [5] },
      ],
    }),
  'a-ruleset-that-may-be-declared': () =>
    of({ declared: [{ address: 'cloudflare_ruleset.of_a_variable', zoneId: undefined }] }),
  'rulesets-of-another-provider': () => {
    const declared = [{ address: zone.address, zoneId: ZONE, majors: [3, 4] }];
    return of({ declared, wanted: '5.22.0' });
  },
  'old-resources-that-left-before': () =>
    inFiles({ 'main.tf': OLD_BLOCKS }, { legacyResources: [], hasWorkspaces: true }, declaring),
  'a-module-of-one-state': async () => ({ ...declaring, states: [await rootState('a')] }),
  'a-module-of-two-states': async () => ({
    zones: [declaredZone, otherZone],
    states: [await rootState('a'), await rootState('b')],
  }),
  'a-module-of-two-states-by-blocks': async () => ({
    zones: [declaredZone, otherZone],
    states: [await rootState('a'), await rootState('b')],
    method: 'blocks',
  }),
  'a-linked-file': async () => {
    const read = await configuration(moduleFiles, 'roots/c');
    const linkedFiles = new Map([['roots/c/main.tf', MODULE]]);
    return of({ dir: 'roots/c', configuration: { ...read, linkedFiles } }, declaring);
  },
  'provider-3-stays': () =>
    inFiles({ 'main.tf': `${OLD_BLOCKS}\noutput "o" {\n  value = 1\n}\n` }, {}, declaring),
  'provider-3-stays-and-so-does-another-zone': () =>
    of({
      legacyResources: [
        ...old(ZONE, 'cloudflare_waf_package.owasp'),
        ...old(undefined, 'cloudflare_waf_rule.of_no_zone'),
        ...old(OTHER_ZONE, 'cloudflare_waf_rule.b["x"]', 'cloudflare_waf_rule.b["y"]'),
      ],
    }),
  'provider-3-to-5-in-a-folder': () =>
    inFiles(
      { 'main.tf': OLD_BLOCKS },
      {
        ...{ dir: 'infra', wanted: '5.22.0', retired: firewallRules(1) },
        legacyResources: [
          ...old(ZONE, 'cloudflare_waf_package.owasp'),
          ...old(OTHER_ZONE, 'cloudflare_waf_rule.one["a"]'),
        ],
      },
      declaring,
    ),
  'provider-4': () => of({ installed: '4.52.8' }),
  'provider-not-known': () => of({ installed: undefined }),
  'provider-5-with-rulesets-of-3': () =>
    of({
      installed: '5.22.0',
      rulesets: [
        ofThree('b'),
        { ...ofThree('c'), zoneId: undefined, accountId: 'd'.repeat(32) },
        { ...ofThree('e'), written: { schemaVersion: 500, hasObjects: true } },
      ],
    }),
  'provider-3-to-5-with-rulesets-of-3': () => of({ wanted: '5.22.0', rulesets: [ofThree('b')] }),
  'data-sources-in-the-state': () =>
    of({
      legacyResources: old(ZONE, 'cloudflare_waf_package.owasp', 'data.cloudflare_waf_groups.all'),
    }),
  'data-sources-in-the-files': () =>
    inFiles({
      'main.tf': `${OLD_BLOCKS}
data "cloudflare_waf_groups" "all" {}
check "c" {
  data "cloudflare_waf_rules" "checked" {}
  assert {
    condition     = true
    error_message = "no"
  }
}
`,
    }),
  'provider-configuration-gone': () =>
    inFiles(
      { 'main.tf': OLD_BLOCKS },
      {
        legacyResources: ['cloudflare_waf_package.owasp', 'cloudflare_waf_rule.one["a"]'].map(
          (address) => legacyResource(address, boundTo('provider.cloudflare.gone')),
        ),
      },
    ),
  'blocks-in-hcl': () => inFiles({ 'main.tf': OLD_BLOCKS }, {}, { ...declaring, method: 'blocks' }),
  'blocks-in-cdktf': () => inFiles(STACK, {}, { ...declaring, method: 'blocks' }),
  'a-new-state-beside-the-old-one': () => ({
    states: [stateFacts({ installed: undefined }), fresh],
  }),
  'blocks-that-cannot-be-edited': () =>
    inFiles(
      {
        'main.tf': `resource "cloudflare_waf_package" "owasp" {
  zone_id = local.zone
}

resource "cloudflare_waf_rule" "shared" {
  for_each = toset(["a", "b"])
}

locals {
  zone = "z"
  uses = cloudflare_waf_package.owasp.id
}

resource "cloudflare_record" "r" {
  name = cloudflare_waf_package.owasp.id
}

output "o" {
  value = cloudflare_waf_package.owasp.id
}

module "far" {
  source = "git::https://example.com/far.git"
}
`,
      },
      {
        legacyResources: [
          ...old(ZONE, 'cloudflare_waf_package.owasp', 'cloudflare_waf_group.gone'),
          ...old(ZONE, 'module.far.cloudflare_waf_rule.r', 'cloudflare_waf_rule.shared["a"]'),
          ...old(OTHER_ZONE, 'cloudflare_waf_rule.shared["b"]'),
        ],
      },
    ),
  'a-block-that-another-zone-shares': () =>
    inFiles(
      {
        'z.tf': 'resource "cloudflare_waf_package" "owasp" {}\n',
        'm.tf': 'resource "cloudflare_waf_group" "h" {}\n',
        'shared.tf': 'resource "cloudflare_waf_rule" "shared" {}\n',
        'a.tf': `resource "cloudflare_waf_group" "g" {}

moved {
  from = cloudflare_waf_group.old
  to   = cloudflare_waf_group.g
}
`,
      },
      {
        legacyResources: [
          ...old(ZONE, 'cloudflare_waf_package.owasp', 'cloudflare_waf_group.g'),
          ...old(ZONE, 'cloudflare_waf_group.h', 'cloudflare_waf_rule.shared["a"]'),
          ...old(OTHER_ZONE, 'cloudflare_waf_rule.shared["b"]'),
        ],
      },
    ),
  'a-stack-that-refers-to-the-old-resources': () =>
    inFiles({
      ...STACK,
      'output.tf': 'output "o" {\n  value = cloudflare_waf_package.owasp.id\n}\n',
    }),
  hazards: () => ({
    zones: [zone],
    states: [
      stateFacts({
        declared: [
          { address: 'cloudflare_ruleset.unread', zoneId: undefined },
          { address: 'cloudflare_ruleset.unread_too', zoneId: undefined },
          { address: zone.address, zoneId: ZONE },
          { address: 'module.b.cloudflare_ruleset.b', zoneId: ZONE },
          { address: 'cloudflare_ruleset.c', zoneId: OTHER_ZONE },
        ],
        rulesets: [
          { address: 'cloudflare_ruleset.x', zoneId: OTHER_ZONE, id: 'x' },
          { address: 'cloudflare_ruleset.y', zoneId: OTHER_ZONE, id: undefined },
        ],
      }),
      stateFacts({
        name: 'second',
        legacyResources: [],
        rulesets: [
          { address: 'cloudflare_ruleset.x', zoneId: OTHER_ZONE, id: 'x' },
          { address: 'cloudflare_ruleset.z', zoneId: OTHER_ZONE, id: undefined },
        ],
      }),
    ],
  }),
  'a-zone-that-no-state-knows': () => ({
    zones: [zone, { ...zone, zoneId: 'e'.repeat(32) }],
    states: [stateFacts()],
  }),
  'nothing-to-migrate': () =>
    of(
      {
        ...{ installed: '4.52.8', legacyResources: [] },
        ...{ retired: firewallRules(1), rulesets: [ofThree('b')] },
      },
      { zones: [] },
    ),
};
