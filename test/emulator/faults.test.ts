import fc from 'fast-check';
import { type Emulator } from '../../src/emulator/emulator';
import { createFaultPlan, faultSchema, throughFaults } from '../../src/emulator/faults';
import { ENTERPRISE, emulate } from './support/with-emulator';

const filters = `/zones/${ENTERPRISE}/filters`;
const check = `/zones/${ENTERPRISE}/waf_migration/check?phase_two=1`;
const filter = { expression: 'http.host eq "new.example.com"' };

describe('a fault', () => {
  it('rate-limit: 429 with Retry-After and rate-limit headers, then all is well', async () => {
    const [call, { setFaults }] = await emulate({});
    setFaults([{ kind: 'rate-limit', retryAfter: 3, times: 1 }]);
    const { status, headers, body } = await call('GET', check);
    expect(status).toBe(429);
    expect(Object.fromEntries(headers)).toMatchObject({
      'retry-after': '3',
      ratelimit: '"default";r=0;t=3',
      'ratelimit-policy': '"default";q=1200;w=300',
      'cf-ray': expect.any(String) as string,
    });
    expect(body).toMatchObject({ success: false, errors: [{ code: 10100 }] });
    const next = await call('GET', check);
    expect([next.status, next.headers.get('retry-after')]).toEqual([200, null]);
  });

  it.each<[Parameters<Emulator['setFaults']>[0][number], number, string, object]>([
    [
      { kind: 'status', status: 502, code: 7, message: 'no' },
      502,
      'json',
      [{ code: 7, message: 'no' }],
    ],
    [{ kind: 'status' }, 503, 'json', [{ message: 'injected fault' }]],
    [{ kind: 'unsuccessful' }, 200, 'json', [{ message: 'injected fault' }]],
    [{ kind: 'html' }, 502, 'html', []],
    [{ kind: 'html', status: 200 }, 200, 'html', []],
  ])('%j', async (fault, status, type, errors) => {
    const [call, { setFaults }] = await emulate({});
    setFaults([fault]);
    const { body, headers, ...answer } = await call('GET', check);
    expect([answer.status, headers.get('content-type')]).toEqual([
      status,
      expect.stringContaining(type),
    ]);
    if (type === 'json')
      expect(body).toEqual({ success: false, errors, messages: [], result: null });
  });

  it.each(['status', 'drop', 'html', 'unsuccessful'] as const)(
    '%s: before the write it does not happen, after it it does',
    async (kind) => {
      const [call, { setFaults }] = await emulate({});
      const count = async (): Promise<number> => (await call('GET', filters)).body.result.length;
      const before = await count();
      for (const [when, added] of [
        ['before', 0],
        ['after', 1],
      ] as const) {
        setFaults([{ kind, method: 'POST', when }]);
        await call('POST', filters, [filter]).catch(() => undefined);
        expect(await count()).toBe(before + added);
      }
    },
  );

  it('slow: waits, then answers, and keeps no process alive meanwhile', async () => {
    const [call, { setFaults }] = await emulate({});
    setFaults([{ kind: 'slow', milliseconds: 300 }]);
    const start = performance.now();
    expect((await call('GET', check)).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(290);
    const waiting = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = waiting();
    const slow = faultSchema.parse({ kind: 'slow', milliseconds: 5 });
    const outcome = throughFaults([slow], () => Promise.resolve(new Response('late')), undefined);
    expect(waiting()).toBe(before);
    expect(await (await outcome).response.text()).toBe('late');
  });

  it('drop: no answer, and status 0 in the log', async () => {
    const [call, { setFaults, requests }] = await emulate({});
    setFaults([{ kind: 'drop', times: 1 }]);
    await expect(call('GET', check)).rejects.toThrow('fetch failed');
    expect(requests()).toMatchObject([{ method: 'GET', status: 0 }]);
    expect((await call('GET', check)).status).toBe(200);
  });

  it('truncate: a body that is no JSON, or an answer that ends too early', async () => {
    const [call, { setFaults, requests }] = await emulate({});
    setFaults([{ kind: 'truncate' }]);
    const found: unknown = await call('GET', check).catch((error: unknown) => error);
    expect(found).toBeInstanceOf(SyntaxError);
    setFaults([{ kind: 'truncate', connection: true }]);
    await expect(call('GET', check)).rejects.toThrow('terminated');
    expect(requests()).toHaveLength(2);
  });

  it('small-pages: of the route that it is for, and together with others', async () => {
    const [call, { setFaults }] = await emulate({});
    setFaults([{ kind: 'small-pages', size: 1, path: '/zones/*/filters' }]);
    const { result, result_info } = (await call('GET', `${filters}?per_page=50`)).body;
    expect(result).toHaveLength(1);
    expect(result_info).toMatchObject({ per_page: 1, count: 1, total_pages: 2 });
    const second = (await call('GET', `${filters}?per_page=50&page=2`)).body;
    expect(second.result[0].id).not.toBe(result[0].id);
    setFaults([
      { kind: 'small-pages', size: 1, path: '/zones/*/filters' },
      { kind: 'status', method: 'PUT', path: '*' },
    ]);
    expect((await call('GET', filters)).body.result).toHaveLength(1);
    expect((await call('GET', check)).status).toBe(200);
    expect((await call('PUT', filters, [])).status).toBe(503);
  });

  it('comes with a scenario, too', async () => {
    const faults = [{ kind: 'status', status: 500, after: 1, times: 1 }];
    const [call] = await emulate({ scenario: { name: 'x', include: ['pro'], faults } });
    const seen: number[] = [];
    for (let count = 0; count < 3; count += 1) seen.push((await call('GET', '/zones')).status);
    expect(seen).toEqual([200, 500, 200]);
  });

  it('is refused where it is malformed', async () => {
    const [, { setFaults }] = await emulate({});
    expect(() => {
      setFaults([{ kind: 'slow', milliseconds: -1 }]);
    }).toThrow();
  });

  it('meets exactly the requests after `after`, `times` of them', () => {
    fc.assert(
      fc.property(fc.nat(5), fc.integer({ min: 1, max: 5 }), (after, times) => {
        const plan = createFaultPlan([faultSchema.parse({ kind: 'drop', after, times })]);
        const met = Array.from({ length: 12 }, () => plan.meet('GET', '/x').length);
        expect(met.indexOf(1)).toBe(after);
        expect(met.filter((count) => count === 1)).toHaveLength(times);
        expect(met.lastIndexOf(1)).toBe(after + times - 1);
      }),
    );
  });
});

describe('the rate limit', () => {
  it('refuses everything once it is reached, until its time is over', async () => {
    let now = 0;
    const scenario = {
      name: 'limited',
      include: ['pro'],
      settings: { rateLimit: { requests: 3, seconds: 10 } },
    };
    const [call] = await emulate({ scenario, clock: () => new Date(now) });
    const first = await call('GET', '/zones');
    expect(first.headers.get('ratelimit')).toBe('"default";r=2;t=10');
    await call('GET', '/nothing');
    await call('GET', '/zones');
    now = 4_000;
    const refused = await call('GET', '/zones');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '6']);
    expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=3;w=10');
    expect(refused.body.errors[0].message).toMatch(/^More than 3 requests per 10 seconds /);
    now = 10_000;
    expect((await call('GET', '/zones')).status).toBe(200);
  });
});
