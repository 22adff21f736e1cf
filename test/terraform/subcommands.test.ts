import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TerraformOptions } from '../../src/terraform/run-terraform';
import { applySavedPlan, judgeEmptyPlan } from '../../src/terraform/subcommands';
import { failureOf } from '../support/client-under-test';
import { fakeTerraform } from '../support/fake-terraform';
import { temporaryFolder } from '../support/temporary-folder';

/** A folder with a terraform that does as the body says. */
function world(body: string, more: Partial<TerraformOptions> = {}) {
  const dir = temporaryFolder();
  mkdirSync(join(dir, '.terraform'));
  const fake = fakeTerraform(dir, body);
  const options = { binary: fake.path, dir, environment: { PATH: process.env['PATH'] }, ...more };
  return {
    ...{ dir, calls: () => fake.calls() },
    judge: (flags: readonly string[] = []) => judgeEmptyPlan(flags, options),
    apply: (flags: readonly string[] = []) => applySavedPlan('saved', flags, options),
  };
}

describe('a plan that is to change nothing', () => {
  /** Terraform, whose plans end with a code, and do so with one resource. */
  function planning(
    code: number,
    action = 'update',
    printed = 'No changes. Infrastructure matches.',
  ) {
    const shown = JSON.stringify({
      ...{ format_version: '1.2', terraform_version: '1.11.4' },
      ...{ planned_values: {}, configuration: {} },
      resource_changes: [{ address: 'a.b', change: { actions: [action], before: 1, after: 2 } }],
    });
    const plan = code === 0 ? `printf '\\033[1m%s\\n' '${printed}'; ` : '';
    return world(`[ "$1" = show ] && { echo '${shown}'; exit 0; }; ${plan}exit ${code}`);
  }
  const words = (calls: string[][]) => calls.map(([word]) => word);

  it('is not shown where it changes nothing', async () => {
    const { judge, calls } = planning(0);
    expect(await judge()).toMatchObject({ differences: [] });
    expect(words(calls())).toEqual(['plan']);
  });

  it('is judged by its JSON where it would', async () => {
    const { judge, calls } = planning(2);
    expect((await judge()).differences).toMatchObject([{ address: 'a.b', actions: ['update'] }]);
    expect(words(calls())).toEqual(['plan', 'show']);
  });

  it.each([
    'input = "a\u2028No changes. b"\nPlan: 0 to add, 1 to change, 0 to destroy.',
    'Plan: 0 to add, 1 to change, 0 to destroy.\n\nWarning: x\nNo changes. b',
    '\nChanges to Outputs:\n  + a = "b"\n\nWarning: x\nNo changes. b',
  ])(
    'is judged by its JSON where a wrapper exits with 0, and Terraform prints %j',
    async (printed) => {
      const { judge, calls } = planning(0, 'update', printed);
      expect((await judge()).differences).toMatchObject([{ address: 'a.b', actions: ['update'] }]);
      expect(words(calls())).toEqual(['plan', 'show']);
    },
  );

  it('is one that only reads data, as the `check` blocks of a project have it always', async () => {
    expect((await planning(2, 'read').judge()).differences).toEqual([]);
  });

  it('is not one of which Terraform says that it changes something, and not what', async () => {
    await expect(planning(2, 'no-op').judge()).rejects.toMatchObject({
      code: 'TERRAFORM_PLAN_INVALID',
    });
  });

  it.each([
    ['a minute, since the Terraform of a killed run may still hold it', [], '-lock-timeout=60s'],
    ['not at all, if the user says so', ['-lock=false'], '-lock=false'],
    ['as long as the user says', ['-lock-timeout=5s'], '-lock-timeout=5s'],
  ])('waits for a lock: %s', async (_, flags, waiting) => {
    const { judge, calls } = planning(0);
    await judge(flags);
    expect(calls()[0]!.filter((word) => word.startsWith('-lock'))).toEqual([waiting]);
  });

  it('fails where Terraform does', async () => {
    const { judge, calls } = planning(1);
    await expect(judge()).rejects.toMatchObject({ code: 'TERRAFORM_FAILED' });
    expect(words(calls())).toEqual(['plan']);
  });
});

describe('the apply of a saved plan', () => {
  const REFUSED = 'echo "Error: Failed to save state" >&2; exit 1';
  const LEFT = 'errored.tfstate';
  const modeOf = (path: string): number => statSync(path).mode & 0o777;

  it('is of the file that was judged, with the flags of the lock alone', async () => {
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

  it('names the state that Terraform leaves in a file, for its owner alone', async () => {
    const { apply, dir } = world(`echo '{}' > ${LEFT}; ${REFUSED}`);
    const { hint } = await failureOf(apply());
    expect(hint).toContain(`${LEFT} in that folder has the state of this run: do not push it`);
    expect(modeOf(join(dir, LEFT))).toBe(0o600);
  });

  it('names it where Terraform was stopped while it wrote the state, too', async () => {
    const { apply } = world(`echo '{}' > ${LEFT}; exec sleep 600`, { timeout: 2000 });
    const { code, hint } = await failureOf(apply());
    expect([code, hint]).toEqual(['TERRAFORM_TIMEOUT', expect.stringContaining(LEFT)]);
  });

  it('does not touch one that was there before', async () => {
    const { apply, dir } = world(REFUSED);
    writeFileSync(join(dir, LEFT), '{}');
    chmodSync(join(dir, LEFT), 0o644);
    expect((await failureOf(apply())).hint).not.toContain(LEFT);
    expect(modeOf(join(dir, LEFT))).toBe(0o644);
  });
});
