import { ENTERPRISE, MIGRATED, NOT_ELIGIBLE, oneZone, PRO } from '../support/zones';
import { pathsOf, type TestClient, startService } from '../emulator/support/with-emulator';

const enterprise = pathsOf(ENTERPRISE);
const statusOf = async (client: TestClient, path = enterprise.status) =>
  (await client.get(path)).body.result;
/** A service, and the migration configuration of its first zone. */
async function startWithConfig(scenario: string | object = 'enterprise') {
  const client = await startService(scenario);
  const { result: config } = (await client.get(enterprise.config)).body;
  return { client, config };
}
const on = { old_waf_status: 'enabled', new_waf_status: 'enabled' };
const finished = { old_waf_status: 'disabled', new_waf_status: 'enabled' };
const blank = ({ id, version, ref }: any) => [id, version, ref];
const without = (rule: any, ...fields: string[]) =>
  Object.fromEntries(Object.entries(rule).filter(([field]) => !fields.includes(field)));

test('[S6, S110, S111, S112, S113] check, config, validation, adjust, finish', async () => {
  const client = await startService('enterprise');
  const check = await client.get(enterprise.check);
  expect(check.body.result).toEqual({ compatible: true, migration_state: 'start' });
  const { result: config } = (await client.get(enterprise.config)).body;
  await client.write('PUT', enterprise.move('validation'), config);
  expect(await statusOf(client)).toMatchObject({ ...on, migration_state: 'validation' });
  const adjusted = { ...config, rules: config.rules.map((rule: any) => ({ ...rule })) };
  adjusted.rules.at(-1).action_parameters.overrides = { action: 'log' };
  await client.write('PUT', enterprise.move('validation'), adjusted);
  expect(await statusOf(client)).toMatchObject({ ...on, migration_state: 'validation' });
  await client.write('PUT', enterprise.move('pending'), adjusted);
  expect(await statusOf(client)).toMatchObject(finished);
  const { result } = (await client.get(enterprise.entry)).body;
  expect(result.rules.at(-1).action_parameters.overrides).toEqual({ action: 'log' });
});

test('[S7, S63, S70] the migration cannot be undone by a mode, by deleting, or by switching off', async () => {
  const { client, config } = await startWithConfig();
  const { id } = await client.write('PUT', enterprise.move('pending'), config);
  for (const mode of ['validation', 'pending', '1', '2']) {
    await client.refused('PUT', enterprise.move(mode), config);
  }
  await client.write('PUT', enterprise.entry, { rules: [] });
  expect(await statusOf(client)).toMatchObject({
    old_waf_status: 'disabled',
    migration_state: 'complete',
  });
  await client('DELETE', `/zones/${ENTERPRISE}/rulesets/${id}`);
  expect((await statusOf(client)).old_waf_status).toBe('disabled');
});

test.each([
  ['pending', finished],
  ['1', finished],
  ['validation', on],
  ['2', on],
])('[S60, S99, S100, S101] waf_migration=%s', async (mode, expected) => {
  const { client, config } = await startWithConfig();
  await client.write('PUT', enterprise.move(mode), config);
  expect(await statusOf(client)).toMatchObject(expected);
});

test('[S61, S80, S81] validation mode is for Enterprise zones', async () => {
  for (const [plan, zone] of [['pro'], ['business'], ['enterprise']].map(
    ([name]) => [name, oneZone({ plan: name })] as const,
  )) {
    const { client, config } = await startWithConfig(zone);
    if (plan === 'enterprise') await client.write('PUT', enterprise.move('validation'), config);
    else await client.refused('PUT', enterprise.move('validation'), config);
    const state = plan === 'enterprise' ? 'validation' : 'start';
    expect((await statusOf(client)).migration_state).toBe(state);
  }
});

test('[S62, S67] in validation both are on, and only pending ends it', async () => {
  const { client, config } = await startWithConfig();
  await client.write('PUT', enterprise.move('validation'), config);
  await client.write('PUT', enterprise.entry, config);
  await client.refused('PUT', enterprise.move('start'), config);
  await client.refused('PUT', enterprise.move(''), config);
  expect(await statusOf(client)).toMatchObject({ ...on, migration_state: 'validation' });
  await client.write('PUT', enterprise.move('pending'), config);
  expect(await statusOf(client)).toMatchObject(finished);
});

test('[S64, S65] the legacy WAF stays on until the new one is on', async () => {
  const { client, config } = await startWithConfig();
  const off = config.rules.map((rule: any) => ({ ...rule, enabled: false }));
  await client.write('PUT', enterprise.move('pending'), { ...config, rules: off });
  expect((await statusOf(client)).old_waf_status).toBe('enabled');
  await client.write('PUT', enterprise.entry, config);
  expect(await statusOf(client)).toMatchObject(finished);
});

