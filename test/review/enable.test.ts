import { managedOf } from '../support/finish-lab';
import { event } from './support/event-files';
import { deploying, proposalFor } from './support/proposal-for';

/** An old rule of which the catalogue knows the successor, and that successor. */
const OLD = '100008D';
const NEW = 'ac4e9ebfb43a4f3998f6072d2ebc44ad';

/** Requests to more paths than an exception names, which the successor alone acts on. */
const elsewhere = [1, 2, 3, 4].map((path) =>
  event(`n${path}`, 'firewallmanaged', 'log', NEW, `/${path}`),
);

test.each([
  ['block', 'block'],
  ['challenge', 'managed_challenge'],
])('what only an old rule stopped with %s: its successor is enabled', async (action, expected) => {
  const { proposal, rules } = await proposalFor([event('1', 'waf', action, OLD, '/search')]);
  expect(proposal.changes).toMatchObject([
    { kind: 'enable', ruleId: NEW, action: expected, evidence: { ruleId: OLD, requests: 1 } },
  ]);
  expect(managedOf(rules).action_parameters.overrides.rules).toEqual([
    { id: NEW, action: expected, enabled: true },
  ]);
  // what an enabled successor will catch is not known, and not promised
  expect(proposal.promise.noLongerBlocked).toEqual({ before: 1, after: 1 });
});

test('the override that was there is changed, and the others stay', async () => {
  const other = { id: 'b'.repeat(32), action: 'log' };
  const { rules } = await proposalFor(
    [event('1', 'waf', 'block', OLD, '/')],
    deploying({ rules: [other, { id: NEW, enabled: false, sensitivity_level: 'low' }] }),
  );
  expect(managedOf(rules).action_parameters.overrides.rules).toEqual([
    other,
    { id: NEW, enabled: true, sensitivity_level: 'low', action: 'block' },
  ]);
});

test('a successor that acts elsewhere is on: it is mended, and what it missed gets a rule of its own', async () => {
  const { proposal, rules } = await proposalFor(
    [{ ...event('1', 'waf', 'block', OLD, '/'), ClientRequestQuery: '?x=1' }, ...elsewhere],
    deploying({ rules: [{ id: NEW, action: 'block', enabled: true }] }),
  );
  expect(proposal.changes.map(({ kind, why }: any) => [kind, why])).toEqual([
    ['log', 'the old WAF let these requests through'],
    [
      'custom',
      `its successor ${NEW} is on and let these through: these requests alone are stopped`,
    ],
  ]);
  expect(managedOf(rules).action_parameters.overrides.rules).toEqual([
    { id: NEW, action: 'log', enabled: true },
  ]);
  expect(proposal.promise).toMatchObject({
    newlyBlocked: { before: 4, after: 0 },
    noLongerBlocked: { before: 1, after: 0 },
  });
});

test.each([
  ['enable', { action: 'block', enabled: true }],
  ['log', { action: 'log' }],
])('an override that the configuration has is not proposed again: %s', async (kind, own) => {
  const events =
    kind === 'enable'
      ? [event('1', 'waf', 'block', OLD, '/')]
      : elsewhere.map((one) => ({ ...one, Action: 'managed_challenge_bypassed' }));
  const { proposal, rules } = await proposalFor(
    events,
    deploying({ rules: [{ id: NEW, ...own }] }),
  );
  expect(proposal.changes).toEqual([]);
  expect(proposal.notProposed).toEqual([
    {
      ruleId: kind === 'enable' ? OLD : NEW,
      requests: events.length,
      why: `the configuration overrides ${NEW} so already: review events of a validation with it`,
    },
  ]);
  expect(managedOf(rules).action_parameters.overrides.rules).toEqual([{ id: NEW, ...own }]);
});

test('of two actions that one successor would take over the stricter one wins, and it is said', async () => {
  const { proposal } = await proposalFor([
    event('1', 'waf', 'challenge', OLD, '/'),
    event('2', 'waf', 'challenge', OLD, '/'),
    event('3', 'waf', 'block', OLD, '/'),
  ]);
  expect(proposal.changes).toMatchObject([{ kind: 'enable', action: 'block' }]);
  expect(proposal.notProposed).toEqual([
    {
      ruleId: OLD,
      requests: 2,
      why: `the change for ${OLD} holds for these requests as well; the stricter action wins: block`,
    },
  ]);
});

test('a successor that blocks is not weakened for an old rule that challenged', async () => {
  const own = { id: NEW, action: 'block', enabled: true };
  const { proposal, rules } = await proposalFor(
    [event('1', 'waf', 'challenge', OLD, '/')],
    deploying({ rules: [own] }),
  );
  expect(proposal.changes).toEqual([]);
  expect(managedOf(rules).action_parameters.overrides.rules).toEqual([own]);
});
