import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyPlan } from '../../../src/apply/apply-plan';
import { journalPath } from '../../../src/apply/journal/journal';
import { rollback } from '../../../src/apply/rollback/rollback';
import { parseConfig } from '../../../src/tfconfig/read-project';
import { planEdit, planNewFile } from '../../../src/tfconfig/plan-edit';
import { type Plan } from '../../../src/plan/plan';
import { fakeTerraform } from '../../support/fake-terraform';
import { removalPlan } from '../../support/removal-plan';
import { temporaryFolder } from '../../support/temporary-folder';

const digest = 'e'.repeat(64);
const PROVIDERS = 'terraform {\n  required_version = "3.35.0"\n}\n';
const OLD = '\nresource "cloudflare_waf_rule" "a" {\n  zone_id = "z"\n}\n';
const RULESET = 'resource "cloudflare_ruleset" "waf" {\n  name = "waf"\n}\n';
const STATE = { version: 4, terraform_version: '1.11.4', serial: 1, lineage: 'l', resources: [] };

/** A folder, and a plan that takes the old block out of main.tf, writes ruleset.tf, and then stops. */
async function world() {
  const folder = temporaryFolder();
  const main = join(folder, 'main.tf');
  const write = (text: string): void => {
    writeFileSync(main, text);
  };
  write(PROVIDERS + OLD);
  writeFileSync(join(folder, 'state.json'), JSON.stringify(STATE));
  const source = { path: 'main.tf', bytes: readFileSync(main) };
  const file = await parseConfig(source);
  const old = file.blocks.filter(({ address }) => address === 'cloudflare_waf_rule.a');
  const edits = [planEdit(file, old), planNewFile('ruleset.tf', RULESET)];
  const { steps, ...rest } = removalPlan(digest);
  const edit = { id: '2', kind: 'edit', state: 'main', title: '', edits };
  const byHand = {
    id: '3',
    kind: 'manual',
    state: 'main',
    title: '',
    runs: [],
    addresses: ['a.b'],
  };
  const plan = { ...rest, steps: [...steps.slice(0, 1), edit, byHand] } as unknown as Plan;
  const { path } = fakeTerraform(temporaryFolder(), '[ "$2" = pull ] && cat state.json; exit 0');
  const terraform = { binary: path, environment: { PATH: process.env['PATH'] } };
  const request = { plan, folder, terraform, report: () => undefined };
  return {
    main,
    write,
    ruleset: join(folder, 'ruleset.tf'),
    apply: async (fault?: (point: string) => void) => {
      const { steps: done } = await applyPlan({ ...request, ...(fault && { fault }) });
      return done.map(({ status }) => status);
    },
    editsAlone: () => applyPlan({ ...request, only: 'edits' }),
    rollback: () =>
      rollback({ ...request, journal: join(folder, journalPath(digest)), force: false }),
  };
}

const upgraded = PROVIDERS.replace('3.35.0', '5.22.0');

describe('an edit, when its file was changed after it was made', () => {
  it('is known as made while nothing is back that it took out', async () => {
    const { apply, editsAlone, write, main } = await world();
    expect(await apply()).toEqual(['done', 'done', 'waiting']);
    write(upgraded);
    expect(await apply()).toEqual(['found', 'found', 'waiting']);
    await editsAlone();
    expect(readFileSync(main, 'utf8')).toBe(upgraded);
  });

  it('is known as made where the run was killed before it could note that', async () => {
    const { apply, write } = await world();
    const fault = (point: string): void => {
      if (point === 'edit-after') throw new Error('killed');
    };
    await expect(apply(fault)).rejects.toThrow('killed');
    write(upgraded);
    expect(await apply()).toEqual(['found', 'found', 'waiting']);
  });

  it('is not made again where another file of its step is still to be written', async () => {
    const { apply, write, main, ruleset } = await world();
    const fault = (point: string): void => {
      if (point === 'edit-after') throw new Error('killed');
    };
    await expect(apply(fault)).rejects.toThrow('killed');
    rmSync(ruleset);
    write(upgraded);
    expect(await apply()).toEqual(['found', 'done', 'waiting']);
    expect([readFileSync(main, 'utf8'), readFileSync(ruleset, 'utf8')]).toEqual([
      upgraded,
      RULESET,
    ]);
  });

  it('is refused where a block that it took out is back', async () => {
    const { apply, write } = await world();
    await apply();
    write(upgraded + OLD);
    await expect(apply()).rejects.toMatchObject({ code: 'CONFIG_CHANGED' });
  });

  it('is refused where a block that it wrote is gone', async () => {
    const { apply, ruleset } = await world();
    await apply();
    writeFileSync(ruleset, '# nothing\n');
    await expect(apply()).rejects.toMatchObject({ code: 'CONFIG_CHANGED' });
  });

  it('is refused where it was never begun: the plan is for another file', async () => {
    const { apply, write } = await world();
    write(upgraded);
    await expect(apply()).rejects.toMatchObject({ code: 'CONFIG_CHANGED' });
  });

  it('keeps a rollback from taking the change back unasked, which says that a copy of it would be kept', async () => {
    const { apply, write, rollback: back, main } = await world();
    await apply();
    write(upgraded);
    await expect(back()).rejects.toMatchObject({
      code: 'CONFIG_CHANGED',
      message: expect.stringContaining('main.tf'),
      hint: expect.stringMatching(/--force .* keeps this one as a copy/),
    });
    expect(readFileSync(main, 'utf8')).toBe(upgraded);
  });
});
