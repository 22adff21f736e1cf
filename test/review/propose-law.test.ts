import fc from 'fast-check';
import { renderProposal } from '../../src/review/make-review';
import { AS_LOGGED, knowledgeOf } from '../../src/review/managed-rules';
import { normaliseRuleset } from '../../src/ruleset/normalise-ruleset';
import { parseRuleset } from '../../src/ruleset/parse-ruleset';
import { type Ruleset } from '../../src/core/ruleset';
import { buildReview } from '../../src/review/build-review';
import { propose } from '../../src/review/propose/proposal';
import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';
import { event } from './support/event-files';
import { deploying } from './support/proposal-for';
import { type RawEvent } from './support/reference';
import { EngineUnderTest } from './support/with-engine';

let duckdb: EngineUnderTest;
beforeAll(async () => {
  duckdb = await EngineUnderTest.open();
});
afterAll(() => {
  duckdb.close();
});

const catalogue = builtInCatalogue();

/** Two old rules with a successor, two without, and the successors. */
const old = ['100008D', '100532', '100004', '100020'];
const fresh = ['ac4e9ebfb43a4f3998f6072d2ebc44ad', '0242110ae62e44028a13bf4834780914'];
const parsed = (document: unknown): Ruleset => parseRuleset(document).ruleset;
const configs = (enabled: fc.Arbitrary<boolean>) => {
  const managed = fc.record(
    { action: fc.constantFrom('block', 'managed_challenge', 'log'), enabled },
    { requiredKeys: [] },
  );
  return fc
    .tuple(managed, managed)
    .map((own) => parsed(deploying({ rules: own.map((one, at) => ({ id: fresh[at], ...one })) })));
};

/** A rule of either WAF in one of a few requests, of which many are alike. */
const act = fc
  .tuple(
    fc.nat(9),
    fc.oneof(
      fc.tuple(fc.constant('waf'), fc.constantFrom(...old)),
      fc.tuple(fc.constant('firewallmanaged'), fc.constantFrom(...fresh)),
    ),
    fc.constantFrom('block', 'challenge', 'log', 'simulate', 'managed_challenge_bypassed'),
  )
  .map(([ray, [source, rule], action]): RawEvent => ({
    ...event(`${ray}`, source, action, rule, `/${ray % 5}`),
    ClientRequestQuery: ['', '?', '?q=1'][ray % 3],
  }));

const acts = fc.array(act, { maxLength: 24 });

/** One round: what is proposed for a configuration, and the configuration as the next command reads it. */
async function round(events: readonly RawEvent[], ruleset: Ruleset) {
  const { intended = AS_LOGGED, nameOf } = knowledgeOf(catalogue, ruleset);
  const rows = await duckdb.compare(events, intended);
  const review = { ...buildReview(rows, nameOf), findings: [] };
  const made = propose(review, ruleset, { catalogue, zoneRules: [] });
  const next = parsed(JSON.parse(renderProposal(made.ruleset, made.proposal)));
  return { changes: made.proposal.changes, next };
}

test('the next command takes what is proposed, round after round', async () => {
  await fc.assert(
    fc.asyncProperty(acts, configs(fc.boolean()), async (events, before) => {
      const first = await round(events, before);
      expect(first.changes.length === 0).toBe(isSame(first.next, before));
      normaliseRuleset(first.next);
      normaliseRuleset((await round(events, first.next)).next);
    }),
    { numRuns: 40 },
  );
});

test('the same events add nothing to what was proposed for them', async () => {
  const on = configs(fc.constant(true));
  await fc.assert(
    fc.asyncProperty(acts, on, async (events, before) => {
      const { changes, next } = await round(events, before);
      // where both agreed nobody looked: a successor that logged there is seen once it is to block
      const enabled = new Set(
        changes.flatMap(({ kind, evidence }) => (kind === 'enable' ? [evidence.ruleId] : [])),
      );
      const again = (await round(events, next)).changes;
      expect(again.filter(({ evidence }) => !enabled.has(evidence.ruleId))).toEqual([]);
    }),
    { numRuns: 30 },
  );
});

const isSame = (one: Ruleset, other: Ruleset): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
