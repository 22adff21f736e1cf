import { runTerraform, type TerraformOptions } from '../../src/terraform/run-terraform';
import { failureOf } from '../support/client-under-test';
import { fakeTerraform } from '../support/fake-terraform';
import { temporaryFolder } from '../support/temporary-folder';

function run(body: string, options: Partial<TerraformOptions> = {}): Promise<Buffer> {
  const dir = temporaryFolder();
  const { path } = fakeTerraform(dir, body);
  const environment = { PATH: process.env['PATH'] };
  return runTerraform(['state', 'pull'], { binary: path, dir, environment, ...options });
}

describe('a run of Terraform', () => {
  it('gives the bytes that it printed, whatever they are', async () => {
    expect(await run("printf 'a\\000\\377\\n'")).toEqual(Buffer.from([0x61, 0, 0xff, 0x0a]));
  });

  it('keeps what it says beside it out of the result', async () => {
    expect((await run('echo warning >&2; echo state')).toString()).toBe('state\n');
  });

  it('is stopped when it prints more than the limit', async () => {
    const error = await failureOf(run('yes', { limit: 100_000 }));
    expect([error.code, error.message]).toEqual([
      'TERRAFORM_FAILED',
      expect.stringContaining('printed more than 100000 bytes'),
    ]);
  });

  it('is stopped when the user asks to stop', async () => {
    const controller = new AbortController();
    const running = failureOf(run('exec sleep 600', { signal: controller.signal }));
    setTimeout(() => {
      controller.abort();
    }, 200);
    expect((await running).message).toContain('was interrupted');
  });

  it('is killed when it does not stop by itself', async () => {
    const stubborn = "trap '' TERM; while :; do sleep 1; done";
    const error = await failureOf(run(stubborn, { timeout: 300 }));
    expect(error.code).toBe('TERRAFORM_TIMEOUT');
  }, 20_000);

  it('may say a megabyte on standard error', async () => {
    const error = await failureOf(run("yes 'Error: no' | head -c 1000000 >&2; exit 1"));
    expect(error.code).toBe('TERRAFORM_FAILED');
    expect(error.message.length).toBeLessThan(500);
  });
});
