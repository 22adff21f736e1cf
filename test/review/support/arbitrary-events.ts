import fc from 'fast-check';
import { type RawEvent } from './reference';

const hostile = [
  ...["'; DROP TABLE events; --", '"quoted"', 'back\\slash', 'línea ✓', '\u202e', '%_'],
  ...['a,b', '${x}', '\n', '\u0000', ' '],
];
const actions = [
  ...['block', 'connectionclose', 'BLOCK', 'log', 'simulate', 'allow', 'skip', 'bypass', 'unknown'],
  ...['challenge', 'jschallenge', 'js_challenge', 'managedchallenge', 'managed_challenge'],
  ...['managedChallenge', 'challengesolved', 'managedchallengebypassed', 'challengefailed'],
  'no such word',
];
const sources = ['waf', 'WAF', 'firewallmanaged', 'firewallManaged', 'firewall_managed'];
const otherSources = ['firewallcustom', 'ratelimit', 'firewallrules', 'unknown', ''];

const time = fc.integer({ min: 1_767_225_600, max: 1_767_312_000 }).chain((seconds) => {
  const text = new Date(seconds * 1000).toISOString();
  return fc.constantFrom<unknown>(
    ...[text, text.replace('.000Z', 'Z'), text.replace('.000Z', '.123456Z'), seconds],
    ...[String(seconds), `${seconds}123`, `${seconds}123456789`, 'yesterday', ''],
  );
});

const word = (usual: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ arbitrary: fc.constantFrom(...usual), weight: 8 }, fc.constantFrom(...hostile));

/** An event as an export could hold it: any field may be missing, null, or hostile. */
const event = fc.record<RawEvent>(
  {
    RayID: fc.oneof(
      { arbitrary: fc.integer({ min: 1, max: 12 }).map((n) => `ray${n}`), weight: 12 },
      fc.constantFrom<unknown>(null, '', ...hostile),
    ),
    Source: fc.oneof(
      { arbitrary: fc.constantFrom(...sources), weight: 4 },
      fc.constantFrom(...otherSources, ...hostile),
    ),
    Action: fc.constantFrom(...actions),
    RuleID: word([
      ...['100001', '100002', '981176', '6179ae15870a4bb7b2d480d4843b323c'],
      ...['a', 'b', 'c'].map((digit) => digit.repeat(32)),
    ]),
    ClientIP: word(['192.0.2.1', '192.0.2.2', '2001:db8::1']),
    ClientRequestHost: word(['a.example', 'b.example']),
    ClientRequestMethod: word(['GET', 'POST']),
    ClientRequestPath: word(['/', '/login', '/search']),
    ClientRequestQuery: word(['', '?q=1']),
    Datetime: time,
    MatchIndex: fc.nat(5),
    SampleInterval: fc.constantFrom<unknown>(undefined, 1, '1', 10),
    Metadata: fc.constantFrom<unknown>(undefined, {}, { type: 'customer' }),
  },
  { requiredKeys: [] },
);

/** Events of a few requests, in no order, some of them twice. */
export const events: fc.Arbitrary<RawEvent[]> = fc
  .array(event, { maxLength: 40 })
  .chain((all) => fc.tuple(fc.constant(all), fc.subarray(all), fc.infiniteStream(fc.nat())))
  .map(([all, twice, order]) =>
    [...all, ...twice]
      .map((one) => ({ one, at: order.next().value as number }))
      .sort((one, other) => one.at - other.at)
      .map(({ one }) => one),
  );
