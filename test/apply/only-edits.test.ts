import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { journalPath } from '../../src/apply/journal/journal';
import { type StateFacts } from '../../src/plan/facts/facts';
import { planMigration } from '../../src/plan/plan-migration';
import { type Plan, type Step } from '../../src/plan/plan-schema';
import { requireConfiguration } from '../../src/project/read-configuration';
import { planNewFile } from '../../src/tfconfig/file-edit';
import { renderHclBlocks } from '../../src/tfconfig/state-blocks';
import { MODULE, moduleFiles, otherZone, rootState } from '../plan/support/shared-module';
import {
  configuration,
  declaredZone,
  firewallRule,
  legacyResource,
  OLD_BLOCKS,
  OTHER_ZONE,
  stateFacts,
} from '../plan/support/state-facts';
import { resource, stateText } from '../support/applied-folder';
import { endOf, planFolder } from '../support/plan-folder';
import { temporaryFolder } from '../support/temporary-folder';

const OLD = { type: 'cloudflare_waf_package', name: 'owasp' };
const RULESET = { type: 'cloudflare_ruleset', name: 'waf' };
const DATA = { mode: 'data', type: 'cloudflare_waf_rules', name: 'all' };
const zones = [declaredZone, otherZone];
const resourceOf = resource('cloudflare_waf_package');

type Files = Readonly<Record<string, string>>;
type Held = { type: string; name: string; mode?: string; module?: string; instances?: object[] };

interface Case {
  readonly files: Files;
  readonly facts: readonly StateFacts[];
  /** The resources of the states by now, by folder. */
  readonly now: Readonly<Record<string, readonly Held[]>>;
  readonly plan?: Plan;
}

/** Runs `apply --only edits`. */
function world({
  files,
  facts,
  now,
  plan = planMigration(zones.slice(0, facts.length), facts),
}: Case) {
  const states = Object.entries(now).map(([dir, resources]) => {
    const [one] = resourceOf.instances;
    const instances = [{ ...one, attributes: { id: declaredZone.rulesetId } }];
    const held = resources.map((more) => ({ ...resourceOf, instances, ...more }));
    return [`${dir}/state.json`, stateText(1, held)] as const;
  });
  const folder = planFolder(plan, { ...files, ...Object.fromEntries(states) });
  const changed = (): string[] =>
    [...Object.keys(files), 'waf.tf', 'roots/a/waf.tf', 'roots/b/waf.tf'].filter(
      (file) => folder.text(file) !== files[file],
    );
  return { ...folder, plan, changed, apply: () => folder.apply({ only: 'edits' }) };
}

/** A state whose folder has these files. */
const stateIn = async (
  files: Files,
  dir: string,
  changes: Partial<StateFacts>,
): Promise<StateFacts> =>
  stateFacts({
    ...{ name: dir.slice(-1), dir, lineage: 'l', serial: 1 },
    ...{ configuration: await configuration(files, dir), ...changes },
  });
const old = (files: Files, dir: string): Promise<StateFacts> => {
  const zoneId = dir === 'roots/b' ? OTHER_ZONE : declaredZone.zoneId;
  const legacyResources = [legacyResource('cloudflare_waf_package.owasp', { zoneId })];
  return stateIn(files, dir, { legacyResources });
};

const inOne = async (held: Held[], files: Files = { 'main.tf': OLD_BLOCKS }): Promise<Case> => ({
  ...{ files, facts: [await old(files, '.')], now: { '.': held } },
});

/** Two folders, a zone each. */
async function inTwo(held: Held[]): Promise<Case> {
  const files = { 'roots/a/main.tf': OLD_BLOCKS, 'roots/b/main.tf': OLD_BLOCKS };
  const facts = [await old(files, 'roots/a'), await old(files, 'roots/b')];
  return { files, facts, now: { 'roots/a': [], 'roots/b': held } };
}

