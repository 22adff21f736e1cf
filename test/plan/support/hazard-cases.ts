import { MANAGED_PHASE } from '../../../src/core/ruleset';
import { type StateFacts, type PlannedZone } from '../../../src/plan/facts/facts';
import { type Method } from '../../../src/plan/plan';
import { configuration, declaredZone, OLD_BLOCKS, stateFacts, ZONE, zone } from './state-facts';
import { MODULE, moduleFiles, otherZone, rootState } from './shared-module';

/** The facts from which is planned. */
export interface PlanCase {
  readonly zones?: readonly PlannedZone[];
  readonly states: readonly StateFacts[];
  readonly method?: Method;
}

/** One state with these facts. */
export const of = (
  changes: Partial<StateFacts>,
  more: Omit<PlanCase, 'states'> = {},
): PlanCase => ({ states: [stateFacts(changes)], ...more });

/** One state in a folder with these files. */
export const inFiles = async (
  files: Readonly<Record<string, string>>,
  changes: Partial<StateFacts> = {},
  more: Omit<PlanCase, 'states'> = {},
): Promise<PlanCase> => of({ configuration: await configuration(files), ...changes }, more);

/** Of a zone whose declaration the plan can write. */
export const declaring = { zones: [declaredZone] };

/** Cases with findings, each with its words. */
export const hazardCases: Readonly<Record<string, () => PlanCase | Promise<PlanCase>>> = {
  'in-the-way-of-a-folder': () => of({ otherWorkspaces: ['prod', 'staging'] }, declaring),
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
    inFiles(
      { 'main.tf': OLD_BLOCKS },
      { legacyResources: [], otherWorkspaces: ['prod'] },
      declaring,
    ),
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
};
