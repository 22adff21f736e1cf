import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { type ClientOptions } from '../../src/cloudflare/client';
import { clientUnderTest, failureOf, ZONE } from '../support/client-under-test';
import { closeAfterTest } from '../support/close-after-test';
import { flood, json, silent, stalled, trickling, serve } from '../support/fault-server';

const path = `/zones/${ZONE}`;
const MEBIBYTE = 1024 * 1024;

/** A client for a server of bare sockets. */
async function clientOver(sockets: Server, scheme: string, options: Partial<ClientOptions> = {}) {
  sockets.listen(0, '127.0.0.1');
  await once(sockets, 'listening');
  const { port } = sockets.address() as AddressInfo;
  const under = clientUnderTest(`${scheme}://127.0.0.1:${port}`, options);
  closeAfterTest(async () => {
    await under.client.close();
    sockets.close();
  });
  return under;
}

test('an answer over 64 MiB is cut off by what arrives', async () => {
  const sent = { bytes: 0 };
  const { client, server, events } = await serve([flood(512 * MEBIBYTE, sent)]);
  const error = await failureOf(client.request('GET', path));
  expect(error.code).toBe('API_RESPONSE_INVALID');
  expect(sent.bytes).toBeGreaterThan(64 * MEBIBYTE);
  expect(sent.bytes).toBeLessThan(96 * MEBIBYTE);
  expect(server.requests).toHaveLength(1);
  expect(events).toHaveLength(1);
});

test('an answer of 40 MB is read', async () => {
  const result = 'x'.repeat(40_000_000);
  const { client } = await serve([json({ success: true, result })]);
  await expect(client.request('GET', path)).resolves.toMatchObject({ result });
});

describe('a slow API is API_UNREACHABLE, without a retry', () => {
  test.each([
    ['to begin', silent],
    ['in the middle', stalled('{"success":')],
    ['for ever', trickling],
  ])('%s', async (_, play) => {
    const { client, server } = await serve([play], { timeouts: { total: 500 } });
    const error = await failureOf(client.request('GET', path));
    expect(error.code).toBe('API_UNREACHABLE');
    expect(error.message).toMatch(/the API did not answer in time \(TimeoutError\)$/);
    expect(server.requests).toHaveLength(1);
  });

  test('reports a missing response until it arrives', async () => {
    const words: object[] = [];
    const { client } = await serve([silent, json({ success: true })], {
      timeouts: { total: 700, patience: 300 },
      onWaiting: (asked) => words.push(asked),
    });
    await failureOf(client.request('GET', path, { query: { page: 1 } }));
    const told = words.length;
    await client.request('GET', path);
    expect([words[0], words.length]).toEqual([{ method: 'GET', path: `${path}?page=1` }, told]);
  });

  test('to connect: a server that speaks no TLS', async () => {
    const { client } = await clientOver(createServer(), 'https', { timeouts: { connect: 300 } });
    const error = await failureOf(client.request('GET', path));
    expect(error.code).toBe('API_UNREACHABLE');
    expect(error.message).toMatch(/cannot connect \(UND_ERR_CONNECT_TIMEOUT\)$/);
  });
});

describe('an API that cannot be reached is API_UNREACHABLE', () => {
  test('because nothing listens', async () => {
    const sockets = createServer();
    const { client } = await clientOver(sockets, 'http');
    sockets.close();
    const error = await failureOf(client.request('PUT', path, { body: {} }));
    expect(error.code).toBe('API_UNREACHABLE');
    expect(error.message).toBe(`PUT ${path}: cannot connect (ECONNREFUSED)`);
    expect(error.hint).toBe('try again; check --base-url and the network');
  });

  test('because it speaks no TLS', async () => {
    const sockets = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const { client } = await clientOver(sockets, 'https');
    const error = await failureOf(client.request('GET', path));
    expect(error.code).toBe('API_UNREACHABLE');
    expect(error.message).toContain('cannot connect with TLS (ERR_SSL_');
  });
});
