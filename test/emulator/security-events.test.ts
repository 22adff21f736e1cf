import { emulate, ENTERPRISE, emulateZone } from './support/with-emulator';

const filter = { datetime_geq: '2026-01-01T00:00:00Z', datetime_lt: '2026-01-01T01:00:00Z' };
const node = (text: string, variables: object = { zoneTag: ENTERPRISE, filter }) => ({
  query: `query($zoneTag: string) { viewer { zones(filter: {zoneTag: $zoneTag}) { ${text} } } }`,
  variables,
});
const eventsNode = (fields: string, limit = 10) =>
  `firewallEventsAdaptive(limit: ${limit}, filter: $filter) { ${fields} }`;
const settingsNode = (fields: string) => `settings { firewallEventsAdaptive { ${fields} } }`;
const at = (datetime: string, rayName: string) => ({
  ...{ datetime, rayName, source: 'waf', action: 'block', ruleId: '100532' },
});

describe('a query of security events', () => {
  it('[S129] returns the events of a span in order, with the selected fields', async () => {
    const events = [
      at('2026-01-01T00:00:02Z', 'c'),
      at('2026-01-01T00:00:01Z', 'b'),
      at('2026-01-01T00:00:00Z', 'a'),
      at('2026-01-01T01:00:00Z', 'd'),
    ];
    const [call] = await emulateZone({ events });
    const rays = async (variables: object, limit?: number): Promise<string[]> => {
      const all = { zoneTag: ENTERPRISE, filter: { ...filter, ...variables } };
      const query = node(eventsNode('rayName matchIndex', limit), all);
      const [zone] = (await call('POST', '/graphql', query)).body.data.viewer.zones;
      return zone.firewallEventsAdaptive.map((one: any) => {
        expect(one).toEqual({ rayName: one.rayName, matchIndex: 0 });
        return one.rayName;
      });
    };
    expect(await rays({})).toEqual(['a', 'b', 'c']);
    expect(await rays({}, 2)).toEqual(['a', 'b']);
    expect(await rays({ datetime_geq: '2026-01-01T00:00:01.001Z' })).toEqual(['c']);
  });

  it('returns the selected settings', async () => {
    const [call] = await emulate({});
    const { body } = await call('POST', '/graphql', node(settingsNode('maxPageSize')));
    expect(body.data.viewer.zones).toEqual([
      { settings: { firewallEventsAdaptive: { maxPageSize: 10_000 } } },
    ]);
  });

  const events = eventsNode('rayName');
  const { datetime_geq } = filter;
  const long = { ...filter, datetime_lt: '2026-01-02T00:00:01Z' };
  it.each<[string, unknown, string]>([
    ['a field that no event has', node(eventsNode('rayName nothing')), 'unknown field "nothing"'],
    ['a name that every object has', node(eventsNode('toString')), 'unknown field "toString"'],
    ['a field that no setting is', node(settingsNode('everything')), 'unknown field "everything"'],
    ['a page that is too large', node(eventsNode('rayName', 10_001)), 'not greater than 10000'],
    ['another node', node('httpRequests(limit: 1) { x }'), 'query is not understood'],
    ['an unknown zone', node(events, { zoneTag: 'x', filter }), "zone 'x' is not authorized"],
    ['no query', {}, 'request body or filter is not understood'],
    ['no end', node(events, { zoneTag: ENTERPRISE, filter: { datetime_geq } }), 'not understood'],
    ['no filter', node(events, { zoneTag: ENTERPRISE }), 'query is not understood'],
    ['more than a day', node(events, { zoneTag: ENTERPRISE, filter: long }), 'too large'],
  ])('is refused for %s', async (_what, query, message) => {
    const [call] = await emulate({});
    const { status, body } = await call('POST', '/graphql', query);
    expect([status, body.data]).toEqual([200, null]);
    expect(body.errors[0].message).toContain(message);
  });
});
