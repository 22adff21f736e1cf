import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { errorOf } from './support/cli-with-emulator';
import { planDir, tainted, works } from './support/plan-dir';

describe('a Terraform that does not do what it should', () => {
  const secret = 'geheim-0123456789';
  const box = (text: string): string =>
    `printf '\\033[31m╷\\033[0m\\n│ \\033[1mError: \\033[0m${text}\\n│\\n│ More of it.\\n╵\\n' >&2; exit 1`;

  it.each([
    ['fails', box('Backend initialization required'), 'TERRAFORM_FAILED'],
    ['fails without a word', 'exit 3', 'TERRAFORM_FAILED'],
    ['is killed', 'kill -9 $$', 'TERRAFORM_FAILED'],
    ['prints nothing', 'exit 0', 'STATE_INVALID'],
    ['prints garbage', 'echo hello', 'STATE_INVALID'],
    ['prints binary garbage', "printf '\\377\\376\\000x'", 'STATE_INVALID'],
    ['prints half a state', `head -c 500 '${tainted}'`, 'STATE_INVALID'],
    [
      'prints another version',
      `echo '{"version":9,"terraform_version":"9"}'`,
      'STATE_VERSION_UNSUPPORTED',
    ],
  ])('%s: exit 1, code and hint, no plan', async (_, terraform, expected) => {
    const args = ['--dir', 'tf', '--json', '--out', 'plan.json'];
    const ran = await planDir(terraform, { args });
    expect([ran.code, errorOf(ran).code]).toEqual([1, expected]);
    expect(errorOf(ran).hint).not.toBe('');
    expect(existsSync(join(ran.cwd, 'plan.json'))).toBe(false);
  });

  it('says its first error, and the rest as the cause, without colour', async () => {
    const error = errorOf(await planDir(box('Backend initialization required')));
    expect(error.message).toMatch(
      /^terraform state pull failed with exit code 1 in .*\/tf: Error: Backend initialization required$/,
    );
    expect(error.causes).toEqual(['More of it.']);
  });

  it.each(['Required plugins are not installed', 'Inconsistent dependency lock file'])(
    'says to run `terraform init` where Terraform says: %s',
    async (text) => {
      const ran = await planDir(`mkdir -p .terraform; ${box(text)}`);
      expect(errorOf(ran).hint).toContain('run `terraform init`');
    },
  );

  it('says no secret of the environment', async () => {
    const environment = { CLOUDFLARE_API_TOKEN: secret, AWS_SECRET_ACCESS_KEY: `${secret}-longer` };
    const terraform = box('bad $CLOUDFLARE_API_TOKEN and $AWS_SECRET_ACCESS_KEY').replace(
      /'/g,
      '"',
    );
    const ran = await planDir(terraform, { environment });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('[redacted]');
    expect(ran.stderr).not.toContain(secret);
  });

  it('hangs: is stopped after the time that it was given', async () => {
    const args = ['--dir', 'tf', '--terraform-timeout', '1', '--json'];
    const ran = await planDir('exec sleep 600', { args });
    const error = errorOf(ran);
    expect([ran.code, error.code]).toEqual([1, 'TERRAFORM_TIMEOUT']);
    expect(error.message).toContain('did not end in 1 seconds');
  });

  it('cannot be found: says so', async () => {
    const environment = { PATH: '/nowhere' };
    const error = errorOf(await planDir(works, { environment }));
    expect(error.code).toBe('TERRAFORM_MISSING');
    expect(error.causes[0]).toContain('ENOENT');
    expect(error.hint).toContain('--terraform');
  });

  it('is no program: says so', async () => {
    const args = ['--dir', 'tf', '--terraform', './tf', '--json'];
    expect(errorOf(await planDir(works, { args })).code).toBe('TERRAFORM_MISSING');
  });

  it.each([
    ['is not there', 'nowhere', 'is not there'],
    ['is a file', 'file', 'is not a folder'],
    ['lies under a file', 'file/x', 'is not there'],
  ])('has a folder that %s: says so', async (_, dir, expected) => {
    const args = ['--dir', dir, '--json'];
    const error = errorOf(await planDir(works, { args, files: { file: '' } }));
    expect([error.code, error.message]).toEqual([
      'FILE_UNREADABLE',
      expect.stringContaining(expected),
    ]);
  });
});
