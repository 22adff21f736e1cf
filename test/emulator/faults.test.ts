import { throughFaults } from '../../src/emulator/faults/inject';
import fc from 'fast-check';
import { createFaultPlan, faultSchema } from '../../src/emulator/faults/fault';
import { ENTERPRISE, withEmulator } from './support/with-emulator';

const filters = `/zones/${ENTERPRISE}/filters`;
const check = `/zones/${ENTERPRISE}/waf_migration/check?phase_two=1`;
const filter = { expression: 'http.host eq "new.example.com"' };

describe('a fault', () => {
  it('rate-limit: 429 with Retry-After and rate-limit headers, then all is well', async () => {
    await withEmulator({}, async (call, { setFaults }) => {
      setFaults([{ kind: 'rate-limit', retryAfter: 3, times: 2 }]);
      const answers = [
        await call('GET', check),
        await call('GET', check),
        await call('GET', check),
      ];
      expect(answers.map(({ status }) => status)).toEqual([429, 429, 200]);
      const { headers, body } = answers[0]!;
      expect(headers.get('retry-after')).toBe('3');
      expect(headers.get('ratelimit')).toBe('"default";r=0;t=3');
      expect(headers.get('ratelimit-policy')).toContain('q=1200;w=300');
      expect(body).toMatchObject({ success: false, errors: [{ code: 10100 }] });
      expect(headers.get('cf-ray')).not.toBeNull();
      expect(answers[2]!.headers.get('retry-after')).toBeNull();
    });
  });

  it.each([500, 502, 503, 504])('status: %d with the envelope', async (status) => {
    await withEmulator({}, async (call, { setFaults }) => {
      setFaults([{ kind: 'status', status, code: 7, message: 'no' }]);
      const answer = await call('GET', check);
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({ success: false, errors: [{ code: 7, message: 'no' }] });
    });
  });

  it.each(['status', 'drop', 'html', 'unsuccessful'] as const)(
    '%s: before the write it does not happen, after it it does',
    async (kind) => {
      await withEmulator({}, async (call, { setFaults }) => {
        const count = async (): Promise<number> => (await call('GET', filters)).body.result.length;
        const before = await count();
        setFaults([{ kind, method: 'POST', when: 'before' }]);
        await call('POST', filters, [filter]).catch(() => undefined);
        expect(await count()).toBe(before);
        setFaults([{ kind, method: 'POST', when: 'after' }]);
        await call('POST', filters, [filter]).catch(() => undefined);
        expect(await count()).toBe(before + 1);
      });
    },
  );

  it('slow: waits, then answers', async () => {
    await withEmulator({}, async (call, { setFaults }) => {
      setFaults([{ kind: 'slow', milliseconds: 300 }]);
      const start = performance.now();
      expect((await call('GET', check)).status).toBe(200);
      expect(performance.now() - start).toBeGreaterThan(290);
    });
  });

  it('slow: keeps no process alive while it waits', async () => {
    const waiting = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = waiting();
    const slow = faultSchema.parse({ kind: 'slow', milliseconds: 5 });
    const outcome = throughFaults([slow], () => Promise.resolve(new Response('late')), undefined);
    expect(waiting()).toBe(before);
    expect(await (await outcome).response.text()).toBe('late');
  });

  it('drop: no answer, and status 0 in the log', async () => {
    await withEmulator({}, async (call, { setFaults, requests }) => {
      setFaults([{ kind: 'drop', times: 1 }]);
      await expect(call('GET', check)).rejects.toThrow('fetch failed');
      expect(requests()).toMatchObject([{ method: 'GET', status: 0 }]);
      expect((await call('GET', check)).status).toBe(200);
    });
  });

  it('truncate: a body that is no JSON', async () => {
    await withEmulator({}, async (call, { setFaults }) => {
      const whole = (await call('GET', check)).text;
      setFaults([{ kind: 'truncate', keep: 0.5 }]);
      const found: unknown = await call('GET', check).catch((error: unknown) => error);
      expect(found).toBeInstanceOf(SyntaxError);
      expect(whole.length).toBeGreaterThan(50);
    });
  });

  it('truncate with the connection: the answer ends too early', async () => {
    await withEmulator({}, async (call, { setFaults, requests }) => {
      setFaults([{ kind: 'truncate', connection: true }]);
      await expect(call('GET', check)).rejects.toThrow('terminated');
      expect(requests()).toHaveLength(1);
    });
  });

  it.each([200, 502])('html: a page with status %d', async (status) => {
    await withEmulator({}, async (call, { setFaults }) => {
      setFaults([{ kind: 'html', status }]);
      const answer = await call('GET', check);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        status,
        'text/html; charset=UTF-8',
      ]);
    });
  });

  it('unsuccessful: success is false with status 200', async () => {
    await withEmulator({}, async (call, { setFaults }) => {
      setFaults([{ kind: 'unsuccessful' }]);
      const { status, body } = await call('GET', check);
      expect([status, body.success, body.result]).toEqual([200, false, null]);
    });
  });

  it('no-result-info: a list without it', async () => {
    await withEmulator({}, async (call, { setFaults }) => {
      const whole = (await call('GET', filters)).body;
      setFaults([{ kind: 'no-result-info' }]);
      const { body } = await call('GET', filters);
      expect(body).toEqual({ ...whole, result_info: undefined });
      expect(body).not.toHaveProperty('result_info');
    });
  });

  it('small-pages: no page is longer, whatever is asked for', async () => {
    await withEmulator({}, async (call, { setFaults }) => {
      setFaults([{ kind: 'small-pages', size: 1 }]);
      const { body } = await call('GET', `${filters}?per_page=50`);
      expect(body.result).toHaveLength(1);
      expect(body.result_info).toMatchObject({ per_page: 1, count: 1, total_pages: 2 });
      const second = await call('GET', `${filters}?per_page=50&page=2`);
      expect(second.body.result[0].id).not.toBe(body.result[0].id);
    });
  });

  it('meets only the route that it is for, and faults add up', async () => {
    await withEmulator({}, async (call, { setFaults }) => {
      setFaults([
        { kind: 'small-pages', size: 1, path: '/zones/*/filters' },
        { kind: 'no-result-info', path: '/zones/*/filters' },
        { kind: 'status', method: 'PUT', path: '*' },
      ]);
      const { body } = await call('GET', filters);
      expect([body.result.length, 'result_info' in body]).toEqual([1, false]);
      expect((await call('GET', check)).status).toBe(200);
      expect((await call('PUT', filters, [])).status).toBe(503);
    });
  });

  it('comes with a scenario, too', async () => {
    const faults = [{ kind: 'status', status: 500, after: 1, times: 1 }];
    await withEmulator({ scenario: { name: 'x', include: ['pro'], faults } }, async (call) => {
      const seen: number[] = [];
      for (let count = 0; count < 3; count += 1) seen.push((await call('GET', '/zones')).status);
      expect(seen).toEqual([200, 500, 200]);
    });
  });

  it('is refused where it is malformed', async () => {
    await withEmulator({}, (_call, { setFaults }) => {
      expect(() => {
        setFaults([{ kind: 'slow', milliseconds: -1 }]);
      }).toThrow();
      return Promise.resolve();
    });
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
    await withEmulator({ scenario, clock: () => new Date(now) }, async (call) => {
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

  it('is off unless it is set', async () => {
    await withEmulator({}, async (call) => {
      expect((await call('GET', '/zones')).headers.get('ratelimit')).toBeNull();
    });
  });
});
