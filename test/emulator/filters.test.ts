import { ENTERPRISE, PRO, withEmulator } from './support/with-emulator';
import enterprise from '../../src/emulator/scenarios/enterprise.json';

const filters = `/zones/${PRO}/filters`;
const one = { expression: 'http.host eq "a.example.com"', description: 'a', ref: 'A' };
const two = { expression: 'ip.src in {192.0.2.0/24 2001:db8::/32}', paused: true };

describe('filters', () => {
  it('are created, read, changed and deleted', async () => {
    await withEmulator({}, async (call) => {
      const { result } = (await call('POST', filters, [one, two])).body;
      const [first, second] = result;
      expect(first).toEqual({ id: expect.any(String), paused: false, ...one });
      expect(second).toEqual({ id: expect.any(String), ...two });
      expect((await call('GET', `${filters}/${first.id}`)).body.result).toEqual(first);
      const changed = { ...first, expression: 'true', paused: true };
      await call('PUT', `${filters}/${first.id}`, changed);
      await call('PUT', filters, [{ ...second, paused: false }]);
      expect((await call('GET', filters)).body.result).toEqual([
        changed,
        { ...second, paused: false },
      ]);
      const removed = await call('DELETE', `${filters}?id=${first.id}&id=${second.id}`);
      expect(removed.body.result).toEqual([{ id: first.id }, { id: second.id }]);
      expect((await call('GET', filters)).body.result).toEqual([]);
    });
  });

  it('count as deleted where they are not there', async () => {
    await withEmulator({}, async (call) => {
      const id = 'f'.repeat(32);
      const answer = await call('DELETE', `${filters}/${id}`);
      expect([answer.status, answer.body.result]).toEqual([200, { id }]);
      expect((await call('GET', `${filters}/${id}`)).status).toBe(404);
    });
  });

  it('come 25 to a page, unless 5 to 100 are asked for', async () => {
    const zone = {
      ...enterprise.zones[0]!,
      firewallRules: [],
      filters: Array.from({ length: 60 }, (_, index) => ({
        id: String(index).padStart(32, '0'),
        expression: `http.host eq "${index}.example.com"`,
      })),
    };
    await withEmulator({ scenario: { name: 'many', zones: [zone] } }, async (call) => {
      const path = `/zones/${ENTERPRISE}/filters`;
      const first = (await call('GET', path)).body;
      expect(first.result).toHaveLength(25);
      expect(first.result_info).toEqual({
        page: 1,
        per_page: 25,
        count: 25,
        total_count: 60,
        total_pages: 3,
      });
      expect((await call('GET', `${path}?page=3`)).body.result).toHaveLength(10);
      expect((await call('GET', `${path}?page=4`)).body.result).toEqual([]);
      expect((await call('GET', `${path}?per_page=100`)).body.result).toHaveLength(60);
      expect((await call('GET', `${path}?per_page=4`)).status).toBe(400);
      expect((await call('GET', `${path}?per_page=101`)).status).toBe(400);
      const found = (await call('GET', `${path}?expression=%2217.`)).body.result;
      expect(found).toHaveLength(1);
    });
  });

  it.each([
    ['an expression that does not parse', [one, { expression: 'http.host eq' }], '/1/expression'],
    ['no expression', [{}], '/0/expression'],
    ['an empty expression', [{ expression: '' }], '/0/expression'],
    ['an id', [{ ...one, id: 'f'.repeat(32) }], '/0/id'],
    ['paused as text', [{ ...one, paused: 'no' }], '/0/paused'],
    ['a long description', [{ ...one, description: 'x'.repeat(501) }], '/0/description'],
    ['a long ref', [{ ...one, ref: 'x'.repeat(51) }], '/0/ref'],
    ['no list', one, ''],
    ['an empty list', [], ''],
  ])('are all refused for one with %s', async (_what, body, pointer) => {
    await withEmulator({}, async (call) => {
      const answer = await call('POST', filters, body);
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0].source).toEqual({ pointer });
      expect((await call('GET', filters)).body.result).toEqual([]);
    });
  });

  it('are refused with 10102 where one has the expression already', async () => {
    await withEmulator({}, async (call) => {
      await call('POST', filters, [one]);
      for (const body of [
        [two, { expression: one.expression }],
        [two, two],
      ]) {
        const answer = await call('POST', filters, body);
        expect([answer.status, answer.body.errors[0].code]).toEqual([400, 10102]);
      }
      expect((await call('GET', filters)).body.result).toHaveLength(1);
    });
  });

  it('are not changed into one that another has: 10102 as well', async () => {
    await withEmulator({}, async (call) => {
      const [first, second] = (await call('POST', filters, [one, two])).body.result;
      const { expression } = first;
      for (const [path, body] of [
        [`${filters}/${second.id}`, { ...second, expression }],
        [filters, [{ ...second, expression }]],
      ]) {
        const answer = await call('PUT', path, body);
        expect([answer.status, answer.body.errors[0]?.code]).toEqual([400, 10102]);
      }
      expect((await call('GET', filters)).body.result).toEqual([first, second]);
      const swapped = [
        { ...first, expression: second.expression },
        { ...second, expression },
      ];
      expect((await call('PUT', filters, swapped)).status).toBe(200);
    });
  });

  it('are all left as they were when one of several changes is refused', async () => {
    await withEmulator({}, async (call) => {
      const [filter] = (await call('POST', filters, [one])).body.result;
      const unknown = { ...two, id: 'f'.repeat(32) };
      expect((await call('PUT', filters, [{ ...filter, paused: true }, unknown])).status).toBe(404);
      expect((await call('GET', filters)).body.result).toEqual([filter]);
      expect((await call('PUT', `${filters}/${filter.id}`, unknown)).status).toBe(400);
    });
  });
});

