import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Plan, withDigest } from '../../src/plan/plan';
import { apply, applySettings, makePlan, stateNow } from '../support/apply-world';
import { inWorld } from '../support/world';

/** Changes a plan in place. */
type Edit = (plan: any) => unknown;

const step = (plan: Plan, kind: string): any => plan.steps.find((one) => one.kind === kind);
const renumber = (plan: any): void => {
  plan.steps = plan.steps.map((one: any, at: number) => ({ ...one, id: String(at + 1) }));
};
const without =
  (kind: string): Edit =>
  (plan) => {
    plan.steps.splice(
      plan.steps.findLastIndex((one: any) => one.kind === kind),
      1,
    );
    renumber(plan);
  };
/** The removal of one more address, in all places that name removed addresses. */
const removing =
  (address: string): Edit =>
  (plan) => {
    for (const kind of ['remove-dry-run', 'remove']) {
      const { runs, addresses } = step(plan, kind);
      addresses.push(address);
      runs[0].argv.push(address);
    }
    step(plan, 'remove').expects.gone = step(plan, 'remove').addresses;
  };

const ofAll: Readonly<Record<string, Edit>> = {
  'the backup removed': without('backup'),
  'the backup at the end': (plan) => {
    plan.steps.push(plan.steps.shift());
    renumber(plan);
  },
  'the last check removed': without('check'),
  'the last check without its proof': (plan) => delete plan.steps.at(-1).expects,
  'an id twice': (plan) => (plan.steps[1].id = '1'),
  'an id of 400 digits': (plan) => (plan.steps[1].id = '9'.repeat(400)),
  'an id of other digits': (plan) => (plan.steps[0].id = '01'),
  'a backup in another file': (plan) =>
    (step(plan, 'backup').runs[0].saveTo = 'cf-waf-migrate-backup/other-1.tfstate'),
  'a step of another state': (plan) => (plan.steps[0].state = 'other'),
};
const ofCommands: Readonly<Record<string, Edit>> = {
  ...ofAll,
  'the dry run removed': without('remove-dry-run'),
  'the removal removed': without('remove'),
  'the import removed': without('import'),
  'no address gone': (plan) => (step(plan, 'remove').expects.gone = []),
  'a removal of the imported ruleset': removing('cloudflare_ruleset.managed_rules'),
  'a removal of another ruleset': removing('cloudflare_ruleset.other'),
  'a removal of another resource': removing('cloudflare_zone.zone'),
  'a removal of a resource of another provider': removing('aws_instance.one'),
  'a removal of another ruleset that nothing imports again': (plan) => {
    const address = 'cloudflare_ruleset.other';
    const removal = step(plan, 'remove');
    const argv = ['terraform', 'state', 'rm', address];
    const runs = [{ argv }];
    const again = { ...removal, runs, addresses: [address], expects: { gone: [address] } };
    plan.steps.splice(Number(plan.steps.indexOf(removal)) + 1, 0, again);
    renumber(plan);
  },
  'an import of another ruleset': (plan) => {
    const one = step(plan, 'import');
    one.importId = one.runs[0].argv[4] = String(one.importId).replace(/.$/, 'x');
  },
  'an init that installs from another folder': (plan) => {
    const argv = ['terraform', 'init', '-plugin-dir=x', '-upgrade', '-input=false'];
    const kind = 'upgrade-provider';
    plan.steps.splice(1, 0, { ...plan.steps[0], kind, runs: [{ argv }], provider: '3.35.0' });
    renumber(plan);
  },
};
const edits: Readonly<Record<'removing' | 'blocks', Readonly<Record<string, Edit>>>> = {
  removing: ofCommands,
  blocks: {
    ...ofAll,
    'no address gone': (plan) => (step(plan, 'apply-blocks').expects.gone = []),
    'an apply of everything': (plan) => step(plan, 'apply-blocks').runs[2].argv.pop(),
  },
};

it.each(['removing', 'blocks'] as const)(
  'a plan of order %s that was edited is refused, though its digest is right',
  (method) =>
    inWorld({ ...applySettings, backend: 'http' }, async (world) => {
      const { lab, http } = world;
      const { digest, ...plan } = await makePlan(world, method);
      const before = stateNow(world);
      http!.clearLog();
      const taken: string[] = [];
      for (const [name, edit] of Object.entries(edits[method])) {
        const edited = structuredClone(plan);
        edit(edited);
        lab.write('plan.json', JSON.stringify(withDigest(edited)));
        for (const command of ['apply', 'rehearse', 'verify']) {
          const flags = command === 'apply' ? ['--yes'] : [];
          const run = await lab.cli([command, 'plan.json', '--json', ...flags]);
          if (run.code !== 1 || !/"code":\s*"PLAN_INVALID"/.test(run.stderr))
            taken.push(`${command}: ${name}: ${run.code} ${run.stderr.slice(0, 200)}`);
        }
      }
      expect(digest).toMatch(/^[0-9a-f]{64}$/);
      expect(taken).toEqual([]);
      expect([http!.writes(), http!.locks(), stateNow(world)]).toEqual([0, 0, before]);
      expect(existsSync(join(lab.dir, 'cf-waf-migrate-backup'))).toBe(false);
      const bare: any = structuredClone(plan);
      bare.states[0].lineage = '';
      without('backup')(bare);
      lab.write('plan.json', JSON.stringify(withDigest(bare)));
      expect((await apply(world)).code).toBe(1);
      expect([http!.writes(), stateNow(world)]).toEqual([0, before]);
    }),
  300_000,
);
