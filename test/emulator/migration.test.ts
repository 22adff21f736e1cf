import {
  ENTERPRISE,
  entryPoint,
  MIGRATED,
  NOT_ELIGIBLE,
  PRO,
  withEmulator,
} from './support/with-emulator';
import { type TestClient } from './support/client';

const statusOf = async (call: TestClient, zone: string) =>
  (await call('GET', `/zones/${zone}/waf_migration/status`)).body.result;
const configOf = async (call: TestClient, zone: string) =>
  (await call('GET', `/zones/${zone}/waf_migration/config?phase_two=1`)).body.result;

describe('the recommended order of a migration', () => {
  it('takes an Enterprise zone from start over validation mode to the end', async () => {
    await withEmulator({}, async (call) => {
      const check = await call('GET', `/zones/${ENTERPRISE}/waf_migration/check?phase_two=1`);
      expect(check.body.result).toEqual({ compatible: true, migration_state: 'start' });
      expect(await statusOf(call, ENTERPRISE)).toMatchObject({
        old_waf_status: 'enabled',
        new_waf_status: 'disabled',
        source: 'defaults',
      });

      const config = await configOf(call, ENTERPRISE);
      const path = `${entryPoint(ENTERPRISE)}?phase_two=1&waf_migration=`;
      const validating = await call('PUT', `${path}validation`, config);
      expect(validating.status).toBe(200);
      expect(await statusOf(call, ENTERPRISE)).toMatchObject({
        migration_state: 'validation',
        old_waf_status: 'enabled',
        new_waf_status: 'enabled',
        source: 'zone',
      });

      const finishing = await call('PUT', `${path}pending`, config);
      expect(finishing.status).toBe(200);
      expect(finishing.body.result.id).toBe(validating.body.result.id);
      expect(await statusOf(call, ENTERPRISE)).toMatchObject({
        migration_state: 'complete',
        old_waf_status: 'disabled',
        new_waf_status: 'enabled',
      });
    });
  });

  it.each([
    ['1', 'complete'],
    ['2', 'validation'],
  ])('knows waf_migration=%s as another word for its mode', async (mode, state) => {
    await withEmulator({}, async (call) => {
      const config = await configOf(call, ENTERPRISE);
      await call('PUT', `${entryPoint(ENTERPRISE)}?phase_two=1&waf_migration=${mode}`, config);
      expect((await statusOf(call, ENTERPRISE)).migration_state).toBe(state);
    });
  });

  it('lets validation mode be entered again with another configuration', async () => {
    await withEmulator({}, async (call) => {
      const config = await configOf(call, ENTERPRISE);
      const path = `${entryPoint(ENTERPRISE)}?phase_two=1&waf_migration=validation`;
      await call('PUT', path, config);
      const again = await call('PUT', path, { ...config, rules: config.rules.slice(1) });
      expect(again.body.result).toMatchObject({ version: '2' });
      expect(again.body.result.rules).toHaveLength(config.rules.length - 1);
      expect((await statusOf(call, ENTERPRISE)).migration_state).toBe('validation');
    });
  });

  it('moves a Pro zone when the new version is enabled, not when it is only saved', async () => {
    await withEmulator({}, async (call) => {
      const config = await configOf(call, PRO);
      const off = config.rules.map((rule: object) => ({ ...rule, enabled: false }));
      const path = `${entryPoint(PRO)}?phase_two=1&waf_migration=pending`;
      expect((await call('PUT', path, { ...config, rules: off })).status).toBe(200);
      expect(await statusOf(call, PRO)).toMatchObject({
        migration_state: 'pending',
        old_waf_status: 'enabled',
      });
      await call('PUT', entryPoint(PRO), config);
      expect(await statusOf(call, PRO)).toMatchObject({
        migration_state: 'complete',
        old_waf_status: 'disabled',
        new_waf_status: 'enabled',
      });
    });
  });
});

describe('a move that is refused changes nothing', () => {
  it.each([
    ['validation mode of a Pro zone', PRO, 'phase_two=1&waf_migration=validation'],
    ['an unknown mode', ENTERPRISE, 'phase_two=1&waf_migration=done'],
    [
      'the move of a zone with URI-based overrides',
      NOT_ELIGIBLE,
      'phase_two=1&waf_migration=pending',
    ],
    ['another move of a migrated zone', MIGRATED, 'phase_two=1&waf_migration=pending'],
    ['validation mode of a migrated zone', MIGRATED, 'phase_two=1&waf_migration=validation'],
    ['the phase-one move of a zone with OWASP on', ENTERPRISE, 'waf_migration=pending'],
    ['enabled rules before the migration', PRO, ''],
  ])('%s', async (_what, zone, query) => {
    await withEmulator({}, async (call) => {
      const before = [
        await statusOf(call, zone),
        (await call('GET', entryPoint(zone))).body,
        (await call('GET', `/zones/${zone}/rulesets`)).body,
      ];
      const rules = [
        {
          action: 'execute',
          expression: 'true',
          action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee' },
        },
      ];
      const answer = await call('PUT', `${entryPoint(zone)}?${query}`, { name: 'x', rules });
      expect(answer.status).toBe(400);
      expect(answer.body.success).toBe(false);
      expect([
        await statusOf(call, zone),
        (await call('GET', entryPoint(zone))).body,
        (await call('GET', `/zones/${zone}/rulesets`)).body,
      ]).toEqual(before);
    });
  });
});

describe('check', () => {
  it('is not compatible while there is a URI-based override', async () => {
    await withEmulator({}, async (call) => {
      const { body } = await call('GET', `/zones/${NOT_ELIGIBLE}/waf_migration/check?phase_two=1`);
      expect(body.result).toEqual({ compatible: false, migration_state: 'start' });
    });
  });

  it('is stricter in phase one', async () => {
    await withEmulator({}, async (call) => {
      const { body } = await call('GET', `/zones/${ENTERPRISE}/waf_migration/check`);
      expect(body.result.compatible).toBe(false);
    });
  });

  it('knows a migrated zone', async () => {
    await withEmulator({}, async (call) => {
      const { body } = await call('GET', `/zones/${MIGRATED}/waf_migration/check?phase_two=1`);
      expect(body.result.migration_state).toBe('complete');
      const config = await call('GET', `/zones/${MIGRATED}/waf_migration/config?phase_two=1`);
      expect(config.status).toBe(400);
    });
  });
});
