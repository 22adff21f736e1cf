import { filters, firewallRules } from '../../src/cloudflare/firewall';
import { failureOf } from '../support/client-under-test';
import { all, overEmulator, seen } from '../support/over-emulator';

const ZONE = 'e0000000000000000000000000000001';
const FILTER = 'e0f1000000000000000000000000000a';
const RULE = 'e0f2000000000000000000000000000a';

test('a filter is created, read, changed and deleted', async () => {
  await overEmulator({ scenario: 'enterprise' }, async (client) => {
    const made = await filters.create(client, ZONE, {
      expression: 'ip.src eq 192.0.2.1',
      description: 'one address',
      ref: 'office',
    });
    expect(made).toMatchObject({ expression: 'ip.src eq 192.0.2.1', paused: false, ref: 'office' });
    const read = await filters.read(client, ZONE, made.id);
    expect(read).toEqual(made);
    await filters.update(client, ZONE, { ...read, paused: true });
    expect(await filters.read(client, ZONE, read.id)).toEqual({ ...read, paused: true });
    await filters.delete(client, ZONE, read.id);
    await filters.delete(client, ZONE, read.id); // one that is not there counts as deleted
    expect((await all(filters.list(client, ZONE))).map(({ id }) => id)).not.toContain(read.id);
  });
});

test('a rule refers to its filter, and two rules may share it', async () => {
  await overEmulator({ scenario: 'enterprise' }, async (client) => {
    const rule = await firewallRules.create(client, ZONE, {
      ...{ filter: { id: FILTER }, action: 'log', priority: 3, description: 'second' },
    });
    expect(rule).toMatchObject({ action: 'log', priority: 3, filter: { id: FILTER } });
    const read = await firewallRules.read(client, ZONE, rule.id);
    expect(read).toEqual(rule);
    const changed = await firewallRules.update(client, ZONE, { ...read, action: 'block' });
    expect(changed).toEqual({ ...read, action: 'block' });
    await firewallRules.delete(client, ZONE, read.id);
    const left = await all(firewallRules.list(client, ZONE));
    expect(left.map(({ id }) => id)).not.toContain(read.id);
    expect(left.map(({ id }) => id)).toContain(RULE);
  });
});

test('the products of a bypass rule are kept by a change of something else', async () => {
  await overEmulator({ scenario: 'enterprise' }, async (client) => {
    const bypass = (await all(firewallRules.list(client, ZONE))).find(
      ({ action }) => action === 'bypass',
    );
    if (bypass === undefined) throw new Error('the scenario has no bypass rule');
    await firewallRules.update(client, ZONE, { ...bypass, paused: true });
    expect(await firewallRules.read(client, ZONE, bypass.id)).toEqual({ ...bypass, paused: true });
  });
});

test('lists come in pages of 100 and hold everything once', async () => {
  const id = (kind: string, index: number) => kind + index.toString(16).padStart(31, '0');
  const many = Array.from({ length: 230 }, (_, index) => ({
    id: id('f', index),
    expression: `ip.src eq 10.0.${index >> 8}.${index & 255}`,
  }));
  const zone = { id: ZONE, name: 'a.example', plan: 'enterprise', filters: many };
  await overEmulator({ scenario: { name: 'many', zones: [zone] } }, async (client, emulator) => {
    expect((await all(filters.list(client, ZONE))).map((one) => one.id)).toEqual(
      many.map((one) => one.id),
    );
    expect(emulator.requests()).toHaveLength(3);
    emulator.clearRequests();
    expect(await all(filters.list(client, ZONE, { expression: '10.0.0.42' }))).toHaveLength(1);
    expect(seen(emulator)).toEqual([
      `GET /zones/${ZONE}/filters?per_page=100&expression=10.0.0.42`,
    ]);
  });
});

test('what is refused says where, by code and pointer', async () => {
  await overEmulator({ scenario: 'enterprise' }, async (client) => {
    const bad = await failureOf(filters.create(client, ZONE, { expression: 'ip.src eq' }));
    expect(bad).toMatchObject({ code: 'API_REFUSED' });
    expect(bad.message).toContain('/0/expression');
    const rule = { filter: { id: FILTER }, action: 'explode' };
    expect((await failureOf(firewallRules.create(client, ZONE, rule))).message).toContain(
      '/0/action',
    );
    expect((await failureOf(filters.read(client, ZONE, 'f'.repeat(32)))).code).toBe(
      'API_NOT_FOUND',
    );
  });
});

test('an id that is none never gets into a path', async () => {
  await overEmulator({ scenario: 'enterprise' }, async (client, emulator) => {
    for (const id of ['', '../../zones', `${FILTER}?x`, FILTER.toUpperCase()]) {
      expect((await failureOf(filters.delete(client, ZONE, id))).code).toBe('ID_INVALID');
      expect((await failureOf(firewallRules.delete(client, ZONE, id))).code).toBe('ID_INVALID');
    }
    expect(emulator.requests()).toEqual([]);
  });
});

test('[S24] a field that is not known here survives a change', async () => {
  await overEmulator({ scenario: 'enterprise' }, async (client) => {
    const sent: unknown[] = [];
    const spied = {
      ...client,
      request: async (...args: Parameters<typeof client.request>) => {
        if (args[0] === 'PUT') sent.push(args[2]?.body);
        const envelope = await client.request(...args);
        const result = { ...(envelope.result as object), tier: 'gold' };
        return { ...envelope, result };
      },
    };
    const filter = await filters.read(spied, ZONE, FILTER);
    await failureOf(filters.update(spied, ZONE, { ...filter, paused: true }));
    expect(sent).toEqual([expect.objectContaining({ tier: 'gold', paused: true })]);
  });
});
