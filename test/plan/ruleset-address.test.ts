import { MANAGED_PHASE } from '../../src/core/ruleset';
import { type OwnedRuleset, type StateFacts } from '../../src/plan/facts/facts';
import { planMigration } from '../../src/plan/plan-migration';
import {
  configuration as configurationOf,
  OTHER_ZONE,
  stateFacts,
  RULESET,
  ZONE,
  zone,
} from './support/state-facts';

const owner = (...states: readonly StateFacts[]) => {
  const { zones, steps } = planMigration([zone], states);
  const [owned] = zones;
  const isImported = !steps.some(({ kind }) => kind === 'import');
  return owned && [owned.ruleset.state, owned.ruleset.address, isImported];
};
const fresh = (name: string, changes: Partial<StateFacts> = {}): StateFacts =>
  stateFacts({ name, legacyResources: [], isEmpty: !changes.rulesets, ...changes });
const other = 'cloudflare_ruleset.other';

describe('the ruleset of a zone is owned by', () => {
  it.each([
    ['its id, whatever its address', { address: other, zoneId: undefined, id: RULESET }, other],
    [
      'its zone and phase, of which there is one',
      { address: other, zoneId: ZONE, id: 'x', phase: MANAGED_PHASE },
      other,
    ],
  ])('the state that has it already, told by %s', (_, ruleset: OwnedRuleset, address) => {
    const states = [stateFacts(), fresh('new'), stateFacts({ name: 'its', rulesets: [ruleset] })];
    expect(owner(...states)).toEqual(['its', address, true]);
  });

  it.each([
    ['at its address of another zone', { address: zone.address, zoneId: OTHER_ZONE, id: 'x' }],
    ['of its zone at another address', { address: other, zoneId: ZONE, id: 'x' }],
    ['at its address of another phase', { address: zone.address, zoneId: ZONE, id: 'x' }],
  ])('no state because of a ruleset %s', (_, ruleset) => {
    const states = [stateFacts(), stateFacts({ name: 'not its', rulesets: [ruleset] })];
    expect(owner(...states)).toEqual(['main', zone.address, false]);
  });

  it('the state that holds its old resources, at an address that nothing else has', async () => {
    const another = { address: zone.address, zoneId: OTHER_ZONE, id: 'x', phase: MANAGED_PHASE };
    const short = `${zone.address}_${ZONE.slice(0, 12)}`;
    expect(owner(stateFacts({ rulesets: [another] }))).toEqual(['main', short, false]);
    const keyed = { ...another, address: `${zone.address}["x"]` };
    expect(owner(stateFacts({ rulesets: [keyed] }))).toEqual(['main', short, false]);
    const declared = [{ address: zone.address, zoneId: OTHER_ZONE }];
    expect(owner(stateFacts({ declared }))).toEqual(['main', short, false]);
    const shorter = { ...another, address: short, zoneId: `${ZONE.slice(0, 12)}${'0'.repeat(20)}` };
    const whole = `${zone.address}_${ZONE}`;
    expect(owner(stateFacts({ rulesets: [another, shorter] }))).toEqual(['main', whole, false]);
    // of another phase, which is not among the entry points
    const configuration = await configurationOf({
      'main.tf': 'resource "cloudflare_ruleset" "waf" {\n  phase = "http_ratelimit"\n}\n',
    });
    expect(owner(stateFacts({ configuration }))).toEqual(['main', short, false]);
    const removed = await configurationOf({
      'own.tf': `removed {\n  from = ${zone.address}\n  lifecycle {\n    destroy = false\n  }\n}\n`,
    });
    expect(owner(stateFacts({ configuration: removed }))).toEqual(['main', short, false]);
    // where the zone is an expression, it may be this one
    const unknown = [{ address: zone.address, zoneId: undefined }];
    expect(owner(stateFacts({ configuration, declared: unknown }))).toEqual([
      ...['main', zone.address, false],
    ]);
    // with the key of its count, if that selects one state
    const counted = [{ ...unknown[0]!, isRepeated: true, isOfOneState: true }];
    expect(owner(stateFacts({ declared: counted }))).toEqual([
      ...['main', `${zone.address}[0]`, false],
    ]);
    // and where the phase is one, if the zone is the same; a ruleset of an account never is
    const mayBe = (mayBeOf: string | null) =>
      owner(stateFacts({ declared: [{ address: zone.address, zoneId: undefined, mayBeOf }] }));
    expect(mayBe(ZONE)).toEqual(['main', zone.address, false]);
    expect(mayBe(OTHER_ZONE)).toEqual(['main', short, false]);
    expect(mayBe(null)).toEqual(['main', short, false]);
  });

  it('the state whose configuration may declare it by a phase that is an expression, and no other one', () => {
    const mayBe = { address: other, zoneId: undefined, mayBeOf: ZONE };
    const perhaps = fresh('perhaps', { declared: [mayBe] });
    expect(owner(stateFacts(), fresh('new'), perhaps)).toEqual(['perhaps', zone.address, false]);
    const told = fresh('told', { declared: [{ address: other, zoneId: ZONE }] });
    expect(owner(stateFacts(), perhaps, told)).toEqual(['told', other, false]);
    // its state tells another phase
    const rulesets = [{ address: other, zoneId: ZONE, id: 'x', phase: 'http_ratelimit' }];
    const custom = fresh('custom', { declared: [mayBe], rulesets });
    expect(owner(stateFacts(), custom)).toEqual(['main', zone.address, false]);
    const ofOthers = fresh('of-others', { declared: [{ address: other, zoneId: 'f'.repeat(32) }] });
    expect(owner(stateFacts(), ofOthers)).toEqual(['main', zone.address, false]);
    const ofAny = fresh('any', { declared: [{ address: other, zoneId: undefined }] });
    expect(owner(stateFacts(), fresh('new'), ofAny)).toEqual(['main', zone.address, false]);
  });

  it('the state whose configuration declares it, at the address that is declared', () => {
    const declares = (name: string, zoneId: string, ...addresses: readonly string[]) =>
      fresh(name, { declared: addresses.map((address) => ({ address, zoneId })) });
    const another = declares('another', OTHER_ZONE, zone.address);
    expect(owner(stateFacts(), another, declares('its', ZONE, other))).toEqual([
      ...['its', other, false],
    ]);
    const twice = declares('its', ZONE, other, zone.address);
    expect(owner(stateFacts(), another, twice)).toEqual(['its', zone.address, false]);
  });

  it('the one state that is new, else the first that holds old resources of the zone', () => {
    expect(owner(stateFacts(), fresh('new'))).toEqual(['new', zone.address, false]);
    expect(owner(stateFacts(), fresh('new'), fresh('newer'))).toEqual([
      ...['main', zone.address, false],
    ]);
    expect(owner(fresh('of-other-resources', { isEmpty: false }), stateFacts())).toEqual([
      ...['main', zone.address, false],
    ]);
    expect(owner(stateFacts(), stateFacts({ name: 'second' }))).toEqual([
      ...['main', zone.address, false],
    ]);
  });

  it('no state, where none has anything of the zone', () => {
    expect(owner(fresh('new'))).toBeUndefined();
    expect(owner()).toBeUndefined();
  });
});
