import { emulate, ENTERPRISE } from './support/with-emulator';

const validate = async (expression: string): Promise<{ status: number; messages: string[] }> => {
  const [call] = await emulate({});
  const { status, body } = await call('POST', `/zones/${ENTERPRISE}/filters`, [{ expression }]);
  return { status, messages: body.errors.map(({ message }: any) => message) };
};

describe('validation of an expression', () => {
  it.each([
    'true',
    '!ssl',
    'not ssl',
    '(http.host eq "a" or not http.request.uri.path matches "^/(x|y)\\\\.php$") and ssl',
    'any(http.request.headers["x-a"][*] == "1") && lower(http.user_agent) contains "bot ("',
    'ip.src in {192.0.2.0/24 198.51.100.1 2001:db8::/32} xor tcp.dstport in {80 8000..8080}',
    'ip.src in $office and cf.threat_score >= 10 and http.host wildcard r#"*."x""#',
    'any(lower(http.request.headers["content-type"][*])[*] contains "a\\"b")',
  ])('accepts %s', async (expression) => {
    expect(await validate(expression)).toEqual({ status: 200, messages: [] });
  });

  it.each([
    '',
    ' ',
    'http.host eq',
    'http.host >',
    'not',
    'ssl and !',
    'and ssl',
    '== "a"',
    '(true',
    'true)',
    'ip.src in {1',
    'a[(*])',
    'http.host\neq "a',
    'http.host eq "a" or',
  ])('refuses %s', async (expression) => {
    const messages = ['Filter parsing error'];
    expect(await validate(expression)).toEqual({ status: 400, messages });
  });
});
