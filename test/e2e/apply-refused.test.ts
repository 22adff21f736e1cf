import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  apply,
  applySettings,
  errorOf,
  expectMigrated,
  makePlan,
  type Method,
  rollback,
  stateNow,
} from '../support/apply-world';
import { addRulesetOfThree, declareOther, OTHER } from '../support/ruleset-of-three';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { inWorld, type World } from '../support/world';

const RULESET = 'cloudflare_ruleset.managed_rules';
const rehearsing = ({ lab }: World) =>
  runCli(['rehearse', 'plan.json', '--json'], { cwd: lab.dir, environment: lab.environment });

/** Every file of the project with what it holds. */
const contents = ({ lab }: World): Record<string, string> =>
  Object.fromEntries(
    readdirSync(lab.dir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(lab.dir.length + 1))
      .map((file) => [file, lab.read(file)]),
  );

/** Somebody gives the live ruleset another name: under every provider that is another ruleset. */
async function renameLive({ lab, zoneIds, rulesetIds }: World): Promise<void> {
  const { baseUrl, credentials } = lab.emulator;
  const id = 'efb7b8c949ac4650a09736fc376e9aee';
  const rule = { action: 'execute', expression: 'true', action_parameters: { id } };
  const answer = await fetch(`${baseUrl}/zones/${zoneIds[0]!}/rulesets/${rulesetIds[0]!}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${credentials.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'somebody else named it', rules: [rule] }),
  });
  expect(answer.status).toBe(200);
}

/** What a project has that is dangerous: before it is planned, and between plan and rehearsal. */
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
  'create one, which nobody imported': {
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

describe.each(['removing', 'blocks'] as const)('a project of order %s', (method) => {
  it.each(Object.entries(dangers))(
    'that would %s: rehearsal and apply stop, and the service sees no write',
    (_name, { actions, address, zones, before, after }) =>
      inWorld({ ...applySettings, zones }, async (world) => {
        const { lab } = world;
        await before(world, method);
        await makePlan(world, method);
        await after(world);
        const was = contents(world);
        lab.asked();
        const stopped = await rehearsing(world);
        if (stopped.stdout === '') throw new Error(stopped.stderr);
        const { verdict, changes } = JSON.parse(stopped.stdout) as {
          verdict: string;
          changes: { address: string; actions: string[] }[];
        };
        expect([stopped.code, verdict]).toEqual([2, 'dirty']);
        const planned = changes.find((one) => one.address === address)!.actions;
        expect(planned.filter((one) => one !== 'import').sort()).toEqual(actions);
        expect(contents(world)).toEqual(was);

        // no flag overrides it
        const flags = ['--accept', `${address}:name`, '--accept', `${address}:rules`];
        const applied = await runCli(['apply', 'plan.json', '--yes', '--json', ...flags], {
          cwd: lab.dir,
          environment: lab.environment,
        });
        expect([applied.code, errorOf(applied).code]).toEqual([1, 'PLAN_NOT_EMPTY']);
        expect(lab.asked().filter((line) => !line.startsWith('GET '))).toEqual([]);
      }),
  );
});

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

describe('a folder that moved', () => {
  it('as a whole, with its plan: before apply, and before the rollback', () =>
    inWorld({ ...applySettings, backend: 'http' }, async (world) => {
      const { lab } = world;
      const before = { text: lab.read('main.tf'), state: await stateNow(world) };
      const plan = await makePlan(world, 'removing');
      const elsewhere = join(temporaryFolder(), 'elsewhere');
      cpSync(lab.dir, elsewhere, { recursive: true });
      const away = `${lab.dir}-away`;
      renameSync(lab.dir, away);
      try {
        const options = { cwd: elsewhere, environment: lab.environment };
        const applied = await runCli(['apply', 'plan.json', '--yes'], options);
        expect([applied.code, applied.stderr.includes('error')]).toEqual([0, false]);
        const third = join(temporaryFolder(), 'third');
        renameSync(elsewhere, third);
        const journal = `cf-waf-migrate-backup/${plan.digest.slice(0, 12)}.journal.jsonl`;
        const back = await runCli(['rollback', join(third, journal), '--yes'], {
          ...options,
          cwd: dirname(third),
        });
        expect([back.stderr, back.code]).toEqual(['', 0]);
        cpSync(third, away, { recursive: true });
      } finally {
        renameSync(away, lab.dir);
      }
      expect(lab.read('main.tf')).toBe(before.text);
      expect((await stateNow(world)).resources).toEqual(before.state.resources);
    }));

  it('without its plan, or a plan without its folder, is refused: nothing is changed', () =>
    inWorld({ ...applySettings, backend: 'http' }, async (world) => {
      const { lab, http } = world;
      await makePlan(world, 'removing');
      const alone = temporaryFolder();
      cpSync(join(lab.dir, 'plan.json'), join(alone, 'plan.json'));
      http!.clearLog();
      const options = { cwd: alone, environment: lab.environment };
      for (const args of [
        ['apply', 'plan.json', '--yes', '--json'],
        ['rehearse', 'plan.json', '--json'],
      ]) {
        const refused = await runCli(args, options);
        expect([refused.code, errorOf(refused).code]).toEqual([1, 'STATE_CHANGED']);
      }
      expect([http!.writes(), http!.locks()]).toEqual([0, 0]);
      // its journal, taken elsewhere without the rest
      const { journal } = JSON.parse((await apply(world)).stdout) as { journal: string };
      const lost = join(alone, journal);
      mkdirSync(dirname(lost), { recursive: true });
      cpSync(join(lab.dir, journal), lost);
      const text = lab.read('main.tf');
      const back = await runCli(['rollback', lost, '--yes', '--json'], options);
      expect([back.code, errorOf(back).code]).toEqual([1, 'FILE_UNREADABLE']);
      expect(lab.read('main.tf')).toBe(text);
      await expectMigrated(world);
    }));
});

describe('a backend', () => {
  it.each([
    [
      'without the state that was planned for',
      (world: World) => {
        rmSync(join(world.lab.dir, 'terraform.tfstate'));
      },
      'STATE_CHANGED',
    ],
    [
      'that is not initialised',
      ({ lab }: World) => {
        lab.write('backend.tf.json', {
          terraform: { backend: { http: { address: 'http://127.0.0.1:9/state' } } },
        });
      },
      'TERRAFORM_FAILED',
    ],
    [
      'whose folder is gone',
      ({ lab }: World) => {
        lab.write('plan-copy.json', lab.read('plan.json'));
        for (const file of readdirSync(lab.dir)) {
          if (file.endsWith('.tf')) rmSync(join(lab.dir, file));
        }
        rmSync(join(lab.dir, 'terraform.tfstate'));
      },
      'STATE_CHANGED',
    ],
  ])('%s is refused by apply and rehearse, before anything is changed', (_name, change, code) =>
    inWorld(applySettings, async (world) => {
      await makePlan(world, 'removing');
      change(world);
      const was = contents(world);
      for (const run of [() => apply(world), () => rehearsing(world)]) {
        const refused = await run();
        expect([refused.code, errorOf(refused).code]).toEqual([1, code]);
      }
      expect(contents(world)).toEqual(was);
    }),
  );

  it('that is down when it is to be rolled back: nothing is changed, and later it is', () =>
    inWorld({ ...applySettings, backend: 'http' }, async (world) => {
      const { lab, http } = world;
      const text = lab.read('main.tf');
      await makePlan(world, 'removing');
      const { journal } = JSON.parse((await apply(world)).stdout) as { journal: string };
      http!.refusePush(500);
      const failed = await rollback(world, journal);
      expect([failed.code, failed.stderr.includes('TERRAFORM_FAILED')]).toEqual([1, true]);
      http!.refusePush(null);
      expect((await rollback(world, journal)).code).toBe(0);
      expect(lab.read('main.tf')).toBe(text);
      expect(existsSync(join(lab.dir, journal))).toBe(true);
    }));
});
