import {
  bypass,
  bypassing,
  configOf,
  ENTERPRISE,
  entryPoint,
  execute,
  MIGRATED,
  migrate,
  OLD_OWASP,
  pathsOf,
  statusOf,
  emulate,
  emulateZone,
} from './support/with-emulator';

// test/service covers what the specification describes; this file what it leaves open

const zone = `/zones/${ENTERPRISE}`;
const offInPhaseOne = {
  settings: { packages: { [OLD_OWASP]: { sensitivity: 'off', action_mode: 'block' } } },
};

describe('eligibility', () => {
  it('phase one can finish', async () => {
    const [call] = await emulateZone({ oldWaf: offInPhaseOne, plan: 'pro' });
    const { body } = await call('GET', `${zone}/waf_migration/config`);
    await call('PUT', `${entryPoint(ENTERPRISE)}?waf_migration=pending`, body.result);
    expect((await statusOf(call)).migration_state).toBe('complete');
  });

  it('a limit in bytes refuses the migration too', async () => {
    const one = bypass(1, `http.host eq "${'é'.repeat((4098 - 16) / 2)}"`);
    const [call] = await emulateZone(bypassing(one));
    const body = { name: 'x', rules: [execute()] };
    const put = await call.refused('PUT', pathsOf(ENTERPRISE).move('pending'), body);
    expect(put.status).toBe(400);
    expect(put.body.errors[0].message).toContain('contact support');
  });

  it('a migrated zone has no configuration', async () => {
    const [call] = await emulate({});
    const path = `/zones/${MIGRATED}/waf_migration`;
    const { body } = await call('GET', `${path}/check?phase_two=1`);
    expect(body.result.migration_state).toBe('complete');
    expect((await call('GET', `${path}/config?phase_two=1`)).status).toBe(400);
  });
});

describe('the switch', () => {
  it('can wait for a number of status reads, with both WAFs on', async () => {
    const [call] = await emulateZone({}, { switchDelay: { statusReads: 2 } });
    expect(await statusOf(call)).toMatchObject({ source: 'defaults' });
    await migrate(call, 'pending', await configOf(call));
    const seen = [await statusOf(call), await statusOf(call), await statusOf(call)];
    const on = { new_waf_status: 'enabled', source: 'zone' };
    const pending = { migration_state: 'pending', old_waf_status: 'enabled', ...on };
    const complete = { migration_state: 'complete', old_waf_status: 'disabled', ...on };
    expect(seen).toMatchObject([pending, complete, complete]);
  });

  it('does not restart when the configuration is sent again, and cannot be reversed', async () => {
    const [call] = await emulateZone({}, { switchDelay: { statusReads: 2 } });
    const packages = async () => (await call('GET', `${zone}/firewall/waf/packages`)).status;
    const config = await configOf(call);
    await migrate(call, 'pending', config);
    await statusOf(call);
    expect((await migrate(call, 'pending', config)).body.result.version).toBe('2');
    expect((await migrate(call, 'validation', config)).status).toBe(400);
    expect(await packages()).toBe(200);
    expect((await statusOf(call)).migration_state).toBe('complete');
    expect(await packages()).toBe(403);
  });

  it('does not wait for the new WAF if the legacy one is off', async () => {
    const [call] = await emulateZone({ oldWaf: { enabled: false } });
    await migrate(call, 'pending', await configOf(call));
    expect(await statusOf(call)).toMatchObject({
      ...{ migration_state: 'complete', old_waf_status: 'disabled', new_waf_status: 'disabled' },
    });
  });
});
