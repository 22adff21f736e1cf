import { MANAGED_PHASE } from '../../../src/core/ruleset';
import { type PlanCase } from './plan-case';
import {
  boundTo,
  configuration,
  declaredZone,
  OLD_BLOCKS,
  legacyResource,
  stateFacts,
  workspace,
  ZONE,
  zone,
} from './state-facts';
import { MODULE, moduleFiles, otherZone, rootState } from './shared-module';

const ROOT = 'provider["registry.terraform.io/cloudflare/cloudflare"]';
const boundToAll = (provider: string) => ({
  legacyResources: stateFacts().legacyResources.map((old) => ({ ...old, ...boundTo(provider) })),
});
const REQUIRED =
  'terraform {\n  required_providers {\n    cloudflare = {\n      source = "cloudflare/cloudflare"\n    }\n  }\n}\n';

/** What a person has to know or to decide, each finding with its words. */
export const hazardCases: Readonly<Record<string, () => PlanCase | Promise<PlanCase>>> = {
  'in-the-way-of-a-folder': () => ({
    zones: [declaredZone],
    states: [
      stateFacts({
        pendingMoves: [
          { from: 'a.b', to: 'module.m.a.b', file: 'moves.tf', line: 3 },
          { from: 'a.c', to: 'a.d', file: 'moves.tf', line: 8 },
        ],
        otherWorkspaces: [workspace('prod'), workspace('staging', { legacyResources: [] })],
      }),
    ],
  }),
  'providers-of-a-declaration': async () => ({
    states: [
      stateFacts({
        ...boundToAll(`${ROOT}.prod`),
        configuration: await configuration({
          'main.tf': `${OLD_BLOCKS}provider "cloudflare" {\n  alias = "prod"\n}\nmodule "m" {\n  source = "./m"\n}\n`,
          'm/main.tf': REQUIRED,
        }),
      }),
    ],
  }),
  'a-provider-that-is-not-told': () => ({
    states: [stateFacts(boundToAll(`module.m.${ROOT}`))],
  }),
  'another-ruleset-in-the-state': () => ({
    states: [
      stateFacts({
        rulesets: [
          { address: 'cloudflare_ruleset.first', zoneId: 'e'.repeat(32), id: 'e' },
          {
            ...{ address: zone.address, zoneId: ZONE, id: 'b'.repeat(32) },
            phase: MANAGED_PHASE,
          },
        ],
      }),
    ],
  }),
  'declared-rulesets-that-need-a-person': () => ({
    states: [
      stateFacts({
        declared: [
          { address: 'cloudflare_ruleset.of_a_variable', zoneId: undefined },
          { address: 'cloudflare_ruleset.each', zoneId: ZONE, isRepeated: true, majors: [5] },
        ],
      }),
    ],
  }),
  'a-ruleset-that-may-be-declared': () => ({
    states: [
      stateFacts({
        declared: [{ address: 'cloudflare_ruleset.of_a_variable', zoneId: undefined }],
      }),
    ],
  }),
  'rulesets-of-another-provider': () => {
    const declared = [{ address: zone.address, zoneId: ZONE, majors: [3, 4] }];
    return {
      states: [stateFacts({ declared, wanted: '5.22.0' })],
    };
  },
  'old-resources-that-left-before': async () => ({
    zones: [declaredZone],
    states: [
      stateFacts({
        legacyResources: [],
        otherWorkspaces: [workspace('prod')],
        configuration: await configuration({ 'main.tf': OLD_BLOCKS }),
      }),
    ],
  }),
  'a-module-of-one-state': async () => ({
    zones: [declaredZone],
    states: [await rootState('a')],
  }),
  'a-module-of-two-states': async () => ({
    zones: [declaredZone, otherZone],
    states: [await rootState('a'), await rootState('b')],
  }),
  'a-module-of-two-states-by-blocks': async () => ({
    zones: [declaredZone, otherZone],
    states: [await rootState('a'), await rootState('b')],
    method: 'blocks',
  }),
  'a-linked-file': async () => ({
    zones: [declaredZone],
    states: [
      stateFacts({
        dir: 'roots/c',
        legacyResources: [
          legacyResource('cloudflare_waf_package.owasp'),
          legacyResource('cloudflare_waf_rule.one["a"]'),
        ],
        configuration: {
          ...(await configuration(moduleFiles, 'roots/c')),
          linkedFiles: new Map([['roots/c/main.tf', MODULE]]),
        },
      }),
    ],
  }),
};