/** A folder of two zones, a module each, whose blocks have one name; that of the second one stays. */
async function inModules(module: string): Promise<Case> {
  const call = (name: string): string => `module "${name}" {\n  source = "./${name}"\n}\n`;
  const files = {
    'main.tf': call('a') + call('b'),
    'a/main.tf': OLD_BLOCKS,
    'b/main.tf': OLD_BLOCKS,
  };
  const one = (path: string, zoneId = declaredZone.zoneId) =>
    legacyResource(`${path}.cloudflare_waf_package.owasp`, { zoneId });
  const legacyResources = [one('module.a'), one('module.b', OTHER_ZONE)];
  const facts = [await stateIn(files, '.', { legacyResources })];
  return { files, facts, now: { '.': [RULESET, { ...OLD, module }] } };
}

/** Two roots that call one module; these still have its resource. */
async function inShared(
  holding: readonly string[],
  change?: (steps: readonly Step[]) => readonly Step[],
): Promise<Case> {
  const facts = [
    await rootState('a', { lineage: 'l', serial: 1 }),
    await rootState('b', { lineage: 'l', serial: 1 }),
  ];
  const of = (root: string): Held[] =>
    holding.includes(root) ? [{ ...OLD, module: 'module.waf' }] : [];
  const { steps, ...plan } = planMigration(zones, facts);
  const edited = change?.(steps).map((step) => ({ ...step, states: [step.state] })) ?? steps;
  const now = { 'roots/a': of('a'), 'roots/b': of('b') };
  return { files: moduleFiles, facts, now, plan: { ...plan, steps: edited } };
}

async function withFirewallRule(): Promise<Case> {
  const files = { 'main.tf': 'resource "cloudflare_firewall_rule" "r" {}\n' };
  const versions = { installed: '4.52.8', wanted: '5.22.0' };
  const retired = { legacyResources: [], retired: [firewallRule] };
  const facts = [await stateIn(files, '.', { ...versions, ...retired })];
  return { files, facts, now: { '.': [{ type: 'cloudflare_firewall_rule', name: 'r' }] } };
}

const forgets = renderHclBlocks({ imports: [], removed: [`${OLD.type}.${OLD.name}`] });

/** By method blocks, while the state has the resource. @param text replaces the file with `removed` blocks */
async function byBlocks(more: Files = {}, text?: string): Promise<Case> {
  const one = await inOne([OLD, DATA], { 'main.tf': OLD_BLOCKS, ...more });
  const { steps, ...plan } = planMigration([declaredZone], one.facts, 'blocks');
  const edited = steps.map((step) => ({
    ...step,
    ...(step.edits && {
      edits: step.edits.map((edit) =>
        text !== undefined && edit.file === 'cf-waf-migrate.tf'
          ? planNewFile(edit.file, text)
          : edit,
      ),
    }),
  }));
  return { ...one, plan: { ...plan, steps: edited } };
}

const another = { ...OLD, instances: [{ ...resourceOf.instances[0]!, index_key: 'b' }] };
const data = `${OLD_BLOCKS}data "${DATA.type}" "${DATA.name}" {}\n`;