test('[S66] a Pro zone prepares its entry point with every rule off, and migrates when it is enabled', async () => {
  const { config: path, entry, move, status } = pathsOf(PRO);
  const client = await startService('pro');
  const { result: config } = (await client.get(path)).body;
  await client.refused('PUT', entry, config);
  const off = config.rules.map((rule: any) => ({ ...rule, enabled: false }));
  const prepared = await client.write('PUT', entry, { ...config, rules: off });
  expect(await statusOf(client, status)).toMatchObject({ old_waf_status: 'enabled' });
  const rules = prepared.rules.map((rule: any) => ({ ...rule, enabled: true }));
  const { id } = await client.write('PUT', move('pending'), { name: prepared.name, rules });
  expect(id).toBe(prepared.id);
  expect(await statusOf(client, status)).toMatchObject(finished);
});

test('[S46, S76, S109, S132] URI-based overrides are deleted first, then the zone is eligible', async () => {
  const { check, config, move, overrides } = pathsOf(NOT_ELIGIBLE);
  const client = await startService('not-eligible');
  expect((await client.get(check)).body.result.compatible).toBe(false);
  await client.refused('GET', config);
  const rule = {
    action: 'execute',
    expression: 'true',
    action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee' },
  };
  await client.refused('PUT', move('pending'), { name: 'x', rules: [rule] });
  for (const { id } of (await client.get(overrides)).body.result) {
    expect((await client.get(check)).body.result.compatible).toBe(false);
    await client.write('DELETE', `${overrides}/${id}`);
  }
  expect((await client.get(check)).body.result.compatible).toBe(true);
  await client.write('PUT', move('pending'), (await client.get(config)).body.result);
});

test('[S74, S75] an override from the API blocks a zone, a partner account does not', async () => {
  const account = { id: 'ac'.repeat(16), name: 'A partner', partner: true };
  const client = await startService(oneZone({ account }));
  expect((await client.get(enterprise.check)).body.result.compatible).toBe(true);
  const body = { urls: ['shop.example.com/a'], rules: { '100001': 'block' } };
  await client.write('POST', enterprise.overrides, body);
  expect((await client.get(enterprise.check)).body.result.compatible).toBe(false);
});

test('[S94, S102, S142] without phase_two=1, check, config and the migration follow the earlier procedure', async () => {
  const { client, config } = await startWithConfig();
  const one = (path: string) => path.replace(/[?&]phase_two=1/, '');
  expect((await client.get(one(enterprise.check))).body.result.compatible).toBe(false);
  await client.refused('GET', one(enterprise.config));
  await client.refused('PUT', one(enterprise.move('pending')), config);
  await client.write('PUT', enterprise.move('pending'), config);
});

test('[S32, S33, S37, S103] id, version and ref may be blank or left out', async () => {
  const { client, config } = await startWithConfig();
  for (const rule of config.rules) expect(blank(rule)).toEqual(['', '', '']);
  const bare = config.rules.map((rule: any) => without(rule, 'id', 'version', 'ref'));
  await client.write('PUT', enterprise.move('validation'), { name: 'default', rules: bare });
  const { rules } = await client.write('PUT', enterprise.move('pending'), config);
  for (const rule of rules) {
    expect(rule.id).toMatch(/^[0-9a-f]{32}$/);
    expect(rule.ref).not.toBe('');
  }
});

test('[S71, S115, S143] afterwards the legacy API stops working, and the Rulesets API works', async () => {
  const { packages, overrides, entry } = pathsOf(MIGRATED);
  const client = await startService('migrated');
  for (const path of [packages, overrides]) await client.refused('GET', path);
  await client.refused('POST', overrides, { urls: ['a'], rules: { '100001': 'block' } });
  const { result } = (await client.get(entry)).body;
  await client.write('PUT', entry, { rules: result.rules });
});

test('[S72] each managed ruleset is switched by itself', async () => {
  const { entry, status } = pathsOf(MIGRATED);
  const client = await startService('migrated');
  const { result } = (await client.get(entry)).body;
  let rules = result.rules;
  for (const { id } of result.rules) {
    expect((await statusOf(client, status)).new_waf_status).toBe('enabled');
    rules = rules.map((rule: any) => (rule.id === id ? { ...rule, enabled: false } : rule));
    await client.write('PUT', entry, { rules });
  }
  expect((await statusOf(client, status)).new_waf_status).toBe('disabled');
});
