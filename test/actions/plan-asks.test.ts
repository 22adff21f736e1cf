import { type Client } from '../../src/cloudflare/client';
import { plan } from '../../src/actions/plan';
import { type PlannedState } from '../../src/plan/planned-state';
import { OTHER_ZONE, plannedState, RULESET, ZONE, zone } from '../plan/support/planned-states';

/** Whether the service is asked for the ruleset of a zone. */
async function isAsked(changes: Partial<PlannedState>): Promise<boolean> {
  const asked: string[] = [];
  const client: Client = {
    request: (_, path) => {
      asked.push(path);
      return Promise.reject(new Error('nobody is there'));
    },
    close: () => Promise.resolve(),
  };
  const states = [plannedState({ oldResources: [], ...changes })];
  const { address } = zone;
  await plan({
    ...{ zones: [ZONE], rulesetIds: new Map(), states, address },
    client: () => client,
  }).catch(() => undefined);
  return asked.length > 0;
}

describe('where nothing old is in a state, the service is asked', () => {
  const declared = [{ address: zone.address, zoneId: ZONE }];

  it('for a ruleset that is declared, and not in the state', async () => {
    expect(await isAsked({ declared })).toBe(true);
  });

  it.each([
    ['nothing is declared', {}],
    ['the ruleset of another zone is', { declared: [{ ...declared[0]!, zoneId: OTHER_ZONE }] }],
    [
      'it is in the state, with a key',
      { declared, rulesets: [{ address: `${zone.address}[0]`, zoneId: ZONE, id: RULESET }] },
    ],
  ])('not where %s', async (_, changes) => {
    expect(await isAsked(changes)).toBe(false);
  });
});
