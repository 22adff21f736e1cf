import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type StateFacts } from '../../src/plan/facts/facts';
import { planMigration } from '../../src/plan/plan-migration';
import { type Step } from '../../src/plan/plan';
import { requireConfiguration } from '../../src/project/read-configuration';
import { planNewFile } from '../../src/tfconfig/plan-edit';
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
import { planFolder } from '../support/plan-folder';
import { temporaryFolder } from '../support/temporary-folder';

const OLD = { type: 'cloudflare_waf_package', name: 'owasp' };
const RULESET = { type: 'cloudflare_ruleset', name: 'waf' };
const zones = [declaredZone, otherZone];

/** The state of a folder whose own files have these blocks. */
const old = async (files: Record<string, string>, dir: string): Promise<StateFacts> =>
  stateFacts({
    ...{ name: dir.slice(-1), dir, lineage: 'l', serial: 1 },
    configuration: await configuration(files, dir),
    legacyResources: [
      legacyResource(
        'cloudflare_waf_package.owasp',
        dir === 'roots/b' ? { zoneId: OTHER_ZONE } : undefined,
      ),
    ],
  });
/** The states of the two roots that call one module. */
const sharing = async (): Promise<StateFacts[]> => [
  await rootState('a', { lineage: 'l', serial: 1 }),
  await rootState('b', { lineage: 'l', serial: 1 }),
];

const resourceOf = resource('cloudflare_waf_package');

