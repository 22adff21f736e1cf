import { type Plan } from '../../src/plan/plan-schema';
import { errorOf } from '../support/cli-lab';
import {
  apply,
  applySettings,
  changeLiveRuleset,
  makePlan,
  rollback,
  stateNow,
} from '../support/apply-world';
import { nextCommands } from '../support/next-commands';
import { acceptAll, journalOf } from '../support/plans';
import { inWorld, type World } from '../support/world';

const RULESET = 'cloudflare_ruleset.managed_rules';
const UNRELATED = 'terraform_data.theirs';

/** Beside the legacy resources, an unrelated one that Terraform would update in place. */
function addUnrelated({ lab, state }: World): void {
  const document = JSON.parse(state) as { resources: object[] };
  // the form in which Terraform writes a value of any type
  const old = { value: 'old', type: 'string' };
  const attributes = { id: 'x', input: old, output: old, triggers_replace: null };
  document.resources.push({
    mode: 'managed',
    type: 'terraform_data',
    name: 'theirs',
    provider: 'provider["terraform.io/builtin/terraform"]',
    instances: [{ schema_version: 0, attributes }],
  });
  lab.write('terraform.tfstate', document);
  lab.write('theirs.tf', 'resource "terraform_data" "theirs" {\n  input = "new"\n}\n');
}

it('a difference of another resource is accepted by its name, and is not carried out', () =>
  inWorld(applySettings, async (world) => {
    const { lab } = world;
    addUnrelated(world);
    await makePlan(world, 'removing');
    const dirty = await lab.cli('rehearse plan.json --json');
    expect([dirty.code, JSON.parse(dirty.stdout).changes]).toEqual([
      2,
      [{ address: UNRELATED, actions: ['update'], attributes: ['input', 'output'] }],
    ]);
    expect(nextCommands((await lab.cli('rehearse plan.json')).stdout)).toEqual([
      `cf-waf-migrate rehearse plan.json --accept ${UNRELATED}`,
    ]);
    const named = `--accept ${UNRELATED} --json`;
    const clean = await lab.cli(`rehearse plan.json ${named}`);
    expect([clean.code, JSON.parse(clean.stdout)]).toMatchObject([
      0,
      { verdict: 'clean', accepted: [{ address: UNRELATED, by: [UNRELATED] }] },
    ]);

    lab.write(
      'theirs.tf',
      `moved {\n  from = ${UNRELATED}\n  to = terraform_data.ours\n}\nresource "terraform_data" "ours" {\n  input = "new"\n}\n`,
    );
    const moved = await lab.cli('rehearse plan.json --accept terraform_data.ours');
    expect(moved.stdout).toContain(
      'Clean: on a copy, every step worked and the last plan makes only the accepted changes.\nAccepted: terraform_data.ours (move and update: input, output)\n',
    );
    addUnrelated(world);

    const stopped = await lab.cli('apply plan.json --yes --json');
    expect([stopped.code, errorOf(stopped).code]).toEqual([1, 'PLAN_NOT_EMPTY']);
    expect(nextCommands((await lab.cli('verify plan.json')).stdout)).toEqual([
      `cf-waf-migrate apply plan.json --accept ${UNRELATED}`,
    ]);
    const applied = await lab.cli(`apply plan.json --yes ${named} --accept a.b`);
    expect([applied.code, JSON.parse(applied.stdout)]).toMatchObject([
      0,
      {
        accepted: [{ address: UNRELATED, attributes: ['input', 'output'], by: [UNRELATED] }],
      },
    ]);
    const theirs = stateNow(world).resources.find(
      (one) => (one as { name: string }).name === 'theirs',
    );
    expect(theirs).toMatchObject({
      instances: [{ attributes: { id: 'x', input: { value: 'old' } } }],
    });

    expect((await lab.cli('verify plan.json --json')).code).toBe(2);
    const verified = await lab.cli(`verify plan.json ${named}`);
    expect([verified.code, JSON.parse(verified.stdout).differences]).toEqual([0, []]);
    const shown = await lab.cli(`verify plan.json --accept ${UNRELATED}`);
    expect(shown.stdout).toContain(`Accepted: ${UNRELATED} (input, output)`);
    const again = await lab.cli(`apply plan.json --yes --accept ${UNRELATED}`);
    expect(again.stdout).toMatch(
      new RegExp(`\\nNext:\\n {2}cf-waf-migrate verify plan\\.json --accept ${UNRELATED}\\n$`),
    );
  }));

it('a difference of another resource in a plan of blocks: no --accept is offered, which apply would refuse', () =>
  inWorld(applySettings, async (world) => {
    const { lab } = world;
    addUnrelated(world);
    await makePlan(world, 'blocks');
    const { code, stdout } = await lab.cli('rehearse plan.json');
    expect([code, stdout]).toEqual([2, expect.stringContaining(`${UNRELATED} (update`)]);
    expect([stdout.includes('--accept'), nextCommands(stdout)]).toEqual([
      false,
      ['cf-waf-migrate rehearse plan.json'],
    ]);
    const stopped = errorOf(await lab.cli(`apply plan.json --yes --json --accept ${UNRELATED}`));
    expect([stopped.code, stopped.hint.includes('--accept')]).toEqual(['PLAN_NOT_EMPTY', false]);
  }));

