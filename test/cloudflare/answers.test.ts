import { ServiceError } from '../../src/cloudflare/failures';
import { failureOf, ZONE } from '../support/client-under-test';
import { body, html, json, ok, type Play, refusal, serve } from '../support/fault-server';

const about = `zone ${ZONE}`;
const read = async (...plays: Play[]) => {
  const { client } = await serve(plays);
  return failureOf(client.request('GET', `/zones/${ZONE}`, { about }));
};

describe('an answer without an envelope', () => {
  const answers: Record<string, Play> = {
    html: html(200),
    'html with 404': html(404),
    'html with 403': html(403),
    'truncated JSON': body('{"success":true,"errors":[],"result":{"id":'),
    'no body': body(''),
    'no success': json({ errors: [], messages: [], result: {} }),
    'success that is a word': json({ success: 'true', result: {} }),
    'a list': json([1, 2]),
    'a number': json(7),
    'bytes that are no UTF-8': body(Buffer.from('{"success":true,"result":"\xff"}', 'latin1')),
    'a compressed answer': body(Buffer.from([0x1f, 0x8b, 8, 0])),
    'success with a status of failure': json({ success: true, result: {} }, { status: 418 }),
    '204 to a GET': (response) => response.writeHead(204).end(),
  };
  test.each(Object.entries(answers))('%s is API_RESPONSE_INVALID', async (_, play) => {
    const error = await read(play);
    expect(error.code).toBe('API_RESPONSE_INVALID');
    expect(error.message).toMatch(new RegExp(`^${about}: `));
  });

  test('is shown with its type and its beginning', async () => {
    const error = await read(html(200, { 'cf-ray': '8c1f2e3d4c5b6a79-FRA' }));
    expect(error.message).toBe(
      `${about}: the answer is not an API response (text/html; charset=UTF-8), it begins ` +
        '<!DOCTYPE html> <html><title>Bad gateway</title></html>, HTTP 200, ray 8c1f2e3d4c5b6a79-FRA',
    );
    expect(error.hint).toContain('--base-url');
  });

  test('is called empty where it is', async () => {
    const error = await read((response) => response.writeHead(401).end());
    expect(error.message).toContain(
      'the answer is not an API response (no content type), it is empty',
    );
  });
});

describe('an envelope with errors', () => {
  test.each([
    [403, 10000, 'API_UNAUTHORIZED'],
    [403, 9109, 'API_UNAUTHORIZED'],
    [400, 6003, 'API_UNAUTHORIZED'],
    [401, 1, 'API_UNAUTHORIZED'],
    [403, 20018, 'API_REFUSED'],
    [404, 10003, 'API_NOT_FOUND'],
    [400, 7003, 'API_NOT_FOUND'],
    [400, 20127, 'API_REFUSED'],
    [405, 1, 'API_REFUSED'],
    [200, 10000, 'API_UNAUTHORIZED'],
    [200, 10100, 'API_RATE_LIMITED'],
    [200, 4711, 'API_REFUSED'],
  ])('HTTP %d with %d is %s', async (status, code, ours) => {
    const error = await read(refusal(status, [{ code, message: 'No.' }]));
    expect(error.code).toBe(ours);
    expect(error.message).toBe(`${about}: No (${code}), HTTP ${status}`);
  });

  test('[S136] keeps codes, pointers, chains and the Ray ID as data', async () => {
    const errors = [
      {
        code: 6003,
        message: 'Invalid request headers',
        error_chain: [{ code: 6111, message: 'Invalid format for Authorization header' }],
      },
      { message: 'expression is not valid', source: { pointer: '/rules/0/expression' } },
    ];
    const error = await read(refusal(400, errors, { 'cf-ray': '8c1f2e3d4c5b6a79-FRA' }));
    expect(error.message).toBe(
      `${about}: Invalid request headers (6003); Invalid format for Authorization header (6111); ` +
        'expression is not valid at /rules/0/expression, HTTP 400, ray 8c1f2e3d4c5b6a79-FRA',
    );
    expect(error.cause).toBeInstanceOf(ServiceError);
    expect(error.cause).toMatchObject({
      status: 400,
      errors: [
        { code: 6003, message: 'Invalid request headers' },
        { code: 6111, message: 'Invalid format for Authorization header' },
        { message: 'expression is not valid', pointer: '/rules/0/expression' },
      ],
    });
  });

  test('[S135] without a number is unauthorized when it is a 403', async () => {
    const error = await read(refusal(403, [{ message: 'request is not authorized' }]));
    expect(error.code).toBe('API_UNAUTHORIZED');
    expect(error.message).toBe(`${about}: request is not authorized, HTTP 403`);
  });

  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a word', 'no'],
    ['an empty list', []],
    ['a list of odd things', [null, 3, {}, { code: {}, message: 7 }, []]],
  ])('with %s for errors is still a refusal', async (_, errors) => {
    const error = await read(refusal(400, errors));
    expect(error.code).toBe('API_REFUSED');
    expect(error.message).toBe(`${about}: the API gives no reason, HTTP 400`);
  });

  test('is escaped and cut for a terminal', async () => {
    const errors = Array.from({ length: 200 }, () => ({
      code: 1,
      message: `\u001b[2J\u202egnp.exe\r\n${'x'.repeat(10_000)}`,
      source: { pointer: '/\u0007' },
    }));
    const error = await read(refusal(400, errors, { 'cf-ray': '8c1f [31m' }));
    const seen = [error.message, String(error.cause), JSON.stringify(error.cause)].join('\n');
    // eslint-disable-next-line no-control-regex -- that is what must not be there
    expect(seen).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(error.message.length).toBeLessThan(1500);
    expect(error.message).toMatch(/; and 197 more, HTTP 400$/);
  });
});

test.each(['tok-as-a-host', 'dG9rLWFzLWEtaG9zdA', '8c1f2e3d4c5b6a79-fra'])(
  'shows no Ray ID in another form, such as %s',
  async (ray) => {
    const error = await read(refusal(400, [], { 'cf-ray': ray }));
    expect(error.message).toBe(`${about}: the API gives no reason, HTTP 400`);
  },
);

test('does not follow a redirect', async () => {
  const { server: elsewhere } = await serve([ok({})]);
  const location = `${elsewhere.baseUrl}/zones`;
  for (const status of [301, 302, 303, 307, 308]) {
    const error = await read((response) => response.writeHead(status, { location }).end());
    expect(error.code).toBe('API_RESPONSE_INVALID');
    expect(error.message).toBe(
      `${about}: the answer is a redirect, which is not followed, HTTP ${status}`,
    );
  }
  expect(elsewhere.requests).toEqual([]);
});
