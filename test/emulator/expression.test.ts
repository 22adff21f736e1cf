import { emulate, ENTERPRISE } from './support/with-emulator';

const validate = async (expression: string): Promise<{ status: number; messages: string }> => {
  const [call] = await emulate({});
  const { status, body } = await call('POST', `/zones/${ENTERPRISE}/filters`, [{ expression }]);
  return { status, messages: body.errors.map(({ message }: any) => message).join('\n') };
};

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
  ])('accepts %s', async (expression) => {
    expect(await validate(expression)).toEqual({ status: 200, messages: '' });
  });

  it.each([
    ['http.host eq', '(1:13): expected a value'],
    ['(true', '(1:6): expected )'],
    ['true)', '(1:5): unrecognised input'],
    ['http.host\neq "a', '(2:4): missing ending quote'],
    ['ip.src in {}', '(1:12): expected a value'],
    ['http.host eq "a" or', '(1:20): expected a value'],
    ["http.host eq 'a'", '(1:14): unrecognised input'],
    ['', '(1:1): '],
    [`x in {${'1..'.repeat(100_000)}`, '(1:11): expected a value'],
  ])('names the wrong position in %.40s', async (expression, message) => {
    const { status, messages } = await validate(expression);
    expect(status).toBe(400);
    expect(messages).toContain(`Filter parsing error ${message}`);
  });
});
