import { startEmulator } from '../../src/emulator/emulator';
import { loadScenario, scenarioNames } from '../../src/emulator/scenario';
import oldWaf from '../../src/emulator/scenarios/old-waf.json';
import { entryPoint, emulate } from './support/with-emulator';

describe('scenarios', () => {
  it.each(scenarioNames)('%s starts, and each of its zones answers', async (scenario) => {
    const [call, { zones }] = await emulate({ scenario });
    expect(zones.length).toBeGreaterThan(0);
    for (const { id } of zones) {
      expect((await call('GET', `/zones/${id}/waf_migration/status`)).status).toBe(200);
      expect((await call('GET', `/zones/${id}/rulesets`)).status).toBe(200);
    }
  });

  it('demo, the default, has one zone of each kind', async () => {
    const [, { zones }] = await emulate({});
    const names = zones.map(({ name, plan }) => `${name} ${plan}`);
    expect(names).toEqual([
      'shop.example.com enterprise',
      'blog.example.com pro',
      'legacy.example.com business',
      'docs.example.com business',
    ]);
  });

  it('are not changed by requests', async () => {
    const before = structuredClone(oldWaf);
    const [call, { zones }] = await emulate({ scenario: oldWaf });
    const { result } = (await call('GET', entryPoint(zones[1]!.id))).body;
    await call('DELETE', `/zones/${zones[1]!.id}/rulesets/${result.id}`);
    expect(oldWaf).toEqual(before);
    expect(loadScenario('old-waf').zones).toHaveLength(5);
  });

  it.each([
    ['an unknown name', 'nowhere'],
    ['an unknown field', { name: 'x', zone: [] }],
    ['a zone without an id', { name: 'x', zones: [{ name: 'a', plan: 'pro' }] }],
    ['an unknown plan', { name: 'x', zones: [{ id: '1'.repeat(32), name: 'a', plan: 'free' }] }],
    ['an unknown way to be gone', { name: 'x', settings: { gone: 'away' } }],
  ])('are refused for %s', async (_what, scenario) => {
    await expect(startEmulator({ scenario })).rejects.toThrow();
  });
});

describe('the emulator', () => {
  it('returns the same identifiers for the same calls', async () => {
    const run = async (): Promise<string[]> => {
      const seen: string[] = [];
      const [call, { zones }] = await emulate({ clock: () => new Date(0) });
      const [zone] = zones;
      const path = `/zones/${zone!.id}/waf_migration/config?phase_two=1`;
      const { result } = (await call('GET', path)).body;
      const query = 'waf_migration=1&phase_two=1';
      const answer = await call('PUT', `${entryPoint(zone!.id)}?${query}`, result);
      seen.push(answer.text, String(answer.headers.get('cf-ray')));
      return seen;
    };
    expect(await run()).toEqual(await run());
  });

  it('listens only on the loopback interface, on a free port', async () => {
    const [, one] = await emulate({});
    expect(one.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/client\/v4$/);
    await expect(startEmulator({ port: Number(new URL(one.baseUrl).port) })).rejects.toThrow(
      'EADDRINUSE',
    );
  });

  it('is unreachable after it stops', async () => {
    const emulator = await startEmulator();
    await emulator.stop();
    await expect(fetch(emulator.baseUrl)).rejects.toThrow();
  });
});
