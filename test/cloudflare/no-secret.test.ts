import { inspect } from 'node:util';
import fc from 'fast-check';
import { anyCharacter } from '../support/any-character';
import { type Client, createClient, type RequestEvent } from '../../src/cloudflare/client';
import { MigrationError } from '../../src/core/migration-error';
import { ZONE } from '../support/client-under-test';
import { type FaultServer, type Play, startFaultServer } from '../support/fault-server';

const credentials = {
  token: 'tok_4f1d0c9b8a7e6d5c4b3a29181706f5e4d3c2',
  email: 'keeper@example.test',
  key: '1234567893feefc5f0q5000bfo0c38d90bbeb',
};
const secrets = Object.values(credentials);

/** Everything of an error that can be printed, whichever way. */
function everythingOf(error: unknown): string {
  return inspect(error, {
    depth: 10,
    showHidden: true,
    maxStringLength: null,
    maxArrayLength: null,
  });
}

function expectNoSecret(text: string): void {
  for (const secret of secrets) expect(text).not.toContain(secret);
}

describe('for any response', () => {
  let server: FaultServer;
  let client: Client;
  let play: Play;
  const events: RequestEvent[] = [];

  beforeAll(async () => {
    server = await startFaultServer((response, request) => {
      play(response, request);
    });
    client = createClient({
      baseUrl: server.baseUrl,
      credentials,
      onRequest: (event) => events.push(event),
      sleep: () => Promise.resolve(),
      timeouts: { total: 10_000 },
    });
  });
  afterAll(async () => {
    await client.close();
    await server.close();
  });

  // An echo of a secret, alone or inside other text, is the response of a debugging proxy.
  const secret = fc.constantFrom(...secrets, `Bearer ${credentials.token}`);
  const word = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 40 }),
    secret,
    fc.tuple(fc.string({ maxLength: 400 }), secret, fc.string()).map((parts) => parts.join('')),
  );
  const entry = fc.oneof(
    fc.record(
      {
        code: fc.oneof(fc.integer(), fc.constantFrom(10000, 10003, 7003, 10100), word),
        message: word,
        source: fc.record({ pointer: word }),
        error_chain: fc.array(fc.record({ code: fc.nat(), message: word }), { maxLength: 3 }),
      },
      { requiredKeys: [] },
    ),
    word,
    fc.jsonValue(),
  );
  const envelope = fc
    .record(
      {
        success: fc.oneof({ weight: 9, arbitrary: fc.boolean() }, word),
        errors: fc.oneof(fc.array(entry, { maxLength: 5 }), fc.jsonValue(), word),
        messages: fc.jsonValue(),
        result: fc.oneof(fc.jsonValue(), word, fc.record({ description: word })),
        result_info: fc.oneof(fc.jsonValue(), fc.record({ page: fc.jsonValue() })),
      },
      { requiredKeys: ['success'] },
    )
    .map((value) => Buffer.from(JSON.stringify(value)));
  const bytes = fc.oneof(
    { weight: 6, arbitrary: envelope },
    fc.tuple(envelope, fc.nat(200)).map(([whole, end]) => whole.subarray(0, end)),
    word.map((text) => Buffer.from(text)),
    fc.json().map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
  );
  const header = word.map((text) => text.replace(/[^\x20-\x7e]/g, '').trim());
  const headers = fc.record(
    {
      'content-type': header,
      'cf-ray': fc.oneof(header, fc.constant('8c1f2e3d4c5b6a79-FRA')),
      'retry-after': fc.oneof(header, fc.nat(400).map(String)),
      location: fc.oneof(
        header,
        secret.map((text) => `https://${encodeURI(text)}.test/`),
      ),
    },
    { requiredKeys: [] },
  );
  const status = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(200, 200, 301, 400, 401, 403, 404, 404, 429, 500) },
    fc.integer({ min: 200, max: 599 }),
  );
  const ending = fc.constantFrom('whole', 'whole', 'whole', 'whole', 'whole', 'cut', 'raw');

  test('a request returns an envelope or throws a MigrationError, without secrets', async () => {
    const seen = { envelopes: 0, codes: new Set<string>() };
    const law = fc.asyncProperty(
      fc.constantFrom('GET' as const, 'PUT' as const),
      status,
      headers,
      bytes,
      ending,
      async (method, code, head, content, end) => {
        play = (response, request) => {
          if (end === 'raw') {
            const echo = JSON.stringify(request.headers);
            request.socket.end(Buffer.concat([content, Buffer.from(echo)]));
            return;
          }
          response.writeHead(code, head);
          if (end === 'whole') response.end(content);
          else response.write(content, () => request.socket.destroy());
        };
        try {
          const answer = await client.request(method, `/zones/${ZONE}`);
          seen.envelopes += 1;
          expect(JSON.parse(answer.text)).toMatchObject({ success: true });
          // an e-mail address can be part of the data
          const shown = everythingOf(answer).replaceAll(credentials.email, '');
          expectNoSecret(shown);
        } catch (error) {
          if (!(error instanceof MigrationError)) throw error;
          seen.codes.add(error.code);
          expect(error.code).toMatch(/^API_/);
          expect(error.message).toMatch(/^(GET|PUT) \/zones\/[0-9a-f]{32}: \P{Cc}+$/u);
          expectNoSecret(everythingOf(error));
        }
      },
    );
    await fc.assert(law, { numRuns: 1000 });
    expectNoSecret(everythingOf(events));
    expect(events.length).toBeGreaterThan(1000);
    // The law says nothing when the random answers are all of one kind.
    expect(seen.envelopes).toBeGreaterThan(10);
    expect([...seen.codes].sort()).toEqual(
      expect.arrayContaining([
        'API_NOT_FOUND',
        'API_RATE_LIMITED',
        'API_REFUSED',
        'API_RESPONSE_INVALID',
        'API_UNAUTHORIZED',
        'API_UNAVAILABLE',
        'API_UNREACHABLE',
      ]),
    );
  });
});
