import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { applyPlan } from '../../../src/apply/apply-plan';
import { journalPath, readJournal } from '../../../src/apply/journal/journal';
import { rollback } from '../../../src/apply/rollback/rollback';
import { parseConfig } from '../../../src/tfconfig/read-project';
import { planEdit, planNewFile } from '../../../src/tfconfig/plan-edit';
import { type Plan } from '../../../src/plan/plan';
import { fakeTerraform } from '../../support/fake-terraform';
import { address, removalPlan } from '../../support/removal-plan';
import { temporaryFolder } from '../../support/temporary-folder';

const digest = 'c'.repeat(64);
const OLD = 'resource "cloudflare_waf_rule" "a" {\n  zone_id = "z"\n}\n';
const RULESET = 'resource "cloudflare_ruleset" "waf" {\n  name = "waf"\n}\n';
const COMMENT = '# a comment of a colleague\n';
const stateWith = (serial: number, resources: readonly object[]): string =>
  JSON.stringify({
    ...{ version: 4, terraform_version: '1.11.4', serial, lineage: 'l', outputs: {}, resources },
  });
const held = {
  ...{ mode: 'managed', type: 'cloudflare_waf_rule', name: 'a' },
  provider: 'provider["registry.terraform.io/cloudflare/cloudflare"]',
  instances: [{ schema_version: 0, attributes: { id: 'a' } }],
};

/** A plan that lets a resource go, takes its block out of main.tf, and writes ruleset.tf. */
async function world(whileRemoving = '') {
  const folder = temporaryFolder();
  const write = (name: string, text: string): void => {
    writeFileSync(join(folder, name), text);
  };
  write('main.tf', OLD);
  write('state.json', stateWith(1, [held]));
  write('removed.json', stateWith(2, []));
  const source = { path: 'main.tf', bytes: Buffer.from(OLD) };
  const file = await parseConfig(source);
  const edits = [planEdit(file, file.blocks), planNewFile('ruleset.tf', RULESET)];
  const removal = removalPlan(digest, { gone: [address] });
  const edit = { id: '3', kind: 'edit', state: 'main', title: '', edits };
  const plan = { ...removal, steps: [...removal.steps, edit] } as unknown as Plan;
  const body = `case "$2" in
    pull) cat state.json ;;
    rm) cp removed.json state.json; ${whileRemoving} ;;
    push) for last; do :; done; cp "$last" state.json ;;
  esac`;
  const fake = fakeTerraform(temporaryFolder(), body);
  const terraform = { binary: fake.path, environment: { PATH: process.env['PATH'] } };
  const journal = join(folder, journalPath(digest));
  return {
    write,
    journal,
    calls: () => fake.calls().map(([, word]) => word),
    text: (name: string) => readFileSync(join(folder, name), 'utf8'),
    apply: () => applyPlan({ plan, folder, terraform, report: () => undefined }),
    rollback: () => rollback({ journal, plan, folder, terraform, force: false }),
  };
}

describe('a file that is to be edited and is not the one that was planned for', () => {
  it.each([
    ['changed', 'main.tf', COMMENT + OLD],
    ['there, and was not', 'ruleset.tf', COMMENT],
  ])('stops a first run before anything is changed: %s', async (_, name, text) => {
    const { apply, write, calls, journal } = await world();
    write(name, text);
    await expect(apply()).rejects.toMatchObject({
      code: 'CONFIG_CHANGED',
      message: expect.stringContaining(name),
      hint: expect.stringContaining('plan again'),
    });
    expect([calls(), existsSync(journal)]).toEqual([['pull'], false]);
  });

  it('stops no run where the edit is made already', async () => {
    const { apply, write } = await world();
    write('ruleset.tf', RULESET);
    expect((await apply()).steps.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
  });

  it('stops a run in the middle, which can go back, and says how', async () => {
    const { apply, rollback: back, text, journal } = await world(`echo '${COMMENT}' >> main.tf`);
    const changed = {
      code: 'CONFIG_CHANGED',
      hint: expect.stringContaining(`put the file back`),
    };
    await expect(apply()).rejects.toMatchObject(changed);
    await expect(apply()).rejects.toMatchObject({
      ...changed,
      hint: expect.stringContaining(`cf-waf-migrate rollback ${journal}`),
    });
    expect(readJournal(journal).filter(({ event }) => event === 'file')).toEqual([]);
    expect(await back()).toMatchObject({ restored: ['state main'] });
    expect(text('main.tf')).toContain(COMMENT);
    expect(text('state.json')).toContain('cloudflare_waf_rule');
  });

  it('is a person’s to put back where its edit was made by somebody else', async () => {
    const { apply, rollback: back, write, text } = await world();
    write('ruleset.tf', RULESET);
    await apply();
    expect(await back()).toMatchObject({
      restored: ['main.tf', 'state main'],
      byHand: [{ step: '3', undo: expect.stringContaining('in ruleset.tf,'), addresses: [] }],
    });
    expect([text('main.tf'), text('ruleset.tf')]).toEqual([OLD, RULESET]);
  });
});
