import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorOf, jsonOf } from '../support/cli-lab';
import { folderContents } from '../support/temporary-folder';
import { applySettings, changeLiveRuleset, makePlan, type Method } from '../support/apply-world';
import { addRulesetOfThree, declareOther, OTHER } from '../support/provider3-ruleset';
import { inWorld, type World } from '../support/world';

const RULESET = 'cloudflare_ruleset.managed_rules';
const rehearsing = ({ lab }: World) => lab.cli('rehearse plan.json --json');

/** Another user renames the live ruleset: every provider treats it as another ruleset. */
const renameLive = (world: World) => changeLiveRuleset(world, { name: 'another name' });

/** Dangerous changes of a project: before the plan, and between plan and rehearsal. */
interface Danger {
  readonly actions: readonly string[];
  readonly address: string;
  readonly zones: number;
  readonly before: (world: World, method: Method) => Promise<void> | void;
  readonly after: (world: World) => Promise<void> | void;
}

const dangers: Record<string, Danger> = {
  'replace it, whose name was changed': {
    actions: ['create', 'delete'],
    address: RULESET,
    zones: 1,
    // the user's own declaration, which lacks what `generate` writes
    before: async (world, method) => {
      const { lab } = world;
      const { steps } = await makePlan(world, method);
      const edits = steps.flatMap((step) => step.edits ?? []);
      const { insert = '' } = edits.find(({ file }) => file === 'managed_rules.tf')!;
      lab.write('managed_rules.tf', insert.replace(/ *lifecycle \{[^}]*\}\n/, ''));
      expect(lab.read('managed_rules.tf')).not.toContain('prevent_destroy');
      rmSync(join(lab.dir, 'plan.json'));
    },
    after: renameLive,
  },
  'delete one, whose block is gone': {
    actions: ['delete'],
    address: OTHER,
    zones: 2,
    before: (world) => {
      addRulesetOfThree(world, 3);
    },
    after: ({ lab }) => {
      rmSync(join(lab.dir, 'other.tf.json'));
    },
  },
  'create one, which was not imported': {
    actions: ['create'],
    address: OTHER,
    zones: 2,
    before: (world) => {
      const { lab } = world;
      addRulesetOfThree(world, 3);
      rmSync(join(lab.dir, 'other.tf.json'));
      const state = JSON.parse(lab.read('terraform.tfstate')) as { resources: { name: string }[] };
      const resources = state.resources.filter(({ name }) => name !== 'other');
      lab.write('terraform.tfstate', { ...state, resources });
    },
    after: ({ lab, zoneIds }) => {
      declareOther(lab, zoneIds[1]!, 3);
    },
  },
};

const cases = Object.entries(dangers).map(([name, danger]) => ({ name, ...danger }));
it.each([
  ...cases.map((danger) => ({ ...danger, method: 'removing' as const })),
  { ...cases[0]!, method: 'blocks' as const },
])(
  'a project of order $method that would $name: rehearsal and apply stop, and nothing is written',
  ({ method, actions, address, zones, before, after }) =>
    inWorld({ ...applySettings, zones }, async (world) => {
      const { lab } = world;
      await before(world, method);
      await makePlan(world, method);
      await after(world);
      const was = folderContents(lab.dir);
      lab.asked();
      const stopped = await rehearsing(world);
      const { verdict, changes } = jsonOf(stopped);
      expect([stopped.code, verdict]).toEqual([2, 'dirty']);
      const planned: string[] = changes.find((one: any) => one.address === address).actions;
      expect(planned.filter((one) => one !== 'import').sort()).toEqual(actions);
      expect(folderContents(lab.dir)).toEqual(was);

      // no flag overrides it
      const applied = await lab.cli(`apply plan.json --yes --json --accept ${address}`);
      expect([applied.code, errorOf(applied).code]).toEqual([1, 'PLAN_NOT_EMPTY']);
      expect(lab.asked().filter((line) => !line.startsWith('GET '))).toEqual([]);
    }),
);

it('what `generate` declares is kept by Terraform itself from being replaced', () =>
  inWorld(applySettings, async (world) => {
    const { lab } = world;
    await makePlan(world, 'blocks');
    await renameLive(world);
    lab.asked();
    const stopped = await rehearsing(world);
    expect(errorOf(stopped)).toMatchObject({
      code: 'TERRAFORM_FAILED',
      message: expect.stringContaining('Instance cannot be destroyed'),
    });
    expect(lab.asked().filter((line) => !line.startsWith('GET '))).toEqual([]);
  }));