describe('validation of an expression', () => {
  it.each([
    'true',
    '(http.host eq "a" or not http.request.uri.path matches "^/(x|y)\\\\.php$") and ssl',
    'any(http.request.headers["x-a"][*] == "1") && lower(http.user_agent) contains "bot"',
    'ip.src in {192.0.2.0/24 198.51.100.1 2001:db8::/32} xor tcp.dstport in {80 8000..8080}',
    'ip.src in $office and cf.threat_score >= 10 and http.host wildcard r#"*."x""#',
    'starts_with(http.request.uri.path, "/a") and cf.zone.plan eq "ENT"',
    'any(lower(http.request.headers["content-type"][*])[*] contains "json")',
    'ip.src in {::1 ::ffff:0:0/96} and cf.bot_management.score in {-1..3}',
    `${'('.repeat(100)}not ssl${')'.repeat(100)}`,
  ])('accepts %s', async (expression) => {
    await withEmulator({}, async (call) => {
      for (const path of ['/filters/validate-expr', `${filters}/validate-expr`]) {
        expect((await call('POST', path, { expression })).status).toBe(200);
      }
    });
  });

  it.each([
    ['http.host eq', 1, 13, 'expected a value'],
    ['(true', 1, 6, 'expected )'],
    ['true)', 1, 5, 'unrecognised input'],
    ['http.host\neq "a', 2, 4, 'missing ending quote'],
    ['ip.src in {}', 1, 13, 'expected at least one value'],
    ['http.host eq "a" or', 1, 20, 'expected a value'],
    ["http.host eq 'a'", 1, 14, 'unrecognised input'],
    ['', 1, 1, ''],
  ])('says where %j is wrong', async (expression, line, column, message) => {
    await withEmulator({}, async (call) => {
      const { status, body } = await call('POST', '/filters/validate-expr', { expression });
      expect(status).toBe(400);
      const found = body.errors.map((error: any) => error.message).join('\n');
      expect(found).toContain(`(${line}:${column}): ${message}`);
    });
  });

  it.each([
    ['parentheses', '('.repeat(20_000), '(1:201): nested too deeply'],
    ['negations', 'not '.repeat(20_000), '(1:801): nested too deeply'],
    ['indexes', 'a['.repeat(20_000), '(1:401): nested too deeply'],
    ['ranges', `x in {${'1..'.repeat(100_000)}`, '(1:11): expected a value'],
  ])('answers endless %s at once', async (_, expression, message) => {
    await withEmulator({}, async (call) => {
      const { status, body } = await call('POST', '/filters/validate-expr', { expression });
      expect([status, body.errors[0].message]).toEqual([400, `Filter parsing error ${message}`]);
    });
  });
});
