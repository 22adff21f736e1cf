import { openDecisions } from '../../src/plan/findings';
import { planMigration } from '../../src/plan/plan-migration';
import { type StateFacts } from '../../src/plan/facts';
import { configuration, stateFacts, RULESET, ZONE, zone } from './support/state-facts';

const CODE = 'ENTRY_POINT_NOT_DECLARED';
const nothing = '# nothing of Cloudflare\n';
const removed = (from: string, keeps: boolean): string =>
  `removed {\n  from = ${from}\n  lifecycle {\n    destroy = ${keeps ? 'false' : 'true'}\n  }\n}\n`;

/** What a plan says of a ruleset that the state holds, in a folder with these files. */
async function told(
  files: Readonly<Record<string, string>>,
  address = zone.address,
  changes: Partial<StateFacts> = {},
) {
  const rulesets = [{ address, zoneId: ZONE, id: RULESET }];
  const state = stateFacts({
    ...{ rulesets, legacyResources: [], configuration: await configuration(files) },
    ...changes,
  });
  const plan = planMigration([{ ...zone, address }], [state]);
  return { plan, found: plan.findings.find(({ code }) => code === CODE) };
}

describe('a ruleset that the state holds and the files do not declare', () => {
  it('is a decision, whether or not the plan has steps: the next apply would destroy it', async () => {
    const { plan, found } = await told({ 'main.tf': nothing });
    expect(plan.steps.map(({ kind }) => kind)).toEqual(['check']);
    expect(found).toMatchObject({
      severity: 'decision',
      subject: zone.address,
      message: expect.stringMatching(/the files do not declare it: .*no WAF$/),
      remedy: expect.stringContaining('apply nothing in this folder before'),
    });
    expect(openDecisions(plan, new Set())).toContain(found);
    const { legacyResources } = stateFacts();
    const changed = await told({ 'main.tf': nothing }, zone.address, { legacyResources });
    expect(changed.plan.steps.length).toBeGreaterThan(0);
    expect(changed.found).toBeDefined();
  });

  it.each([
    ['its module is not called any more', 'module.edge.cloudflare_ruleset.waf', nothing],
    [
      'the block of another name stands there',
      zone.address,
      'resource "cloudflare_ruleset" "w" {}',
    ],
    ['a removed block destroys it', zone.address, removed(zone.address, false)],
    ['a removed block lets another one go', zone.address, removed(`${zone.address}s`, true)],
  ])('is told where %s', async (_, address, text) => {
    expect((await told({ 'main.tf': text }, address)).found?.subject).toBe(address);
  });
});

describe('nothing is told', () => {
  const inModule = 'module.edge["a"].cloudflare_ruleset.waf[0]';
  const call = (source: string): string => `module "edge" {\n  source = "${source}"\n}\n`;
  const block = 'resource "cloudflare_ruleset" "waf" {}\n';

  it.each([
    ['where a block declares it', zone.address, { 'main.tf': block }],
    ['of one of many instances', `${zone.address}["a"]`, { 'main.tf': block }],
    ['where a module declares it', inModule, { 'main.tf': call('./m'), 'm/main.tf': block }],
    ['where its module lies elsewhere', inModule, { 'main.tf': call('edge/waf/cloudflare') }],
    ['where a removed block lets it go', zone.address, { 'main.tf': removed(zone.address, true) }],
    ['where one lets its module go', inModule, { 'main.tf': removed('module.edge', true) }],
  ])('%s', async (_, address, files) => {
    expect((await told(files, address)).found).toBeUndefined();
  });

  it('where it is still to be moved, which is told', async () => {
    const move = { from: zone.address, to: 'cloudflare_ruleset.b', file: 'main.tf', line: 1 };
    const changes = { pendingMoves: [move] };
    const { plan, found } = await told({ 'main.tf': nothing }, zone.address, changes);
    expect([found, plan.findings.map(({ code }) => code)]).toEqual([
      undefined,
      expect.arrayContaining(['MOVE_PENDING']),
    ]);
  });

  it('where only the state is known', async () => {
    expect(
      (await told({ 'main.tf': nothing }, zone.address, { configuration: undefined })).found,
    ).toBeUndefined();
  });

  it('where the plan imports it, and so declares it', async () => {
    const { found } = await told({ 'main.tf': nothing }, zone.address, { rulesets: [] });
    expect(found).toBeUndefined();
  });
});