it('nothing that is applied is accepted: an import with a change stops, whatever is named', () =>
  inWorld(applySettings, async (world) => {
    const { lab } = world;
    await makePlan(world, 'blocks');
    await changeLiveRuleset(world);
    lab.asked();
    const rehearsed = JSON.parse((await lab.cli('rehearse plan.json --json')).stdout);
    expect(rehearsed.changes[0].actions).toEqual(['import', 'update']);
    const stopped = await lab.cli(`apply plan.json --yes --json --accept ${RULESET}`);
    expect([stopped.code, errorOf(stopped).code]).toEqual([1, 'PLAN_NOT_EMPTY']);
    expect(lab.asked().filter((line) => !line.startsWith('GET '))).toEqual([]);
    expect(stateNow(world)).toMatchObject({ serial: 1 });
    // a list names no address to accept, and the rollback of each plan
    lab.write('zones.txt', `${world.zoneIds[0]!}\n`);
    const listed = await lab.cli('apply plan.json --zones zones.txt --yes');
    expect(listed.stdout).toContain('(PLAN_NOT_EMPTY)');
    expect(listed.stdout).toMatch(/\n {4}cf-waf-migrate rollback \S+\.journal\.jsonl\n/);
    const accepted = await lab.cli(`apply plan.json --zones zones.txt --accept ${RULESET}`);
    expect([accepted.code, accepted.stderr]).toEqual([64, expect.stringContaining('one plan')]);
  }));

it.each<[string, string, string[]]>([
  ['commands, removing first', '--method auto', []],
  // Terraform writes outputs with an import, and here the import comes before the edit
  ['commands, importing first', '--from 3', ['output.legacy']],
  ['blocks', '--from 3 --method blocks', ['output.legacy']],
])(
  'an output that the plan removes is no difference, and is named where Terraform still has to write it: %s',
  (_, flags, named) =>
    inWorld(applySettings, async (world) => {
      const { lab, zoneIds, state, addresses } = world;
      const outputs = { legacy: { value: '100000', type: 'string' } };
      lab.write('terraform.tfstate', { ...(JSON.parse(state) as object), outputs });
      const [address] = addresses.filter((one) => one.startsWith('cloudflare_waf_rule.'));
      lab.write('outputs.tf', `output "legacy" {\n  value = ${address!}.rule_id\n}\n`);
      const planned = await lab.cli(`plan ${flags} --zone ${zoneIds[0]!} --dir . --out plan.json`);
      expect(planned.code).toBe(2);
      const { findings } = JSON.parse(lab.read('plan.json')) as Plan;
      expect(findings.map(({ code }) => code)).toContain('OUTPUTS_REMOVED');
      const rehearsed = await lab.cli('rehearse plan.json --json');
      expect([rehearsed.stderr, JSON.parse(rehearsed.stdout)]).toMatchObject([
        expect.anything(),
        { verdict: 'clean', changes: [] },
      ]);
      const { accepted = [] } = JSON.parse(rehearsed.stdout) as {
        accepted?: { address: string }[];
      };
      expect(accepted.map(({ address: one }) => one)).toEqual(named);
      const applied = await lab.cli(['apply', 'plan.json', '--yes', ...acceptAll({ findings })]);
      expect([applied.code, applied.stdout.includes('output.legacy (removed)')]).toEqual([
        0,
        named.length > 0,
      ]);
    }),
);

describe('an output that the files declare no more', () => {
  const NAME = 'output.old_rule';
  /** The output after its reference to a legacy resource was deleted. */
  function addOutput({ lab, state }: World): void {
    const outputs = { old_rule: { value: '100000', type: 'string' } };
    lab.write('terraform.tfstate', { ...(JSON.parse(state) as object), outputs });
  }

  it('needs no flag in any command, with method blocks', () =>
    inWorld(applySettings, async (world) => {
      const { lab } = world;
      addOutput(world);
      const plan = await makePlan(world, 'blocks');
      const rehearsed = await lab.cli('rehearse plan.json');
      expect([rehearsed.code, rehearsed.stdout]).toEqual([
        0,
        expect.stringContaining(`\nThe next \`terraform apply\` records: ${NAME} (removed)\n`),
      ]);

      const applied = await apply(world);
      expect([applied.code, JSON.parse(applied.stdout)]).toMatchObject([
        0,
        { accepted: [{ address: NAME, actions: ['delete'], by: [] }] },
      ]);
      const left = Object.keys((stateNow(world) as unknown as { outputs: object }).outputs);
      expect(left).toEqual([]);
      expect((await lab.cli('verify plan.json')).code).toBe(0);

      expect((await rollback(world, journalOf(plan))).code).toBe(0);
      expect(stateNow(world)).toMatchObject({ outputs: { old_rule: { value: '100000' } } });
    }));
});
