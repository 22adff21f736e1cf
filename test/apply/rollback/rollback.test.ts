import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyPlan } from '../../../src/apply/apply-plan';
import { journalPath } from '../../../src/apply/journal/journal';
import { rollback } from '../../../src/apply/rollback/rollback';
import { PLAN_LOCK, withLock } from '../../../src/apply/journal/lock';
import { fakeTerraform } from '../../support/fake-terraform';
import { address, removalPlan } from '../../support/removal-plan';
import { temporaryFolder } from '../../support/temporary-folder';

const digest = 'b'.repeat(64);
const plan = removalPlan(digest, { gone: [address] });
const resource = (type: string) => ({
  mode: 'managed',
  type,
  name: 'a',
  provider: 'provider["registry.terraform.io/cloudflare/cloudflare"]',
  instances: [{ schema_version: 0, attributes: { id: 'a' } }],
});
const stateOf = (serial: number, ...types: string[]) => ({
  version: 4,
  terraform_version: '1.11.4',
  serial,
  lineage: 'l',
  outputs: {},
  resources: types.map(resource),
});

/** A folder with the state, and a Terraform that pulls, pushes and removes. */
function world() {
  const folder = temporaryFolder();
  const path = join(folder, 'state.json');
  const write = (state: object): void => {
    writeFileSync(path, JSON.stringify(state));
  };
  write(stateOf(1, 'cloudflare_waf_rule'));
  writeFileSync(join(folder, 'removed.json'), JSON.stringify(stateOf(2)));
  const body = `case "$2" in
    pull) cat state.json ;;
    rm) cp removed.json state.json ;;
    push) for last; do :; done; cp "$last" state.json ;;
  esac`;
  const fake = fakeTerraform(temporaryFolder(), body);
  const terraform = { binary: fake.path, environment: { PATH: process.env['PATH'] } };
  const journal = join(folder, journalPath(digest));
  const asked: string[] = [];
  return {
    write,
    asked,
    lock: `${journal}.lock`,
    state: () => JSON.parse(readFileSync(path, 'utf8')) as ReturnType<typeof stateOf>,
    calls: () => fake.calls().map(([, word]) => word),
    apply: () =>
      applyPlan({
        plan,
        folder,
        terraform,
        report: () => undefined,
        checkRulesets: () => {
          asked.push('rulesets');
          return Promise.resolve();
        },
      }),
    rollback: (more: { force?: boolean; fault?: (point: string) => void } = {}) =>
      rollback({ journal, plan, folder, terraform, force: false, ...more }),
  };
}

describe('rollback and apply of one plan', () => {
  it('a rollback does not begin while apply has the lock', async () => {
    const { apply, rollback: back, lock, calls, state } = world();
    await apply();
    const before = calls().length;
    const refused = withLock(lock, PLAN_LOCK, () => back());
    await expect(refused).rejects.toMatchObject({ code: 'APPLY_RUNNING' });
    expect([calls().length, state().serial]).toEqual([before, 2]);
  });

  it('apply does not begin while a rollback runs, whose lock is gone when it has ended', async () => {
    const { apply, rollback: back, lock, state } = world();
    await apply();
    let held = '';
    const fault = (point: string): void => {
      if (point === 'rollback-pushed') held = readFileSync(lock, 'utf8');
    };
    await back({ fault });
    expect([state().resources.length, existsSync(lock)]).toEqual([1, false]);
    writeFileSync(lock, held);
    await expect(apply()).rejects.toMatchObject({ code: 'APPLY_RUNNING' });
    expect(state().resources).toHaveLength(1);
  });
});

describe('apply after a rollback', () => {
  it('asks about the rulesets as a first run does, and can be rolled back again', async () => {
    const { apply, rollback: back, asked, state } = world();
    await apply();
    await back();
    const again = await apply();
    expect(again.steps.map(({ status }) => status)).toEqual(['found', 'done']);
    expect([asked, state().resources]).toEqual([['rulesets', 'rulesets'], []]);
    await back();
    expect(state().resources).toHaveLength(1);
  });

  it('is refused where somebody else wrote the state meanwhile: no backup has what they wrote', async () => {
    const { apply, rollback: back, write, state } = world();
    await apply();
    await back();
    write(stateOf(9, 'cloudflare_waf_rule', 'cloudflare_zone'));
    await expect(apply()).rejects.toMatchObject({ code: 'STATE_CHANGED' });
    expect(state().serial).toBe(9);
  });
});
