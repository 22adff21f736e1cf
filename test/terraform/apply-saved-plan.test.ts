import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applySavedPlan } from '../../src/terraform/subcommands';
import { type TerraformOptions } from '../../src/terraform/run-terraform';
import { failureOf } from '../support/client-under-test';
import { fakeTerraform } from '../support/fake-terraform';
import { temporaryFolder } from '../support/temporary-folder';

/** Applies `saved` in a folder, with a terraform that does as the body says. */
function world(body: string, more: Partial<TerraformOptions> = {}) {
  const dir = temporaryFolder();
  mkdirSync(join(dir, '.terraform'));
  const fake = fakeTerraform(dir, body);
  const options = { binary: fake.path, dir, environment: { PATH: process.env['PATH'] }, ...more };
  return {
    dir,
    calls: () => fake.calls(),
    apply: (flags: readonly string[] = []) => applySavedPlan('saved', flags, options),
  };
}
const REFUSED = 'echo "Error: Failed to save state" >&2; exit 1';
const modeOf = (path: string): number => statSync(path).mode & 0o777;

it('applies the file that was judged, with the flags of the lock alone', async () => {
  const { apply, calls } = world('exit 0');
  await apply(['-lock-timeout=5s', '-var-file=x']);
  expect(calls()).toEqual([['apply', '-input=false', '-lock-timeout=5s', 'saved']]);
});

it('where it fails, never advises to apply by hand', async () => {
  const { hint } = await failureOf(world(REFUSED).apply());
  expect(hint).toBe(
    'run the same cf-waf-migrate command again: it resumes with a new plan. Run no terraform command by hand before',
  );
  const known = await failureOf(world('echo "Error: prevent_destroy" >&2; exit 1').apply());
  expect(known.hint).toContain('keep prevent_destroy');
});

it('the state that Terraform leaves in a file is named, and for its owner alone', async () => {
  const { apply, dir } = world(`umask 022; echo '{}' > errored.tfstate; ${REFUSED}`);
  const { hint } = await failureOf(apply());
  expect(hint).toContain(
    'errored.tfstate in that folder has the state of this run: do not push it',
  );
  expect(modeOf(join(dir, 'errored.tfstate'))).toBe(0o600);
});

it('it is named where Terraform was stopped while it wrote the state, too', async () => {
  const { apply } = world("echo '{}' > errored.tfstate; exec sleep 600", { timeout: 2000 });
  const { code, hint } = await failureOf(apply());
  expect([code, hint]).toEqual(['TERRAFORM_TIMEOUT', expect.stringContaining('errored.tfstate')]);
});

it('one that was there before is not touched', async () => {
  const { apply, dir } = world(REFUSED);
  const file = join(dir, 'errored.tfstate');
  writeFileSync(file, '{}');
  chmodSync(file, 0o644);
  expect((await failureOf(apply())).hint).not.toContain('errored.tfstate');
  expect(modeOf(file)).toBe(0o644);
});
