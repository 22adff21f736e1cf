import { event } from './support/event-files';
import { deploying, proposalFor } from './support/proposal-for';
import { type RawEvent } from './support/reference';

/** Old rules of which no new one is known, and a new rule. */
const [FIRST, SECOND, NEW] = ['100004', '100020', '0242110ae62e44028a13bf4834780914'] as const;

const stopped = (ray: string, action: string, rule: string, query = '?x=1'): RawEvent => ({
  ...event(ray, 'waf', action, rule, '/old'),
  ClientRequestQuery: query,
});
const refs = ({ rules }: any): string[] => rules.flatMap(({ ref }: any) => ref ?? []);

test('one request that two old rules stopped gets one own rule, with the stricter action', async () => {
  const written = await proposalFor([
    stopped('1', 'challenge', FIRST),
    stopped('1', 'block', SECOND),
  ]);
  expect(written.proposal.changes).toMatchObject([
    { kind: 'custom', action: 'block', enabled: true, evidence: { ruleId: SECOND } },
  ]);
  expect(written.proposal.notProposed).toEqual([
    {
      ruleId: FIRST,
      requests: 1,
      why: `the change for ${SECOND} holds for these requests as well; the stricter action wins: block`,
    },
  ]);
  expect(written.proposal.promise.noLongerBlocked).toEqual({ before: 2, after: 0 });
  expect(refs(written)).toHaveLength(1);
});

test('an old rule with two actions gets an own rule for the requests of each, the blocking one first', async () => {
  const { proposal, rules } = await proposalFor([
    stopped('1', 'challenge', FIRST, '?a=1'),
    stopped('2', 'challenge', FIRST, '?a=2'),
    stopped('3', 'block', FIRST, '?b=1'),
    stopped('4', 'simulate', FIRST, '?c=1'),
  ]);
  const own = rules
    .slice(1)
    .map(({ action, expression }: any) => [
      action,
      [...expression.matchAll(/query eq "(.*?)"/g)].map(([, query]: any) => query),
    ]);
  expect(own).toEqual([
    ['block', ['b=1']],
    ['managed_challenge', ['a=1', 'a=2']],
  ]);
  expect(proposal.notProposed).toEqual([]);
  expect(proposal.promise.noLongerBlocked).toEqual({ before: 3, after: 0 });
});

test('the same request, blocked once and challenged once, is blocked', async () => {
  const written = await proposalFor([
    stopped('1', 'challenge', FIRST),
    stopped('2', 'block', FIRST),
  ]);
  expect(written.proposal.changes).toMatchObject([{ kind: 'custom', action: 'block', covers: 2 }]);
  expect(refs(written)).toHaveLength(1);
});

test('of requests of which the table holds no sample it says so', async () => {
  const first = Array.from('12345', (ray) => stopped(ray, 'challenge', FIRST));
  const { proposal } = await proposalFor([...first, stopped('6', 'block', FIRST)]);
  expect(proposal.notProposed).toEqual([
    {
      ruleId: FIRST,
      requests: 1,
      why: 'no sample of these requests is held: write a rule of your own',
    },
  ]);
});

test('an own rule that stands is not proposed again, and what a disabled one waits for is said', async () => {
  const events = [stopped('1', 'block', FIRST, ''), stopped('2', 'block', SECOND)];
  const config = await proposalFor(events);
  const again = await proposalFor(events, { name: 'default', rules: config.rules });
  const [disabled, enabled] = refs(config);
  expect(again.proposal.changes).toEqual([]);
  expect(again.proposal.notProposed).toEqual([
    {
      ruleId: FIRST,
      requests: 1,
      why: `already proposed, disabled: narrow the rule ${disabled} of the configuration, then enable it`,
    },
    {
      ruleId: SECOND,
      requests: 1,
      why: `already proposed: the configuration has the rule ${enabled}; review events of a validation with it`,
    },
  ]);
  expect(again.rules).toEqual(config.rules);
});

test('an exception that stands is not proposed again', async () => {
  const events = [event('1', 'firewallmanaged', 'log', NEW, '/')];
  const config = await proposalFor(events);
  expect(config.proposal.changes).toMatchObject([{ kind: 'skip' }]);
  const again = await proposalFor(events, { name: 'default', rules: config.rules });
  expect(again.proposal.changes).toEqual([]);
  expect(again.rules).toEqual(config.rules);
});

test('a new rule that blocks and challenges on one path gets one exception', async () => {
  const bypassed = event('1', 'firewallmanaged', 'managed_challenge_bypassed', NEW, '/');
  const { proposal } = await proposalFor(
    [bypassed, event('2', 'firewallmanaged', 'log', NEW, '/')],
    deploying({ rules: [{ id: NEW, action: 'block' }] }),
  );
  expect(proposal.changes).toMatchObject([{ kind: 'skip', ruleId: NEW }]);
  expect(proposal.notProposed).toMatchObject([
    { ruleId: NEW, why: `the change for ${NEW} holds for these requests as well` },
  ]);
  expect(proposal.promise.newlyBlocked).toEqual({ before: 2, after: 0 });
});
