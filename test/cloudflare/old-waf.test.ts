import { wafOverrides } from '../../src/cloudflare/firewall';
import { listWafGroups, listWafPackages, listWafRules } from '../../src/cloudflare/waf-packages';
import { failureOf } from '../support/client-under-test';
import { all, overEmulator } from '../support/over-emulator';

const ZONE = 'e0000000000000000000000000000001';
const BLOCKED = 'c0000000000000000000000000000003';
const OWASP = 'c504870194831cd12c3fc0284f294abb';

test('packages, groups and rules come with their settings', async () => {
  await overEmulator({ scenario: 'enterprise' }, async (client) => {
    const packages = await all(listWafPackages(client, ZONE));
    expect(packages.find(({ id }) => id === OWASP)).toMatchObject({
      detection_mode: 'anomaly',
      sensitivity: 'medium',
      action_mode: 'simulate',
    });
    const groups = await Promise.all(
      packages.map(({ id }) => all(listWafGroups(client, ZONE, id))),
    );
    expect(groups.flat().filter(({ mode }) => mode === 'off')).toHaveLength(2);
    const rules = await Promise.all(packages.map(({ id }) => all(listWafRules(client, ZONE, id))));
    expect(rules.flat().find(({ id }) => id === '100532')).toMatchObject({
      mode: 'simulate',
      allowed_modes: expect.arrayContaining(['default', 'disable']) as unknown,
    });
  });
});

test('an override that was deleted is made again from what was read', async () => {
  await overEmulator({ scenario: 'not-eligible' }, async (client) => {
    const before = await all(wafOverrides.list(client, BLOCKED));
    expect(before).toHaveLength(2);
    for (const { id } of before) await wafOverrides.delete(client, BLOCKED, id);
    expect(await all(wafOverrides.list(client, BLOCKED))).toEqual([]);
    for (const { id, ...fields } of before) {
      expect(id).toMatch(/^c0de/);
      await wafOverrides.create(client, BLOCKED, fields);
    }
    const after = await all(wafOverrides.list(client, BLOCKED));
    expect(after.map(({ id, ...fields }) => [id === '', fields])).toEqual(
      before.map(({ id, ...fields }) => [id === '', fields]),
    );
  });
});

test('an override is changed as a whole', async () => {
  await overEmulator({ scenario: 'not-eligible' }, async (client) => {
    const [override] = await all(wafOverrides.list(client, BLOCKED));
    if (override === undefined) throw new Error('the scenario has no override');
    const changed = { ...override, paused: true, rules: { '100135D': 'block' } };
    await wafOverrides.update(client, BLOCKED, changed);
    expect(await wafOverrides.read(client, BLOCKED, override.id)).toEqual(changed);
    const missing = await failureOf(wafOverrides.read(client, BLOCKED, 'f'.repeat(32)));
    expect(missing.code).toBe('API_NOT_FOUND');
  });
});

test('with both credentials the old interfaces get the key, because they can refuse a token', async () => {
  const scenario = {
    name: 'strict',
    include: ['not-eligible'],
    settings: { oldInterfacesRefuseTokens: true },
  };
  await overEmulator({ scenario }, async (client) => {
    expect(await all(wafOverrides.list(client, BLOCKED))).toHaveLength(2);
    expect((await all(listWafPackages(client, BLOCKED))).length).toBeGreaterThan(1);
  });
});
