import fc from 'fast-check';
import { type TestClient } from './support/client';
import { configOf, ID, migrate, oneZone, statusOf } from './support/zone';
import { withEmulator } from './support/with-emulator';

type Step = (call: TestClient) => Promise<unknown>;
const rules = `/zones/${ID}/firewall/rules`;
const filters = `/zones/${ID}/filters`;

/** Calls of a migration, with configurations that are whole, empty, or wholly disabled. */
const steps = fc.record({
  mode: fc.constantFrom('pending', '1', 'validation', '2', 'done'),
  rules: fc.constantFrom('all', 'disabled', 'none'),
});
const runStep =
  ({ mode, rules: which }: { mode: string; rules: string }, config: any): Step =>
  (call) =>
    migrate(call, mode, {
      ...config,
      rules:
        which === 'none'
          ? []
          : config.rules.map((rule: object) => ({ ...rule, enabled: which === 'all' })),
    });

describe('any sequence of migration calls', () => {
  it.each(['pro', 'business', 'enterprise'])(
    'never leaves a %s zone without a WAF, and never goes back',
    async (plan) => {
      await fc.assert(
        fc.asyncProperty(fc.array(steps, { maxLength: 6 }), fc.nat(2), async (all, statusReads) => {
          const scenario = oneZone({ plan }, { switchDelay: { statusReads } });
          await withEmulator({ scenario }, async (call) => {
            const config = await configOf(call);
            let finished = false;
            for (const step of all) {
              await runStep(step, config)(call);
              const status = await statusOf(call);
              expect([status.old_waf_status, status.new_waf_status]).toContain('enabled');
              if (finished) expect(status.migration_state).toBe('complete');
              if (plan !== 'enterprise') expect(status.migration_state).not.toBe('validation');
              finished = status.migration_state === 'complete';
              expect(status.old_waf_status).toBe(finished ? 'disabled' : 'enabled');
            }
          });
        }),
        { numRuns: 15 },
      );
    },
  );
});

describe('any sequence of inline creations', () => {
  it('makes no rule without its filter, and a quota overrun loses nothing', async () => {
    const creation = fc.record({
      hosts: fc.uniqueArray(fc.nat(6), { minLength: 1, maxLength: 3 }),
      valid: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(creation, { maxLength: 6 }), async (creations) => {
        const scenario = oneZone({}, { firewallRuleQuota: 3 });
        await withEmulator({ scenario }, async (call) => {
          let before = { rules: 0, filters: 0 };
          for (const { hosts, valid } of creations) {
            const body = hosts.map((host) => ({
              filter: { expression: `http.host eq "${host}"` },
              action: valid ? 'block' : 'explode',
            }));
            const answer = await call('POST', rules, body);
            const ruleList = (await call('GET', rules)).body.result;
            const filterList = (await call('GET', filters)).body.result;
            for (const rule of ruleList) expect(filterList).toContainEqual(rule.filter);
            const after = { rules: ruleList.length, filters: filterList.length };
            expect(after.rules).toBe(before.rules + (answer.status === 200 ? hosts.length : 0));
            expect(after.rules).toBeLessThanOrEqual(3);
            expect([0, hosts.length]).toContain(after.filters - before.filters);
            if (!valid) expect(after).toEqual(before);
            before = after;
          }
        });
      }),
      { numRuns: 15 },
    );
  });
});