/** Runs `apply --only edits` where the states of the folders hold these resources by now. */
function world(
  files: Record<string, string>,
  facts: readonly StateFacts[],
  now: Record<
    string,
    readonly { type: string; name: string; mode?: string; module?: string; instances?: object[] }[]
  >,
  plan = planMigration(zones.slice(0, facts.length), facts),
) {
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

/** The folder of two zones, a module each, whose blocks have one name; that of the second one stays. */
async function modulesAlike() {
  const call = (name: string): string => `module "${name}" {\n  source = "./${name}"\n}\n`;
  const files = {
    'main.tf': call('a') + call('b'),
    'a/main.tf': OLD_BLOCKS,
    'b/main.tf': OLD_BLOCKS,
  };
  const one = (module: string, zoneId = declaredZone.zoneId) =>
    legacyResource(`${module}.cloudflare_waf_package.owasp`, { zoneId });
  const state = stateFacts({
    ...{ lineage: 'l', serial: 1, configuration: await configuration(files) },
    legacyResources: [one('module.a'), one('module.b', OTHER_ZONE)],
  });
  return { files, states: [state] };
}

describe('apply --only edits', () => {
  const files = { 'main.tf': OLD_BLOCKS };

  it('declares nothing where the state still holds what another edit would take out', async () => {
    const { apply, changed } = world(files, [await old(files, '.')], { '.': [OLD] });
    await expect(apply()).rejects.toMatchObject({ code: 'CONFIG_EDIT_REFUSED' });
    expect(changed()).toEqual([]);
  });

  it('takes no block out of which the state has another instance by now', async () => {
    const { apply, changed } = world(files, [await old(files, '.')], {
      '.': [RULESET, { ...OLD, instances: [{ ...resourceOf.instances[0]!, index_key: 'b' }] }],
    });
    await expect(apply()).rejects.toMatchObject({
      code: 'CONFIG_EDIT_REFUSED',
      message: expect.stringContaining('still has cloudflare_waf_package.owasp["b"]'),
    });
    expect(changed()).toEqual([]);
  });

  it('takes out what is gone, and holds a declaration back whose ruleset is not imported', async () => {
    const { apply, changed, plan } = world(files, [await old(files, '.')], { '.': [] });
    const { steps, findings } = await apply();
    expect(changed()).toEqual(['main.tf']);
    const declaring = plan.steps.find(({ kind, addresses }) => kind === 'edit' && addresses)!.id;
    expect(steps).toContainEqual({ id: declaring, status: 'due' });
    expect(findings).toEqual([
      expect.objectContaining({ code: 'EDIT_HELD_BACK', subject: `step ${declaring}` }),
    ]);
  });

  it('takes a block out though the module of a zone that stays has one of its name', async () => {
    const { files, states } = await modulesAlike();
    const { apply, changed } = world(files, states, {
      '.': [RULESET, { ...OLD, module: 'module.b' }],
    });
    await apply();
    expect(changed()).toEqual(['a/main.tf', 'waf.tf']);
  });

  it('takes no block out of a module whose resource the state holds', async () => {
    const { files, states } = await modulesAlike();
    const { apply, changed } = world(files, states, {
      '.': [RULESET, { ...OLD, module: 'module.a' }],
    });
    await expect(apply()).rejects.toMatchObject({
      code: 'CONFIG_EDIT_REFUSED',
      message: expect.stringContaining('still has module.a.cloudflare_waf_package.owasp'),
    });
    expect(changed()).toEqual([]);
  });

  it('takes no firewall rule out of the files that the state holds: provider 4 would delete it', async () => {
    const files = { 'main.tf': 'resource "cloudflare_firewall_rule" "r" {}\n' };
    const state = stateFacts({
      ...{ lineage: 'l', serial: 1, configuration: await configuration(files) },
      ...{ installed: '4.52.8', wanted: '5.22.0', legacyResources: [], retired: [firewallRule] },
    });
    const { apply, changed, plan } = world(files, [state], {
      '.': [{ type: 'cloudflare_firewall_rule', name: 'r' }],
    });
    expect(plan.steps.flatMap(({ edits = [] }) => edits.map(({ file }) => file))).toContain(
      'main.tf',
    );
    await expect(apply()).rejects.toMatchObject({ code: 'CONFIG_EDIT_REFUSED' });
    expect(changed()).toEqual([]);
  });

  describe('with method blocks, while the state has the resource', () => {
    const DATA = { mode: 'data', type: 'cloudflare_waf_rules', name: 'all' };
    const forgets = renderHclBlocks({ imports: [], removed: [`${OLD.type}.${OLD.name}`] });

    /** @param text of the file that adds `import` and `removed` blocks, in place of the planned one */
    async function editing(files: Record<string, string>, text?: string) {
      const state = await old(files, '.');
      const { steps, ...plan } = planMigration([declaredZone], [state], 'blocks');
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
      const { apply, changed } = world(
        files,
        [state],
        { '.': [OLD, DATA] },
        { ...plan, steps: edited },
      );
      const code = await apply().then(
        () => 'done',
        (error: unknown) => (error as { code: string }).code,
      );
      return [code, changed()];
    }

    it('removes the block, and adds a removed block', async () => {
      expect(await editing(files)).toEqual(['done', ['main.tf', 'waf.tf']]);
    });

    it('removes the block of a data source without one, because Terraform destroys none', async () => {
      const data = `${OLD_BLOCKS}data "${DATA.type}" "${DATA.name}" {}\n`;
      expect(await editing({ 'main.tf': data })).toEqual(['done', ['main.tf', 'waf.tf']]);
    });

    it('removes the block where the configuration has a removed block', async () => {
      const more = { ...files, 'more.tf': forgets };
      expect(await editing(more)).toEqual(['done', ['main.tf', 'waf.tf']]);
    });

    it.each([
      ['none', ''],
      ['one of another resource', forgets.replace('owasp', 'other')],
      ['one that destroys', forgets.replace('false', 'true')],
    ])('removes no block with this removed block: %s', async (_, text) => {
      expect(await editing(files, text)).toEqual(['CONFIG_EDIT_REFUSED', []]);
    });
  });

  it.each<[string, (steps: readonly Step[]) => readonly Step[]]>([
    ['unchanged', (steps) => steps],
    ['without the removal', (steps) => steps.filter(({ kind }) => kind !== 'remove')],
  ])(
    'removes no block of a resource that another state has, whatever its plan says: %s',
    async (_, change) => {
      const { steps, ...plan } = planMigration(zones, await sharing());
      const edited = change(steps).map((step) => ({ ...step, states: [step.state] }));
      const now = { 'roots/a': [], 'roots/b': [{ ...OLD, module: 'module.waf' }] };
      const { apply, changed } = world(moduleFiles, await sharing(), now, {
        ...plan,
        steps: edited,
      });
      await expect(apply()).rejects.toMatchObject({
        code: 'CONFIG_EDIT_REFUSED',
        message: expect.stringContaining(
          'state b still has module.waf.cloudflare_waf_package.owasp',
        ),
      });
      expect(changed()).toEqual([]);
    },
  );

  it('declares a ruleset that the state has', async () => {
    const { apply, changed } = world(files, [await old(files, '.')], { '.': [RULESET] });
    expect((await apply()).findings).toBeUndefined();
    expect(changed()).toEqual(['main.tf', 'waf.tf']);
  });

  it('makes none of its edits where another state still holds what one of them would take out', async () => {
    const two = { 'roots/a/main.tf': OLD_BLOCKS, 'roots/b/main.tf': OLD_BLOCKS };
    const states = [await old(two, 'roots/a'), await old(two, 'roots/b')];
    const { apply, changed } = world(two, states, { 'roots/a': [], 'roots/b': [OLD] });
    await expect(apply()).rejects.toMatchObject({ code: 'CONFIG_EDIT_REFUSED' });
    expect(changed()).toEqual([]);
  });

  it('makes none of its edits where a file of another one is not as it was planned for', async () => {
    const two = { 'roots/a/main.tf': OLD_BLOCKS, 'roots/b/main.tf': OLD_BLOCKS };
    const states = [await old(two, 'roots/a'), await old(two, 'roots/b')];
    const { apply, changed, write } = world(two, states, { 'roots/a': [], 'roots/b': [] });
    write('roots/b/main.tf', `# of somebody else\n${OLD_BLOCKS}`);
    await expect(apply()).rejects.toMatchObject({
      code: 'CONFIG_CHANGED',
      message: 'roots/b/main.tf was changed since the plan was made',
    });
    expect(changed()).toEqual(['roots/b/main.tf']);
  });

  it.each(['a', 'b'])(
    'leaves the blocks of a shared module while state %s has some',
    async (one) => {
      const held = { [`roots/${one}`]: [{ ...OLD, module: 'module.waf' }] };
      const now = { 'roots/a': [], 'roots/b': [], ...held };
      const { apply, changed } = world(moduleFiles, await sharing(), now);
      await expect(apply()).rejects.toMatchObject({
        code: 'CONFIG_EDIT_REFUSED',
        message: expect.stringContaining(`state ${one} still has`),
      });
      expect(changed()).toEqual([]);
    },
  );

  it('takes the blocks of a shared module out once no state has any', async () => {
    const { apply, changed } = world(moduleFiles, await sharing(), {
      'roots/a': [],
      'roots/b': [],
    });
    await apply();
    expect(changed()).toEqual([MODULE]);
  });
});

it.each(['a', 'b'])(
  'apply --only edits leaves a file to which two folders have a link while state %s has some of its blocks',
  async (holding) => {
    const folder = temporaryFolder();
    const linked = async (dir: string, zoneId: string): Promise<StateFacts> => {
      mkdirSync(join(folder, dir));
      symlinkSync('../shared/main.tf', join(folder, dir, 'main.tf'));
      return stateFacts({
        ...{ name: dir, dir, lineage: 'l', serial: 1 },
        configuration: await requireConfiguration(dir, folder),
        legacyResources: [legacyResource('cloudflare_waf_package.owasp', { zoneId })],
      });
    };
    mkdirSync(join(folder, 'shared'));
    writeFileSync(join(folder, 'shared/main.tf'), OLD_BLOCKS);
    const facts = [await linked('a', declaredZone.zoneId), await linked('b', OTHER_ZONE)];
    const stateOf = (dir: string): string =>
      stateText(1, dir === holding ? [{ ...resourceOf, name: 'owasp' }] : []);
    const files = { 'a/state.json': stateOf('a'), 'b/state.json': stateOf('b') };
    const { apply, text } = planFolder(planMigration(zones, facts), files, '', folder);
    await expect(apply({ only: 'edits' })).rejects.toMatchObject({
      code: 'CONFIG_EDIT_REFUSED',
      message: expect.stringContaining(`state ${holding} still has`),
    });
    expect(text('shared/main.tf')).toBe(OLD_BLOCKS);
  },
);
