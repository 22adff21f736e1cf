import { ServiceError } from '../../src/cloudflare/failures';
import { failureOf, ZONE } from '../support/client-under-test';
import {
  cutChunked,
  cutShort,
  dropped,
  html,
  json,
  ok,
  type Play,
  refusal,
  serve,
} from '../support/fault-server';

const path = `/zones/${ZONE}`;
const busy = refusal(500, [{ code: 1, message: 'internal error' }]);
const limited = (retryAfter?: string) =>
  refusal(
    429,
    [{ code: 10100, message: 'More than 1200 requests per 300 seconds reached' }],
    retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  );

test('retries a read three times, with longer delays', async () => {
  const { client, naps, events } = await serve([busy, html(502), busy, ok({ id: 1 })]);
  await expect(client.request('GET', path)).resolves.toMatchObject({ result: { id: 1 } });
  expect(naps).toEqual([500, 1000, 2000]);
  expect(events.map(({ status, retryInMilliseconds }) => [status, retryInMilliseconds])).toEqual([
    [500, 500],
    [502, 1000],
    [500, 2000],
    [200, undefined],
  ]);
});

test('fails after four attempts of a read', async () => {
  const { client, server } = await serve([busy]);
  const error = await failureOf(client.request('GET', path));
  expect(error.code).toBe('API_UNAVAILABLE');
  expect(error.message).toBe(`GET ${path}: internal error (1), HTTP 500, 4 attempts`);
  expect(server.requests).toHaveLength(4);
});

describe.each(['PUT', 'POST', 'DELETE'] as const)('a %s is sent once', (method) => {
  test.each<[string, Play, string, boolean]>([
    ['500', busy, 'API_UNAVAILABLE', true],
    ['html with 502', html(502), 'API_UNAVAILABLE', true],
    ['429 with a wait of more than five minutes', limited('301'), 'API_RATE_LIMITED', false],
    ['a dropped connection', dropped, 'API_UNREACHABLE', true],
    ['a cut answer', cutShort('{"success":true'), 'API_UNREACHABLE', true],
    ['an answer that is none', html(200), 'API_RESPONSE_INVALID', true],
    ['a refusal', refusal(400, [{ code: 20217, message: 'no' }]), 'API_REFUSED', false],
    ['a refusal with 200', refusal(200, [{ code: 20217, message: 'no' }]), 'API_REFUSED', false],
  ])('also after %s', async (_, play, code, unsure) => {
    const { client, server, naps } = await serve([play]);
    const error = await failureOf(client.request(method, path, { body: { name: 'x' } }));
    expect(error.code).toBe(code);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({ method, body: '{"name":"x"}' });
    expect(naps).toEqual([]);
    expect(error.hint.includes('check whether the API made the change')).toBe(unsure);
  });
});

test.each<[string, Play]>([
  ['before the answer', dropped],
  ['in the middle of the answer', cutShort('{"success":true,"res')],
  ['in the middle of a chunked answer', cutChunked('{"success":true,"res')],
  ['in the middle of an answer that happens to be JSON', cutChunked('{"success":true}')],
])('sends a read again after a connection that broke %s', async (_, play) => {
  const { client, server, naps, events } = await serve([play, ok('whole')]);
  await expect(client.request('GET', path)).resolves.toMatchObject({ result: 'whole' });
  expect(naps).toEqual([500]);
  expect(server.requests.map(({ headers }) => headers.range)).toEqual([undefined, undefined]);
  expect(events[0]?.status).toBeUndefined();
});

test('a connection that breaks each time is API_UNREACHABLE', async () => {
  const { client, server } = await serve([dropped]);
  const error = await failureOf(client.request('GET', path));
  expect(error.code).toBe('API_UNREACHABLE');
  expect(error.message).toMatch(
    /: the connection broke \((UND_ERR_SOCKET|ECONNRESET)\), 4 attempts$/,
  );
  expect(server.requests).toHaveLength(4);
});

describe('after 429', () => {
  test.each([
    ['seconds', '7', 7000],
    ['0', '0', 500],
    ['the whole window of the service', '300', 300_000],
    ['nothing', undefined, 500],
    ['a word', 'soon', 500],
    ['a negative number', '-5', 500],
  ])('follows Retry-After with %s', async (_, retryAfter, nap) => {
    const { client, naps } = await serve([limited(retryAfter), ok(1)]);
    await expect(client.request('GET', path)).resolves.toMatchObject({ result: 1 });
    expect(naps).toEqual([nap]);
  });

  test.each(['PUT', 'POST', 'DELETE'] as const)('sends a %s again, too', async (method) => {
    const { client, server, naps } = await serve([limited('7'), ok(1)]);
    const answer = client.request(method, path, { body: { name: 'x' } });
    await expect(answer).resolves.toMatchObject({ result: 1 });
    expect(naps).toEqual([7000]);
    expect(server.requests.map(({ body }) => body)).toEqual(['{"name":"x"}', '{"name":"x"}']);
  });

  test('sends a write that was limited first only once more, if its outcome is unknown then', async () => {
    const { client, server } = await serve([limited('1'), busy]);
    expect((await failureOf(client.request('PUT', path))).code).toBe('API_UNAVAILABLE');
    expect(server.requests).toHaveLength(2);
  });

  test('reports a wait that is longer than five minutes', async () => {
    const { client, naps, server } = await serve([limited('301'), ok(1)]);
    const error = await failureOf(client.request('GET', path));
    expect(error.code).toBe('API_RATE_LIMITED');
    expect(error.hint).toBe('wait 301 seconds, then run the command again');
    expect(error.cause).toBeInstanceOf(ServiceError);
    expect(naps).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  test('each time, it is API_RATE_LIMITED', async () => {
    const { client, naps } = await serve([limited('2')]);
    expect((await failureOf(client.request('GET', path))).code).toBe('API_RATE_LIMITED');
    expect(naps).toEqual([2000, 2000, 2000]);
  });
});

test.each([
  ['501', json({ success: false, errors: [] }, { status: 501 }), 'API_UNAVAILABLE'],
  ['404', refusal(404, [{ code: 10003, message: 'none' }]), 'API_NOT_FOUND'],
  ['403', refusal(403, [{ code: 10000, message: 'none' }]), 'API_UNAUTHORIZED'],
  ['html', html(200), 'API_RESPONSE_INVALID'],
])('does not retry after %s', async (_, play, code) => {
  const { client, server } = await serve([play, ok(1)]);
  expect((await failureOf(client.request('GET', path))).code).toBe(code);
  expect(server.requests).toHaveLength(1);
});
