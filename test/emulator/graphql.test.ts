import { ENTERPRISE, withEmulator } from './support/with-emulator';

const filter = { datetime_geq: '2026-01-01T00:00:00Z', datetime_lt: '2026-01-01T01:00:00Z' };
const node = (text: string) => ({
  query: `query($zoneTag: string) { viewer { zones(filter: {zoneTag: $zoneTag}) { ${text} } } }`,
  variables: { zoneTag: ENTERPRISE, filter },
});
const events = (fields: string) =>
  node(`firewallEventsAdaptive(limit: 10, filter: $filter) { ${fields} }`);
const settings = (fields: string) => node(`settings { firewallEventsAdaptive { ${fields} } }`);

describe('a query of security events', () => {
  it.each([
    ['an event', events('rayName nothing'), 'nothing'],
    ['an event, by a name that every object has', events('toString'), 'toString'],
    ['the settings', settings('maxPageSize everything'), 'everything'],
  ])('is refused for a field that is none of %s', async (_what, query, name) => {
    await withEmulator({}, async (call) => {
      const { status, body } = await call('POST', '/graphql', query);
      expect([status, body.data]).toEqual([200, null]);
      expect(body.errors[0].message).toBe(`unknown field "${name}"`);
    });
  });

  it('answers the settings that it asks for', async () => {
    await withEmulator({}, async (call) => {
      const { body } = await call('POST', '/graphql', settings('maxPageSize'));
      expect(body.data.viewer.zones).toEqual([
        { settings: { firewallEventsAdaptive: { maxPageSize: 10_000 } } },
      ]);
    });
  });
});
