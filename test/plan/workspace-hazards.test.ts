import { MANAGED_PHASE } from '../../src/core/ruleset';
import { planMigration } from '../../src/plan/plan-migration';
import { type StateFacts } from '../../src/plan/facts';
import {
  declaredZone,
  legacyResource,
  OTHER_ZONE,
  stateFacts,
  RULESET,
  workspace,
  ZONE,
  zone,
} from './support/state-facts';

const empty = workspace('staging', { legacyResources: [] });
const entryPoint = { address: 'cloudflare_ruleset.x', zoneId: ZONE, id: RULESET };
const owning = workspace('staging', {
  legacyResources: [],
  rulesets: [{ ...entryPoint, phase: MANAGED_PHASE }],
});
const findingsOf = (changes: Partial<StateFacts>, zones = [declaredZone]) =>
  planMigration(zones, [stateFacts(changes)]).findings;
const codesOf = (...args: Parameters<typeof findingsOf>) =>
  findingsOf(...args).map(({ code }) => code);
const { address } = zone;
const ofExpression = { address: 'cloudflare_ruleset.of_a_variable', zoneId: undefined };

describe('a ruleset that is declared in a folder with other workspaces', () => {
  it.each([
    ['by the plan', []],
    ['by a person', [ofExpression, { address, zoneId: ZONE }]],
    ['by a person, with a phase', [{ address, zoneId: undefined, mayBeOf: ZONE }]],
  ])('is to be one of this workspace, and not %s of all', (_, declared) => {
    expect(findingsOf({ declared, otherWorkspaces: [empty] })).toEqual([
      expect.objectContaining({
        ...{ code: 'DECLARED_FOR_ALL_WORKSPACES', severity: 'blocker', subject: address },
        message: expect.stringMatching(/: staging$/),
      }),
    ]);
  });

  it('is fine where its zone is an expression, or it has a count of its own', () => {
    const otherWorkspaces = [empty];
    const declared = [{ address, zoneId: undefined }];
    expect(codesOf({ declared, otherWorkspaces })).toEqual([]);
    const repeated = [{ address, zoneId: ZONE, isRepeated: true }];
    expect(codesOf({ declared: repeated, otherWorkspaces })).toEqual(['RULESET_NEEDS_KEY']);
  });

  it('is fine where this state has it already, or nobody else uses the folder', () => {
    const rulesets = [{ ...entryPoint, phase: MANAGED_PHASE }];
    expect(codesOf({ rulesets, otherWorkspaces: [empty] })).toEqual(['RULESET_IN_STATE']);
    expect(codesOf({ otherWorkspaces: [] })).toEqual([]);
  });
});

describe('an entry point that is in the state of another workspace', () => {
  const blocked = expect.objectContaining({
    ...{ code: 'RULESET_OF_OTHER_WORKSPACE', severity: 'blocker', subject: address },
    message: expect.stringContaining('workspace staging has the entry point'),
    remedy: expect.stringContaining('plan this workspace for its own zone'),
  });

  it('is not imported into a second one', () => {
    expect(findingsOf({ otherWorkspaces: [owning] })).toEqual([blocked]);
  });

  it('is declared here as well: nobody is told to import it', () => {
    const declared = [{ address, zoneId: ZONE }];
    const zones = [{ ...zone, zoneId: OTHER_ZONE, address: 'cloudflare_ruleset.own' }];
    const own = {
      zoneId: OTHER_ZONE,
      address: 'cloudflare_ruleset.own',
      id: 'e',
      phase: MANAGED_PHASE,
    };
    const folder = { declared, rulesets: [own], otherWorkspaces: [owning] };
    const legacyResources = [legacyResource('cloudflare_waf_rule.one', { zoneId: OTHER_ZONE })];
    const findings = findingsOf({ ...folder, legacyResources }, zones);
    expect(findings).toContainEqual(blocked);
    expect(findings.map(({ code }) => code)).not.toContain('ENTRY_POINT_NOT_IMPORTED');
    // where nothing is planned, it stops no plan of other folders
    const states = [
      stateFacts({ legacyResources, rulesets: [own] }),
      stateFacts({ ...folder, name: 'second', rulesets: [], legacyResources: [] }),
    ];
    const { findings: ofBoth, steps } = planMigration(zones, states);
    expect(new Set(steps.map(({ state }) => state))).toEqual(new Set(['main']));
    expect(ofBoth.filter(({ subject }) => subject === address)).toEqual([
      expect.objectContaining({ code: 'ENTRY_POINT_NOT_IMPORTED', severity: 'decision' }),
    ]);
  });

  it('is no matter where a count keeps it out of this one', () => {
    const declared = [
      { address: 'cloudflare_ruleset.x', zoneId: ZONE, isRepeated: true },
      { address, zoneId: undefined },
    ];
    const zones = [{ ...zone, zoneId: OTHER_ZONE }];
    const legacyResources = [legacyResource('cloudflare_waf_rule.one', { zoneId: OTHER_ZONE })];
    const codes = codesOf({ declared, legacyResources, otherWorkspaces: [owning] }, zones);
    expect(codes).not.toContain('RULESET_OF_OTHER_WORKSPACE');
    expect(codes).not.toContain('ENTRY_POINT_NOT_IMPORTED');
  });
});

it('a ruleset that another workspace may be meant to own is not only to be imported', () => {
  const declared = [{ address: 'cloudflare_ruleset.other', zoneId: OTHER_ZONE, isRepeated: true }];
  expect(findingsOf({ declared, otherWorkspaces: [empty] })).toContainEqual(
    expect.objectContaining({
      code: 'ENTRY_POINT_NOT_IMPORTED',
      remedy: expect.stringContaining('set its count to 0 in this one'),
    }),
  );
});
