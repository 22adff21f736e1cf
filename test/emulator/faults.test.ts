import { type Emulator } from '../../src/emulator/emulator';
import { ENTERPRISE, emulate } from './support/with-emulator';

const filters = `/zones/${ENTERPRISE}/filters`;
const check = `/zones/${ENTERPRISE}/waf_migration/check?phase_two=1`;
const filter = { expression: 'http.host eq "new.example.com"' };

describe('a fault', () => {
  it.each<[Parameters<Emulator['setFaults']>[0][number], number, object[]]>([
    [{ kind: 'status', status: 502, code: 7, message: 'no' }, 502, [{ code: 7, message: 'no' }]],
    [{ kind: 'status' }, 503, [{ message: 'injected fault' }]],
    [{ kind: 'status', status: 200 }, 200, [{ message: 'injected fault' }]],
    [{ kind: 'status', html: true }, 503, []],
    [{ kind: 'status', html: true, status: 200 }, 200, []],
  ])('%j, once', async (fault, status, errors) => {
    const [call, { setFaults }] = await emulate({});
    setFaults([{ ...fault, times: 1 }]);
    const { body, headers, text, ...answer } = await call('GET', check);
    expect(answer.status).toBe(status);
    expect(headers.get('cf-ray')).toMatch(/-FRA$/);
    if (errors.length === 0) expect(text).toMatch(/^<!DOCTYPE html>/);
    else expect(body).toEqual({ success: false, errors, messages: [], result: null });
    expect((await call('GET', check)).body.success).toBe(true);
  });

  it('status 429 can have Retry-After', async () => {
    const [call, { setFaults }] = await emulate({});
    setFaults([{ kind: 'status', status: 429, retryAfter: 3 }]);
    const { status, headers } = await call('GET', check);
    expect([status, headers.get('retry-after')]).toEqual([429, '3']);
  });

  it.each(['status', 'drop'] as const)('%s before or after the write', async (kind) => {
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
  });

  it('slow: waits, then answers', async () => {
    const [call, { setFaults }] = await emulate({});
    setFaults([{ kind: 'slow', milliseconds: 300 }]);
    const start = performance.now();
    expect((await call('GET', check)).status).toBe(200);
    expect(performance.now() - start).toBeGreaterThan(290);
  });

  it('drop: no answer, and status 0 in the log', async () => {
    const [call, { setFaults, requests }] = await emulate({});
    setFaults([{ kind: 'drop', times: 1 }]);
    await expect(call('GET', check)).rejects.toThrow('fetch failed');
    expect(requests()).toMatchObject([{ method: 'GET', status: 0 }]);
    expect((await call('GET', check)).status).toBe(200);
  });

  it('truncate: a body that is not JSON', async () => {
    const [call, { setFaults }] = await emulate({});
    setFaults([{ kind: 'truncate' }]);
    await expect(call('GET', check)).rejects.toThrow(SyntaxError);
  });

  it('truncate: nothing of an answer without a body', async () => {
    const [call, { setFaults, requests, zones }] = await emulate({ scenario: 'migrated' });
    const rulesets = `/zones/${zones[0]?.id}/rulesets`;
    const entryPoint = `${rulesets}/phases/http_request_firewall_managed/entrypoint`;
    const { id } = (await call('GET', entryPoint)).body.result;
    setFaults([{ kind: 'truncate' }]);
    const { status, headers } = await call('DELETE', `${rulesets}/${id}`);
    expect([status, headers.get('cf-ray')]).toEqual([204, requests().at(-1)?.ray]);
  });

  it('small-pages: for its path, and together with other faults', async () => {
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

  it('can be part of a scenario', async () => {
    const faults = [{ kind: 'status', status: 500, after: 2, times: 2 }];
    const [call] = await emulate({ scenario: { name: 'x', include: ['pro'], faults } });
    const seen: number[] = [];
    for (let count = 0; count < 5; count += 1) seen.push((await call('GET', '/zones')).status);
    expect(seen).toEqual([200, 200, 500, 500, 200]);
  });

  it('is refused if it is malformed', async () => {
    const [, { setFaults }] = await emulate({});
    expect(() => {
      setFaults([{ kind: 'slow', milliseconds: -1 }]);
    }).toThrow();
  });
});
