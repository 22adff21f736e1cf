import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { applyPlan } from '../../src/apply/apply-plan';
import { journalPath, planCopyPath } from '../../src/apply/journal/journal';
import { MigrationError } from '../../src/core/migration-error';
import { fakeTerraform } from '../support/fake-terraform';
import { removalPlan } from '../support/removal-plan';
import { temporaryFolder } from '../support/temporary-folder';

const digest = 'a'.repeat(64);
const ruleset = { id: 'b', address: 'cloudflare_ruleset.b', importId: 'zone/z/b', state: 'main' };
const plan = { ...removalPlan(digest), zones: [{ zoneId: 'z', ruleset }] };
const provider = 'provider["registry.terraform.io/cloudflare/cloudflare"]';
const state = {
  version: 4,
  terraform_version: '1.11.4',
  serial: 1,
  lineage: 'l',
  outputs: {},
  resources: [
    {
      mode: 'managed',
      type: 'cloudflare_waf_rule',
      name: 'a',
      provider,
      instances: [{ schema_version: 0, attributes: { id: 'a' } }],
    },
  ],
};

/** A folder with the journal of a run that has come so far, and a Terraform that has the state. */
function world(journal: readonly object[], more: readonly object[] = []) {
  const folder = temporaryFolder();
  const path = join(folder, journalPath(digest));
  if (journal.length > 0) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, journal.map((line) => `${JSON.stringify(line)}\n`).join(''));
    writeFileSync(planCopyPath(path), JSON.stringify(plan));
  }
  const resources = [...state.resources, ...more];
  writeFileSync(join(folder, 'state.json'), JSON.stringify({ ...state, resources }));
  const removed = JSON.stringify({ ...state, serial: 2, resources: more });
  writeFileSync(join(folder, 'removed.json'), removed);
  const body = 'case "$2" in pull) cat state.json ;; rm) cp removed.json state.json ;; esac';
  const fake = fakeTerraform(temporaryFolder(), body);
  const written = (): string[] =>
    existsSync(dirname(path)) ? readdirSync(dirname(path)).filter((one) => !/lock$/.test(one)) : [];
  const apply = (checkRulesets: () => Promise<void>) =>
    applyPlan({
      plan,
      folder,
      terraform: { binary: fake.path, environment: { PATH: process.env['PATH'] } },
      report: () => undefined,
      checkRulesets,
    });
  const subcommands = (): string[] => fake.calls().map((words) => words.slice(0, 2).join(' '));
  return { apply, subcommands, written, folder };
}

describe.each([
  ['a first run', []],
  ['a run after one that was killed when it had begun', [{ event: 'begin', digest }]],
])('%s', (_name, journal) => {
  it('writes nothing before the service has said that the rulesets are live', async () => {
    const { apply, subcommands, written } = world(journal);
    const before = written();
    const seen: unknown[] = [];
    const result = await apply(async () => {
      const most = 200_000;
      for (let turns = 0; turns < most && subcommands().length === 0; turns += 1) await turn();
      // long enough for whatever does not wait for the answer
      for (let turns = 0; turns < 50; turns += 1) await turn();
      seen.push(subcommands(), written());
    });
    expect(seen).toEqual([['state pull'], before]);
    expect(result.steps.map(({ status }) => status)).toEqual(['done', 'done']);
    expect(subcommands()).toEqual(['state pull', 'state rm', 'state pull']);
  });

  it('changes nothing where they are not', async () => {
    const { apply, subcommands, written } = world(journal);
    const before = written();
    const refused = apply(() => Promise.reject(new MigrationError('RULESET_NOT_LIVE', 'none')));
    await expect(refused).rejects.toMatchObject({ code: 'RULESET_NOT_LIVE' });
    expect([subcommands(), written()]).toEqual([['state pull'], before]);
  });
});

describe('a run that goes on', () => {
  const begun = [
    { event: 'begin', digest },
    { event: 'start', step: '1' },
  ];
  const owned = {
    ...{ mode: 'managed', type: 'cloudflare_ruleset', name: 'b', provider },
    instances: [{ schema_version: 0, attributes: { id: 'b' } }],
  };

  it('imports nothing that is not live: the run before may have had no credentials', async () => {
    const { apply, subcommands } = world(begun);
    const refused = apply(() => Promise.reject(new MigrationError('RULESET_NOT_LIVE', 'none')));
    await expect(refused).rejects.toMatchObject({ code: 'RULESET_NOT_LIVE' });
    expect(subcommands()).toEqual(['state pull']);
  });

  it('does not ask the service where all rulesets are imported', async () => {
    const ask = jest.fn(() => Promise.resolve());
    const { apply } = world(begun, [owned]);
    await apply(ask);
    expect(ask).not.toHaveBeenCalled();
  });
});

it('leaves the backup of another state that goes by the same name as it is, and takes the next number', async () => {
  const { apply, folder } = world([]);
  const backups = join(folder, 'cf-waf-migrate-backup');
  mkdirSync(backups);
  writeFileSync(join(backups, 'main-1.tfstate'), 'of another folder');
  const { backup } = await apply(() => Promise.resolve());
  expect(backup).toEqual(['cf-waf-migrate-backup/main-1.2.tfstate']);
  expect(readFileSync(join(backups, 'main-1.tfstate'), 'utf8')).toBe('of another folder');
  expect(JSON.parse(readFileSync(join(folder, backup[0]!), 'utf8')).serial).toBe(1);
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
