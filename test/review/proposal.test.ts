import { SCORING_RULE } from '../../src/core/ruleset';
import { managedOf, OWASP } from '../support/zones';
import { event } from './support/event-files';
import { type RawEvent } from './support/reference';
import { deploying, proposalFor } from './support/review-of';

/** A legacy rule of which the catalogue knows the successor, that successor, and one without. */
const LEGACY = '100008D';
const NEW = 'ac4e9ebfb43a4f3998f6072d2ebc44ad';
const UNKNOWN = '100004';
const OTHER = '0242110ae62e44028a13bf4834780914';

const blocked = event('1', 'waf', 'block', LEGACY, '/');
const challenged = event('1', 'waf', 'challenge', LEGACY, '/');
/** Requests to more paths than an exception names, which the successor alone acts on. */
const elsewhere = [1, 2, 3, 4].map((path) =>
  event(`n${path}`, 'firewallmanaged', 'log', NEW, `/${path}`),
);
const overrides = (rules: any): object[] => managedOf(rules).action_parameters.overrides.rules;
const why =
  'the configuration already has this change: start validation with it, then review new events';

describe('a legacy rule with a known successor', () => {
  test.each([
    ['block', 'block'],
    ['challenge', 'managed_challenge'],
  ])('that stopped with %s: the successor is enabled', async (action, expected) => {
    const { proposal, rules } = await proposalFor([event('1', 'waf', action, LEGACY, '/search')]);
    expect(proposal.changes).toMatchObject([
      { kind: 'enable', ruleId: NEW, action: expected, evidence: { ruleId: LEGACY, requests: 1 } },
    ]);
    expect(overrides(rules)).toEqual([{ id: NEW, action: expected, enabled: true }]);
  });

  test('changes the present override, and keeps the others', async () => {
    const other = { id: 'b'.repeat(32), action: 'log' };
    const present = { id: NEW, enabled: false, sensitivity_level: 'low' };
    const { rules } = await proposalFor([blocked], deploying({ rules: [other, present] }));
    expect(overrides(rules)).toEqual([other, { ...present, enabled: true, action: 'block' }]);
  });

  test('that acts elsewhere: the successor logs, and nothing is proposed for what it missed', async () => {
    const { proposal, rules } = await proposalFor(
      [blocked, ...elsewhere],
      deploying({ rules: [{ id: NEW, action: 'block', enabled: true }] }),
    );
    expect(proposal.changes).toMatchObject([
      { kind: 'log', why: 'the legacy WAF allowed these requests' },
    ]);
    expect(proposal.notProposed).toEqual([
      {
        ...{ ruleId: LEGACY, requests: 1 },
        why: `its successor ${NEW} is on and allowed these requests: write a custom rule for them`,
      },
    ]);
    expect(overrides(rules)).toEqual([{ id: NEW, action: 'log', enabled: true }]);
    expect(proposal.promise.newlyBlocked).toEqual({ before: 4, after: 0 });
  });

  test('that acts where the legacy rule does: nothing is proposed for what it missed', async () => {
    const both = event('2', 'firewallmanaged', 'log', NEW, '/');
    const { proposal } = await proposalFor([blocked, both, { ...blocked, RayID: '2' }]);
    expect(proposal.changes).toEqual([]);
    expect(proposal.notProposed).toMatchObject([
      { why: expect.stringContaining(`its successor ${NEW} is on and allowed these requests`) },
    ]);
  });

  test('that blocked and challenged: the stricter action wins', async () => {
    const { proposal } = await proposalFor([
      challenged,
      { ...challenged, RayID: '2' },
      { ...blocked, RayID: '3' },
    ]);
    expect(proposal.changes).toMatchObject([{ kind: 'enable', action: 'block' }]);
    expect(proposal.notProposed).toEqual([
      { ruleId: LEGACY, requests: 2, why: `the change for ${LEGACY} covers these requests too` },
    ]);
  });

  const bypassed = elsewhere.map((one) => ({ ...one, Action: 'managed_challenge_bypassed' }));
  const blocks = { action: 'block', enabled: true };
  test.each<[string, RawEvent[], object, object]>([
    ['enables', [blocked], blocks, { ruleId: LEGACY, requests: 1, why }],
    ['lets log', bypassed, { action: 'log' }, { ruleId: NEW, requests: 4, why }],
    // a successor that blocks is not weakened for a rule that challenged
    ['enables more strictly', [challenged], blocks, { ruleId: LEGACY, requests: 1, why }],
  ])('that the configuration %s already: nothing is proposed', async (_, events, own, left) => {
    const config = deploying({ rules: [{ id: NEW, ...own }] });
    const { proposal, rules } = await proposalFor(events, config);
    expect(proposal.changes).toEqual([]);
    expect(proposal.notProposed).toEqual([left]);
    expect(overrides(rules)).toEqual([{ id: NEW, ...own }]);
  });
});

