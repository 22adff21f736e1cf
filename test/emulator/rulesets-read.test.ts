import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { managedRulesets } from '../../src/emulator/ruleset';
import { ENTERPRISE, entryPoint, MIGRATED, withEmulator } from './support/with-emulator';

const recorded = join(__dirname, '../fixtures/terraform/canonical/api-entrypoint.json');

describe('zones', () => {
  it('are listed with name and plan level, one page at a time', async () => {
    await withEmulator({}, async (call, { zones }) => {
      const { body } = await call('GET', '/zones?per_page=5');
      expect(body.result_info).toEqual({
        page: 1,
        per_page: 5,
        count: 4,
        total_count: 4,
        total_pages: 1,
      });
      const listed = body.result.map((zone: any) => ({
        id: zone.id,
        name: zone.name,
        plan: zone.plan.legacy_id,
      }));
      expect(listed).toEqual(zones);
      expect(zones.map(({ plan }) => plan)).toEqual(['enterprise', 'pro', 'business', 'business']);
    });
  });

  it('are found by name, and by id', async () => {
    await withEmulator({}, async (call) => {
      const { body } = await call('GET', '/zones?name=shop.example.com');
      expect(body.result.map((zone: any) => zone.id)).toEqual([ENTERPRISE]);
      expect((await call('GET', `/zones/${ENTERPRISE}`)).body.result).toEqual(body.result[0]);
    });
  });

  it.each(['per_page=4', 'per_page=51', 'page=0', 'page=-1', 'page=x', 'per_page='])(
    'refuse %s',
    async (query) => {
      await withEmulator({}, async (call) => {
        expect((await call('GET', `/zones?${query}`)).status).toBe(400);
      });
    },
  );
});

describe('reading rulesets', () => {
  it('repeats a recorded entry point byte by byte', async () => {
    await withEmulator({ scenario: 'canonical' }, async (call) => {
      const zone = '0123456789abcdef0123456789abcdef';
      const expected = readFileSync(recorded, 'utf8');
      expect((await call('GET', entryPoint(zone))).text).toBe(expected);
      const byId = await call('GET', `/zones/${zone}/rulesets/${'a'.repeat(32)}`);
      expect(byId.text).toBe(expected);
    });
  });

  it('says 10003 where a zone has no entry point', async () => {
    await withEmulator({}, async (call) => {
      const answer = await call('GET', entryPoint(ENTERPRISE));
      expect(answer.status).toBe(404);
      expect(answer.body.errors).toEqual([
        {
          code: 10003,
          message: 'could not find entrypoint ruleset in the http_request_firewall_managed phase',
        },
      ]);
    });
  });

  it('says "could not find ruleset" for an unknown id', async () => {
    await withEmulator({}, async (call) => {
      const answer = await call('GET', `/zones/${MIGRATED}/rulesets/${'f'.repeat(32)}`);
      expect(answer.status).toBe(404);
      expect(answer.body.errors[0].message).toContain('could not find ruleset');
    });
  });

  it('lists the managed rulesets and the zone’s own, without rules', async () => {
    await withEmulator({}, async (call) => {
      const { body } = await call('GET', `/zones/${MIGRATED}/rulesets`);
      expect(body.result.map((ruleset: any) => ruleset.kind)).toEqual([
        'managed',
        'managed',
        'managed',
        'zone',
      ]);
      expect(body.result.filter((ruleset: any) => 'rules' in ruleset)).toEqual([]);
    });
  });

  it('answers a managed ruleset with its rules', async () => {
    await withEmulator({}, async (call) => {
      const [first] = managedRulesets;
      const { body } = await call('GET', `/zones/${MIGRATED}/rulesets/${first!.id}`);
      expect(body.result).toEqual(first);
      expect(body.result.rules.length).toBeGreaterThan(20);
    });
  });
});
