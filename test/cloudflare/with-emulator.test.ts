import { type Client } from '../../src/cloudflare/client';
import {
  listRulesets,
  putEntryPoint,
  readEntryPoint,
  readRuleset,
} from '../../src/cloudflare/rulesets';
import {
  readCompatibility,
  readMigrationConfig,
  readMigrationStatus,
} from '../../src/cloudflare/waf-migration';
import { listZones, readZone } from '../../src/cloudflare/zones';
import { type Emulator, startEmulator } from '../../src/emulator/emulator';
import { clientUnderTest, failureOf } from '../support/client-under-test';

let emulator: Emulator;
let client: Client;

beforeEach(async () => {
  emulator = await startEmulator({ scenario: 'demo' });
  ({ client } = clientUnderTest(emulator.baseUrl, { credentials: emulator.credentials }));
});
afterEach(async () => {
  await client.close();
  await emulator.stop();
});

function zoneWith(plan: string): string {
  const found = emulator.zones.find((zone) => zone.plan === plan);
  if (found === undefined) throw new Error(`the scenario has no ${plan} zone`);
  return found.id;
}

test('zones are listed over pages, and each is read alone', async () => {
  const listed = [];
  for await (const zone of listZones(client, { perPage: 5 })) listed.push(zone);
  const accountId: unknown = expect.stringMatching(/^[0-9a-f]{32}$/);
  expect(listed).toEqual(emulator.zones.map((zone) => ({ ...zone, accountId })));
  for (const zone of listed) expect(await readZone(client, zone.id)).toEqual(zone);
});

test('an Enterprise zone goes the recommended way', async () => {
  const zone = zoneWith('enterprise');
  expect(await readCompatibility(client, zone)).toEqual({
    compatible: true,
    migrationState: 'start',
  });
  expect(await readMigrationStatus(client, zone)).toMatchObject({ oldWaf: 'on', newWaf: 'off' });
  expect(await readEntryPoint(client, zone)).toBeUndefined();

  const { result: config } = await readMigrationConfig(client, zone);
  if (typeof config !== 'object' || config === null) throw new Error('the configuration is empty');
  await putEntryPoint(client, zone, config, { migration: 'validation' });
  expect(await readMigrationStatus(client, zone)).toMatchObject({
    oldWaf: 'on',
    newWaf: 'on',
    migrationState: 'validation',
  });

  await putEntryPoint(client, zone, config, { migration: 'pending' });
  expect(await readMigrationStatus(client, zone)).toMatchObject({ oldWaf: 'off', newWaf: 'on' });
  const entryPoint = await readEntryPoint(client, zone);
  expect(entryPoint).toMatchObject({ kind: 'zone', phase: 'http_request_firewall_managed' });

  const rulesets = [];
  for await (const ruleset of listRulesets(client, zone)) rulesets.push(ruleset);
  expect(rulesets).toContainEqual(
    expect.objectContaining({ id: entryPoint?.['id'], kind: 'zone' }),
  );
  const managed = rulesets.find(({ kind }) => kind === 'managed');
  expect(await readRuleset(client, zone, managed?.id ?? '')).toMatchObject({ id: managed?.id });

  const error = await failureOf(readMigrationConfig(client, zone));
  expect(error.code).toBe('API_REFUSED');
});

test('either scheme is taken, and a wrong one is API_UNAUTHORIZED', async () => {
  const zone = zoneWith('pro');
  const { token, email, key } = emulator.credentials;
  for (const credentials of [{ token }, { email, key }]) {
    const other = clientUnderTest(emulator.baseUrl, { credentials });
    expect(await readZone(other.client, zone)).toMatchObject({ id: zone, plan: 'pro' });
    await other.client.close();
  }
  for (const credentials of [{ token: 'wrong' }, { email, key: 'wrong' }]) {
    const other = clientUnderTest(emulator.baseUrl, { credentials });
    expect((await failureOf(readZone(other.client, zone))).code).toBe('API_UNAUTHORIZED');
    await other.client.close();
  }
});

test('an unknown zone is refused as if it were not ours, an unknown path is API_NOT_FOUND', async () => {
  const stranger = 'f'.repeat(32);
  const error = await failureOf(readZone(client, stranger));
  expect(error.code).toBe('API_UNAUTHORIZED');
  expect(error.message).toMatch(
    new RegExp(`^zone ${stranger}: .+ \\(\\d+\\), HTTP 403, ray [0-9a-f]{16}`),
  );
  expect((await failureOf(client.request('GET', '/nowhere'))).code).toBe('API_NOT_FOUND');
});

test('each request is told once, as the emulator saw it', async () => {
  const told = clientUnderTest(emulator.baseUrl, { credentials: emulator.credentials });
  emulator.clearRequests();
  await readCompatibility(told.client, zoneWith('pro'));
  const [seen] = emulator.requests();
  expect(told.events).toEqual([
    {
      method: 'GET',
      path: `/zones/${zoneWith('pro')}/waf_migration/check?phase_two=1`,
      status: 200,
      rayId: expect.stringMatching(/^[0-9a-f]{16}/) as string,
      attempt: 1,
      milliseconds: expect.any(Number) as number,
    },
  ]);
  expect(seen).toMatchObject({ method: 'GET', status: 200 });
  await told.client.close();
});