describe('apply --only edits', () => {
  it.each<[string, () => Promise<Case>, string[]]>([
    ['a ruleset that the state has', () => inOne([RULESET]), ['main.tf', 'waf.tf']],
    ['a block whose name a module has too', () => inModules('module.b'), ['a/main.tf', 'waf.tf']],
    ['the blocks of a shared module once no state has any', () => inShared([]), [MODULE]],
    ['a block that it replaces by a removed block', () => byBlocks(), ['main.tf', 'waf.tf']],
    ['a data source, never destroyed', () => byBlocks({ 'main.tf': data }), ['main.tf', 'waf.tf']],
    ['a block with a removed block', () => byBlocks({ 'more.tf': forgets }), ['main.tf', 'waf.tf']],
  ])('edits %s', async (_, made, files) => {
    const { apply, changed } = world(await made());
    expect([await endOf(apply()), changed()]).toEqual(['done', files]);
  });

  it.each<[string, () => Promise<Case>, string]>([
    ['the block of another edit', () => inOne([OLD]), 'cloudflare_waf_package.owasp'],
    ['another instance', () => inOne([RULESET, another]), 'cloudflare_waf_package.owasp["b"]'],
    ['a module', () => inModules('module.a'), 'module.a.cloudflare_waf_package.owasp'],
    ['another folder', () => inTwo([OLD]), 'cloudflare_waf_package.owasp'],
    ['a shared module, in state a', () => inShared(['a']), 'module.waf'],
    ['a shared module, in state b', () => inShared(['b']), 'module.waf'],
    [
      'a shared module, whatever the plan says of states',
      () => inShared(['b'], (steps) => steps),
      'module.waf.cloudflare_waf_package.owasp',
    ],
    [
      'a shared module, whatever the plan removes',
      () => inShared(['b'], (steps) => steps.filter(({ kind }) => kind !== 'remove')),
      'module.waf.cloudflare_waf_package.owasp',
    ],
    ['a firewall rule, which provider 4 deletes', withFirewallRule, 'cloudflare_firewall_rule.r'],
    ['a block without a removed block', () => byBlocks({}, ''), 'cloudflare_waf_package.owasp'],
    [
      'a block with a removed block of another one',
      () => byBlocks({}, forgets.replace('owasp', 'other')),
      'cloudflare_waf_package.owasp',
    ],
    [
      'a block with a removed block that destroys',
      () => byBlocks({}, forgets.replace('false', 'true')),
      'cloudflare_waf_package.owasp',
    ],
  ])('edits nothing while a state has the resource of %s', async (name, made, held) => {
    const { apply, changed, folder, plan } = world(await made());
    const [, state = ''] = /(state [ab])$/.exec(name) ?? [];
    expect(await endOf(apply())).toMatch(/^CONFIG_EDIT_REFUSED /);
    expect(await endOf(apply())).toContain(`${state} still has ${held}`);
    expect(changed()).toEqual([]);
    // no interrupted run is left
    expect(existsSync(join(folder, journalPath(plan.digest)))).toBe(false);
  });

  it('removes what is gone, and postpones a declaration whose ruleset is not imported', async () => {
    const { apply, changed, plan } = world(await inOne([]));
    const { steps, findings } = await apply();
    expect(changed()).toEqual(['main.tf']);
    const declaring = plan.steps.find(({ kind, addresses }) => kind === 'edit' && addresses)!.id;
    expect(steps).toContainEqual({ id: declaring, status: 'due' });
    expect(findings).toEqual([
      expect.objectContaining({ code: 'EDIT_HELD_BACK', subject: `step ${declaring}` }),
    ]);
    const imported = world(await inOne([RULESET]));
    expect(await imported.apply()).not.toHaveProperty('findings');
  });

  it('edits nothing if a file of any edit differs from the planned one', async () => {
    const { apply, changed, write } = world(await inTwo([]));
    write('roots/b/main.tf', `# of another user\n${OLD_BLOCKS}`);
    expect(await endOf(apply())).toBe(
      'CONFIG_CHANGED roots/b/main.tf was changed since the plan was made',
    );
    expect(changed()).toEqual(['roots/b/main.tf']);
  });

  it.each(['a', 'b'])(
    'leaves a file to which two folders have a link while state %s has some of its blocks',
    async (holding) => {
      const folder = temporaryFolder({ 'shared/main.tf': OLD_BLOCKS });
      const linked = async (dir: string, zoneId: string): Promise<StateFacts> => {
        mkdirSync(join(folder, dir));
        symlinkSync('../shared/main.tf', join(folder, dir, 'main.tf'));
        return stateFacts({
          ...{ name: dir, dir, lineage: 'l', serial: 1 },
          configuration: await requireConfiguration(dir, folder),
          legacyResources: [legacyResource('cloudflare_waf_package.owasp', { zoneId })],
        });
      };
      const facts = [await linked('a', declaredZone.zoneId), await linked('b', OTHER_ZONE)];
      const textOf = (dir: string): string =>
        stateText(1, dir === holding ? [{ ...resourceOf, name: 'owasp' }] : []);
      const files = { 'a/state.json': textOf('a'), 'b/state.json': textOf('b') };
      const { apply, text } = planFolder(planMigration(zones, facts), files, '', folder);
      expect(await endOf(apply({ only: 'edits' }))).toMatch(
        new RegExp(`^CONFIG_EDIT_REFUSED state ${holding} still has`),
      );
      expect(text('shared/main.tf')).toBe(OLD_BLOCKS);
    },
  );
});
