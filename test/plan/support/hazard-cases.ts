import { MANAGED_PHASE } from '../../../src/core/ruleset';
import { type StateFacts, type PlannedZone } from '../../../src/plan/facts/facts';
import { type Method } from '../../../src/plan/plan';
import {
  configuration,
  declaredZone,
  OLD_BLOCKS,
  legacyResource,
  stateFacts,
  ZONE,
  zone,
} from './state-facts';
import { MODULE, moduleFiles, otherZone, rootState } from './shared-module';

/** The facts from which is planned. */
export interface PlanCase {
  readonly zones?: readonly PlannedZone[];
  readonly states: readonly StateFacts[];
  readonly method?: Method;
}

/** Cases with findings, each with its words. */
export const hazardCases: Readonly<Record<string, () => PlanCase | Promise<PlanCase>>> = {
  'in-the-way-of-a-folder': () => ({
    zones: [declaredZone],
    states: [
      stateFacts({
        otherWorkspaces: ['prod', 'staging'],
      }),
    ],
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
        otherWorkspaces: ['prod'],
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