test.each([
  ['with no known successor', UNKNOWN, /^no new rule is known to replace it: write a custom rule/],
  ['that compares the OWASP score', '981176', /^OWASP counts scores/],
])('a legacy rule %s gets no change', async (_, id, reason) => {
  const { proposal } = await proposalFor([event('1', 'waf', 'block', id, '/')]);
  expect(proposal.changes).toEqual([]);
  expect(proposal.notProposed).toEqual([
    { ruleId: id, requests: 1, why: expect.stringMatching(reason) },
  ]);
});

test('the rule that compares the OWASP score gets no override to log, which would switch OWASP off', async () => {
  const events = elsewhere.map((one) => ({ ...one, RuleID: SCORING_RULE }));
  const { proposal, rules } = await proposalFor(events, deploying({}, OWASP));
  expect(proposal.changes).toEqual([]);
  expect(proposal.notProposed).toEqual([
    {
      ...{ ruleId: SCORING_RULE, requests: 4 },
      why: 'OWASP stops requests only with this rule: raise its score threshold, or lower the paranoia level',
    },
  ]);
  expect(JSON.stringify(rules)).not.toContain('"log"');
  expect(proposal.promise.newlyBlocked).toEqual({ before: 4, after: 4 });
});

test('the promise counts the rules that stay', async () => {
  const rules = [NEW, OTHER].map((id) => ({ id, action: 'block', enabled: true }));
  const other = { ...event('x', 'firewallmanaged', 'log', 'c'.repeat(32), '/') };
  const { proposal } = await proposalFor([...elsewhere, other], deploying({ rules }));
  expect(proposal.notProposed).toMatchObject([
    { why: 'cannot tell which deployed managed ruleset has the rule: pass --zone' },
  ]);
  expect(proposal.promise).toEqual({ newlyBlocked: { before: 5, after: 1 }, requests: 5 });
});

describe('a new rule that stops requests to few paths', () => {
  const logged = event('1', 'firewallmanaged', 'log', OTHER, '/');

  test('gets an exception if the legacy WAF only logs them, and the promise counts them', async () => {
    const simulated = { ...event('1', 'waf', 'simulate', UNKNOWN, '/') };
    const { proposal } = await proposalFor([logged, simulated, { ...logged, RayID: '2' }]);
    expect(proposal.changes).toMatchObject([{ kind: 'skip', evidence: { requests: 2 } }]);
    expect(proposal.promise.newlyBlocked).toEqual({ before: 2, after: 0 });
  });

  test('gets an exception, once', async () => {
    const config = await proposalFor([logged]);
    expect(config.proposal.changes).toMatchObject([{ kind: 'skip' }]);
    const again = { name: 'default', rules: config.rules };
    const { proposal, rules } = await proposalFor([logged], again);
    expect(proposal).toMatchObject({ changes: [], notProposed: [{ ruleId: OTHER, why }] });
    expect(rules).toEqual(config.rules);
  });

  test('gets an exception that says what else it lets through, and a later review names it', async () => {
    const attack = { ...event('2', 'waf', 'block', UNKNOWN, '/') };
    const both = [attack, { ...logged, RayID: '2' }];
    const { proposal, rules } = await proposalFor([logged, ...both]);
    expect(proposal.changes).toMatchObject([
      {
        kind: 'skip',
        why: expect.stringMatching(
          /^the legacy WAF .*; requests that both WAFs stop can pass too$/,
        ),
      },
    ]);
    const ref = String(rules.find(({ action }: any) => action === 'skip')?.ref);
    const later = await proposalFor([attack], { name: 'default', rules });
    expect(later.proposal.notProposed).toMatchObject([
      {
        ruleId: UNKNOWN,
        why: expect.stringContaining(
          `. An exception of an earlier proposal can also let them through: check ${ref}`,
        ),
      },
    ]);
  });

  test('with two actions gets one exception', async () => {
    const bypassed = { ...logged, RayID: '2', Action: 'managed_challenge_bypassed' };
    const config = deploying({ rules: [{ id: OTHER, action: 'block' }] });
    const { proposal } = await proposalFor([bypassed, logged], config);
    expect(proposal.changes).toMatchObject([{ kind: 'skip', ruleId: OTHER }]);
    expect(proposal.notProposed).toMatchObject([
      { ruleId: OTHER, why: `the change for ${OTHER} covers these requests too` },
    ]);
    expect(proposal.promise.newlyBlocked).toEqual({ before: 2, after: 0 });
  });
});
