import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { writeSteps } from '../../src/plan/steps/orders';
import { passFlags, parseTerraformFlags } from '../../src/plan/steps/terraform-flags';
import { withDigest } from '../../src/plan/plan-schema';
import {
  OLD,
  RULESET,
  appliedFolder,
  oldText,
  plannedZone,
  resource,
  stateText,
  stepFacts,
} from '../support/applied-folder';
import { nextCommands } from '../support/next-commands';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';

it('verify misses a ruleset that the state has had before, and does not compare another state', async () => {
  const { cli, write, plan } = appliedFolder({ zones: [plannedZone('b')] });
  write('plan.json', JSON.stringify(plan));
  const ran = await cli('verify', 'plan.json');
  expect([ran.code, ran.stdout]).toEqual([
    2,
    expect.stringContaining(`main: ${RULESET}.b: is not in the state`),
  ]);
  write('state.json', stateText(3, [], { lineage: 'other' }));
  expect((await cli('verify', 'plan.json')).stdout).toContain('main: is not the state that the');
});

it('verify of an applied plan in another folder leads to the status of its folder', async () => {
  const { cliIn, folder, write, plan } = appliedFolder({ events: [{ event: 'end' }] });
  write('plan.json', JSON.stringify(plan));
  write('state.json', stateText(1, [resource(OLD)]));
  const { code, stdout } = await cliIn(dirname(folder), 'verify', `${basename(folder)}/plan.json`);
  expect([code, nextCommands(stdout)]).toEqual([
    2,
    [`cf-waf-migrate status --dir ${basename(folder)}`],
  ]);
});

it('verify of a stack leads to the status of the whole program, whose other stacks share its constructs', async () => {
  const { cliIn, folder, write, plan } = appliedFolder({ events: [{ event: 'end' }] });
  write('plan.json', JSON.stringify(plan));
  const program = temporaryFolder();
  mkdirSync(join(program, 'cdktf.out/stacks'), { recursive: true });
  writeFileSync(join(program, 'cdktf.json'), '{ "app": "true" }');
  renameSync(folder, join(program, 'cdktf.out/stacks/waf'));
  const { code, stdout } = await cliIn(program, 'verify', 'cdktf.out/stacks/waf/plan.json');
  expect([code, nextCommands(stdout)]).toEqual([0, ['cf-waf-migrate status']]);
});

describe('a CDKTF program of which another stack declares the ruleset too', () => {
  const { zoneId, ruleset } = plannedZone('b');
  const path = 'cdktf.out/stacks';
  const stackOf = (zone_id: string, more: object = {}) => {
    const b = { zone_id, phase: 'http_request_firewall_managed' };
    return JSON.stringify({ resource: { [RULESET]: { b } }, ...more });
  };
  const overrides = {
    import: [{ to: ruleset.address, id: ruleset.importId }],
    removed: [{ from: `${OLD}.a`, lifecycle: { destroy: false } }],
  };

  const imported = { ...resource(RULESET, { id: ruleset.id }), name: 'b' };

  /** The folder of a plan, as the stack `waf` of a program with the stack `beta`. */
  function program(applied: Parameters<typeof appliedFolder>[0], other = zoneId) {
    const { cliIn, folder, write, plan } = appliedFolder(applied);
    write('plan.json', JSON.stringify(plan));
    write('cdk.tf.json', stackOf(zoneId, applied?.method === 'blocks' ? overrides : {}));
    const dir = temporaryFolder();
    mkdirSync(join(dir, path, 'beta'), { recursive: true });
    writeFileSync(join(dir, 'cdktf.json'), '{ "app": "true" }');
    writeFileSync(join(dir, path, 'beta/cdk.tf.json'), stackOf(other));
    renameSync(folder, join(dir, path, 'waf'));
    return async (...args: string[]) => {
      const { code, stdout } = await cliIn(dir, ...args, `${path}/waf/plan.json`);
      return { code, text: stdout.replace(/\s+/g, ' ') };
    };
  }

  it.each([
    ['differs', zoneId, 2],
    ['matches if that is of another zone', 'e'.repeat(32), 0],
  ])('verify: %s', async (_, other, expected) => {
    const { code, text } = await program(
      { imports: false, zones: [plannedZone('b')], others: [imported], events: [{ event: 'end' }] },
      other,
    )('verify');
    const found = `main: ${RULESET}.b: ../beta declares it too, and an apply there would create or import it: declare it in one stack only `;
    expect([code, text.includes(found)]).toEqual([expected, expected === 2]);
  });

  it.each([
    ['commands', ['a', 'b']],
    ['blocks', ['b']],
  ] as const)('apply and rehearse wait, with %s', async (method, rulesets) => {
    const imports = stepFacts(rulesets, []).imports.map((one) => ({ ...one, declared: false }));
    const removal = { edits: [], removedAddresses: [], manual: [] };
    const input = { isSynthesised: true, imports, removal };
    for (const command of ['apply', 'rehearse']) {
      const run = program({ method, rulesets, input, begun: ['backup'], lost: ['file'] });
      const { code, text } = await run(command, '--yes');
      expect([command, code]).toEqual([command, 2]);
      expect(text).toMatch(
        /\(ENTRY_POINT_DECLARED_TWICE\) \S+\.b \S+beta declares it too, .*: declare it in one stack only → remove its construct and overrides from \S+beta, /,
      );
      expect(text).not.toContain('None of it is done');
    }
  });
});

it('verify of an applied plan leads to status', async () => {
  const { cli } = appliedFolder({ events: [{ event: 'end' }] });
  const { code, stdout } = await cli('verify');
  expect([code, nextCommands(stdout)]).toEqual([0, ['cf-waf-migrate status']]);
});

/** A plan of Terraform with one change. */
const planned = (action: string, address: string) =>
  JSON.stringify({
    ...{ format_version: '1.2', terraform_version: '1.11.4', planned_values: {} },
    ...{ configuration: {}, resource_changes: [{ address, change: { actions: [action] } }] },
  });

it.each([
  ['an applied pull request', 'blocks', false, '3.35.0'],
  ['an applied plan', 'commands', true, '3.35.0'],
  ['an applied plan for provider 4', 'commands', true, '4.52.8'],
  ['a plan whose journal is gone', 'commands', false, '3.35.0'],
] as const)(
  'verify of %s leads to the live rules if they changed',
  async (_, method, isLogged, to) => {
    const provider = { from: to, to };
    const input = { provider: Number(to[0]) };
    const events = [{ event: 'end' }] as const;
    const { cli, write, at, journal, plan } = appliedFolder({ method, provider, input, events });
    write('plan.json', JSON.stringify(plan));
    if (!isLogged) rmSync(at(journal));
    write('drift.json', planned('update', `${RULESET}.a`));
    const { code, stdout } = await cli('verify', 'plan.json');
    const next = nextCommands(stdout);
    expect([code, next]).toEqual([
      2,
      [
        expect.stringMatching(
          /^cf-waf-migrate generate --zone f+ --source live (?!.*--force).*--address/,
        ),
      ],
    ]);
    // the text names the same command
    expect(stdout.split(`${next.join()}\n`)).toHaveLength(3);
    expect(stdout).toContain(
      `generate --zone ${'f'.repeat(32)} --source live --provider ${to[0]} `,
    );
    // what the text says is the next command
    expect(stdout).not.toContain('Run `plan`');
  },
);

it('verify of an applied plan whose ruleset changed shows only decisions that its steps did not answer', async () => {
  const about = { severity: 'decision', subject: 'main', message: 'x', remedy: 'y' } as const;
  const findings = ['BLOCK_ALREADY_GONE', 'OTHER_ZONES'].map((code) => ({ code, ...about }));
  const { cli, write } = appliedFolder({ findings, events: [{ event: 'end' }] });
  write('drift.json', planned('update', `${RULESET}.a`));
  const { code, stdout } = await cli('verify');
  expect([
    code,
    stdout.split('\n').filter((line) => /decision|BLOCK_ALREADY|OTHER/.test(line)),
  ]).toEqual([2, ['Accepted decisions:', expect.stringContaining('(OTHER_ZONES): main')]]);
  const { stdout: json } = await cli('verify', '--json');
  expect(JSON.parse(json).findings).toEqual([findings[1]]);
});

it.each([
  ['VARIABLES_UNSET', `plan --zone ${'f'.repeat(32)} --out plan.json`],
  // it asks for a plan without --zone
  ['OTHER_ZONES', 'plan --out plan.json'],
] as const)(
  'verify of a plan with the blocker %s leads to a plan of the right zones',
  async (code, expected) => {
    const about = { subject: 'main', message: 'x', remedy: 'y' };
    const findings = [
      { code: 'LEGACY_RESOURCES_GONE', severity: 'decision', ...about } as const,
      { code, severity: 'blocker', ...about } as const,
    ];
    const { cli, write, at, journal, plan } = appliedFolder({ findings });
    write('plan.json', JSON.stringify(plan));
    write('state.json', stateText(1, [resource(OLD)]));
    rmSync(at(journal));
    const { stdout } = await cli('verify', 'plan.json');
    expect(nextCommands(stdout)).toEqual([`cf-waf-migrate ${expected}`]);
  },
);

it('verify tells not to apply a changed ruleset that is written for another provider version', async () => {
  const { cli, write } = appliedFolder({ events: [{ event: 'end' }] });
  const body = `zone_id = "${'f'.repeat(32)}"\n  phase = "http_request_firewall_managed"`;
  const rules = 'rules = [{ action = "block", expression = "true" }]';
  write('ruleset.tf', `resource "${RULESET}" "a" {\n  ${body}\n  ${rules}\n}\n`);
  write('drift.json', planned('update', `${RULESET}.a`));
  const { stdout } = await cli('verify');
  expect(stdout).toContain('is written for another provider version than 3: before you apply');
  expect(stdout).toContain('cf-waf-migrate plan --to 5.22.0\n');
  expect(stdout).not.toContain('run terraform apply');
});

it('verify leads to the gate of the pipeline while a pull request is in review, and not to apply', async () => {
  const { cli, write, at, journal, plan } = appliedFolder({ method: 'blocks' });
  write('plan.json', JSON.stringify(plan));
  write('state.json', stateText(1, [resource(OLD)]));
  const next = async () => (await cli('verify', 'plan.json')).stdout.split('\n\n')[1];
  expect(await next()).toBe('Next:\n  cf-waf-migrate apply plan.json\n');
  rmSync(at(journal));
  expect(await next()).toBe(
    'Next, when the plan of the pipeline is done:\n  cf-waf-migrate verify plan.json --tfplan tfplan.json\n',
  );
  write('main.tf', oldText);
  expect(await next()).toBe('Next:\n  cf-waf-migrate apply plan.json\n');
});

it.each([
  ['was applied', [{ ...resource(RULESET), name: 'managed' }]],
  ['was not applied', [resource(OLD)]],
])(
  'verify of a plan whose state another plan changed, and that %s, leads to status',
  async (_, now) => {
    const { cli, write, at, journal, plan } = appliedFolder();
    write('plan.json', JSON.stringify(plan));
    rmSync(at(journal));
    write('state.json', stateText(2, now));
    const { code, stdout } = await cli('verify', 'plan.json');
    expect([code, stdout]).toEqual([
      2,
      expect.stringContaining('\nThe state changed after this plan'),
    ]);
    expect(nextCommands(stdout)).toEqual(['cf-waf-migrate status']);
    // status does not know the options of the plan
    expect(stdout).toContain('\n  cf-waf-migrate plan --out plan.json\n');
    const applied = await cli('apply', 'plan.json', '--yes');
    expect(applied.stderr).toContain('(STATE_CHANGED)');
  },
);

it('verify of a plan with a blocker leads to a new plan, because apply refuses it', async () => {
  const blocker = { code: 'LEGACY_BLOCKS_DECLARED', severity: 'blocker', subject: 'main' } as const;
  const findings = [{ ...blocker, message: 'blocks are left', remedy: 'delete them' }];
  const { cli, write, at, journal, plan } = appliedFolder({ findings });
  write('plan.json', JSON.stringify(plan));
  rmSync(at(journal));
  write('state.json', stateText(1, [resource(OLD)]));
  const { stdout } = await cli('verify', 'plan.json');
  expect(stdout).toContain('\nNext:\n  cf-waf-migrate plan --out plan.json\n');
});

it('a plan is made again with its method and its flags for Terraform, but no value that can be a secret', async () => {
  const blocker = { code: 'LEGACY_BLOCKS_DECLARED', severity: 'blocker', subject: 'main' } as const;
  const findings = [{ ...blocker, message: 'blocks are left', remedy: 'delete them' }];
  const { cli, write, plan } = appliedFolder({ findings, method: 'blocks' });
  const flags = parseTerraformFlags(['-var=token=secret', '-var-file=the prod.tfvars']);
  const steps = passFlags(plan.steps, flags);
  write('plan.json', JSON.stringify(withDigest({ ...plan, steps })));
  write('state.json', stateText(1, [resource(OLD)]));
  const { stdout, stderr } = await cli('verify', 'plan.json');
  expect(`${stdout}${stderr}`).not.toContain('secret');
  const [next = ''] = nextCommands(stdout);
  expect(next).toBe(
    "cf-waf-migrate plan --method blocks --out plan.json -- '-var=token=…' '-var-file=the prod.tfvars'",
  );
  const again = await cli('plan', '--out', 'other.json', '--', '-var=token=…');
  expect([again.code, again.stderr]).toEqual([64, expect.stringContaining('-var has … in place')]);
});

it('rehearse leads to the gate of the pipeline too while a pull request is in review', async () => {
  const { cli, write, at, journal, plan } = appliedFolder({ method: 'blocks' });
  write('plan.json', JSON.stringify(plan));
  write('state.json', stateText(1, [resource(OLD)]));
  rmSync(at(journal));
  const { code, stdout, stderr } = await cli('rehearse', 'plan.json');
  expect([stderr, code]).toEqual([expect.any(String), 0]);
  expect(stdout).toContain(
    'Next, when the plan of the pipeline is done:\n  cf-waf-migrate verify plan.json --tfplan tfplan.json\n',
  );
});

describe('verify --tfplan', () => {
  const importIdOf = (address: string): string => plannedZone(address.slice(-1)).ruleset.importId;
  const planOf = (...changes: [string, string][]) =>
    JSON.stringify({
      ...{ format_version: '1.2', terraform_version: '1.11.4' },
      ...{ planned_values: {}, configuration: {} },
      resource_changes: changes.map(([action, address]) => ({
        address,
        change:
          action === 'import'
            ? { actions: ['no-op'], importing: { id: importIdOf(address) } }
            : { actions: [action] },
      })),
    });
  /** Judges plans of Terraform, by default by a plan that imports one ruleset and forgets one old resource. */
  function judging({ cli, write, plan } = appliedFolder()) {
    return (text: string, made: object = plan, flags: readonly string[] = ['--json']) => {
      write('plan.json', JSON.stringify(made));
      write('tfplan.json', text);
      return cli('verify', 'plan.json', '--tfplan', 'tfplan.json', ...flags);
    };
  }
  const judge = (text: string, flags?: readonly string[]) => judging()(text, undefined, flags);
  const addressesOf = ({ stdout }: { stdout: string }) =>
    (JSON.parse(stdout) as { differences: { address: string }[] }).differences.map(
      ({ address }) => address,
    );

  it('lets through what the plan imports and forgets, all or what is left of it', async () => {
    const all = planOf(['import', `${RULESET}.a`], ['forget', `${OLD}.a`]);
    const imported = ['no-op', `${RULESET}.a`] as [string, string];
    for (const text of [all, planOf(imported, ['forget', `${OLD}.a`]), planOf(imported)]) {
      expect((await judge(text)).code).toBe(0);
    }
  });

  it('refuses an import from another id', async () => {
    const all = planOf(['import', `${RULESET}.a`], ['forget', `${OLD}.a`]);
    const other = await judge(all.replace(importIdOf('a'), importIdOf('b')));
    expect([other.code, JSON.parse(other.stdout).differences]).toMatchObject([
      2,
      [{ address: `${RULESET}.a`, problem: `is imported from another id than ${importIdOf('a')}` }],
    ]);
    expect((await judge(all.replace('"zone/', '"zones/'))).code).toBe(0);
  });

  it('refuses the plan of another state, which imports a ruleset and forgets nothing', async () => {
    const other = await judge(planOf(['import', `${RULESET}.a`], ['no-op', 'terraform_data.app']));
    expect([other.code, JSON.parse(other.stdout).differences]).toMatchObject([
      2,
      [{ address: `${OLD}.a`, problem: expect.stringContaining('check the backend') }],
    ]);
    // an earlier apply has forgotten the legacy resources, and imported only one of two rulesets
    const verify = judging(appliedFolder({ rulesets: ['a', 'b'] }));
    const left = planOf(['no-op', `${RULESET}.a`], ['import', `${RULESET}.b`]);
    expect((await verify(left)).code).toBe(0);
  });

  it('refuses another ruleset at the planned address, also one that a moved block brings there', async () => {
    const other = (more: object) => {
      const { resource_changes, ...rest } = JSON.parse(
        planOf(['no-op', `${RULESET}.a`], ['forget', `${OLD}.a`]),
      ) as { resource_changes: [object, object] };
      const change = { actions: ['no-op'], before: { id: 'e'.repeat(32) } };
      const [ruleset, old] = resource_changes;
      const changes = [{ ...ruleset, change, ...more }, old];
      return judge(JSON.stringify({ ...rest, resource_changes: changes }), []);
    };
    const lines = `${RULESET}.a: is ruleset ${'e'.repeat(32)}, not the ruleset of the plan\n`;
    expect(await other({})).toMatchObject({ code: 2, stdout: expect.stringContaining(lines) });
    expect(await other({ previous_address: `${RULESET}.custom` })).toMatchObject({
      code: 2,
      stdout: expect.stringContaining(`${RULESET}.a: Terraform plans: move\n${lines}`),
    });
  });

  it('refuses an import of a ruleset that the state has at another address', async () => {
    const { resource_changes, ...rest } = JSON.parse(
      planOf(['import', `${RULESET}.a`], ['forget', `${OLD}.a`]),
    ) as { resource_changes: object[] };
    const change = { actions: ['no-op'], before: { id: plannedZone('a').ruleset.id } };
    const changes = [...resource_changes, { address: `${RULESET}.other`, change }];
    const { code, stdout } = await judge(JSON.stringify({ ...rest, resource_changes: changes }));
    expect([code, JSON.parse(stdout).differences]).toMatchObject([
      2,
      [
        {
          address: `${RULESET}.other`,
          problem: `is the ruleset that the plan has at ${RULESET}.a`,
        },
      ],
    ]);
  });

  it('refuses to forget a resource of a zone that the plan does not have', async () => {
    const forgotten = (zone_id: string) => {
      const { resource_changes, ...rest } = JSON.parse(
        planOf(['import', `${RULESET}.a`], ['forget', `${OLD}.a`]),
      ) as { resource_changes: { change: object }[] };
      const [imported, old] = resource_changes as [object, { change: object }];
      const change = { ...old.change, before: { zone_id } };
      return judge(JSON.stringify({ ...rest, resource_changes: [imported, { ...old, change }] }));
    };
    expect((await forgotten(plannedZone('a').zoneId)).code).toBe(0);
    const other = await forgotten('9'.repeat(32));
    expect([other.code, JSON.parse(other.stdout).differences]).toMatchObject([
      2,
      [{ address: `${OLD}.a`, problem: expect.stringContaining(`is of zone ${'9'.repeat(32)}`) }],
    ]);
  });

  it('refuses the plan of another workspace, which its document does not name', async () => {
    const world = appliedFolder();
    await judging(world)(planOf(['no-op', `${RULESET}.a`]));
    const run = (workspace: string) =>
      runCli('verify plan.json --tfplan tfplan.json', {
        ...{ cwd: world.folder, environment: { TF_WORKSPACE: workspace } },
      });
    expect((await run('default')).code).toBe(0);
    expect(await run('staging')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('planned in workspace "default", but it is "staging" now'),
    });
  });

  it('names what the state would lack, or still hold, once the plan is applied', async () => {
    const problems = async (...changes: [string, string][]) => {
      const { code, stdout } = await judge(planOf(...changes));
      const { differences } = JSON.parse(stdout) as { differences: object[] };
      return [code, differences];
    };
    const named = (address: string, problem: string) =>
      expect.objectContaining({ address, problem });
    const lacking = named(`${RULESET}.a`, 'is not in the plan of Terraform');
    expect(await problems()).toEqual([2, [lacking]]);
    expect(await problems(['forget', `${OLD}.a`])).toEqual([2, [lacking]]);
    expect(await problems(['no-op', `${RULESET}.a`], ['no-op', `${OLD}.a`])).toEqual([
      2,
      [named(`${OLD}.a`, 'stays in the state')],
    ]);
  });

  it('takes a plan of Terraform for one of the states of a plan, the one that it names', async () => {
    const folder = appliedFolder();
    const { plan } = folder;
    const verify = judging(folder);
    const states = plan.states.flatMap((one) => [{ ...one, name: 'another', dir: 'another' }, one]);
    const { digest, ...rest } = plan;
    const judged = async (
      { imports = [], gone = [] }: { imports?: string[]; gone?: string[] },
      ...changes: [string, string][]
    ) => {
      const backup = 'cf-waf-migrate-backup/another-1.tfstate';
      const drafts = writeSteps(
        'import first',
        stepFacts(imports, gone, { dir: 'another', backup }),
      );
      const others = drafts.flat().map((draft, at) => ({
        ...{ ...draft, id: String(plan.steps.length + at + 1), state: 'another' },
      }));
      const zones = [...plan.zones, ...imports.map((name) => plannedZone(name, 'another'))];
      const made = withDigest({ ...rest, states, zones, steps: [...plan.steps, ...others] });
      expect(made.digest).not.toBe(digest);
      return (await verify(planOf(...changes), made)).code;
    };
    const imported: [string, string] = ['import', `${RULESET}.a`];
    const forgotten: [string, string] = ['forget', `${OLD}.a`];
    expect(await judged({ imports: ['c'] }, imported, forgotten)).toBe(0);
    // one that lets go alone has all that was promised of it in the plan of any other
    expect(await judged({ gone: [`${OLD}.z`] }, imported, forgotten)).toBe(0);
    expect(await judged({ gone: [`${OLD}.z`] }, ['no-op', `${OLD}.a`])).toBe(2);
    expect(await judged({ gone: [`${OLD}.z`] }, ['no-op', `${OLD}.z`])).toBe(2);
    expect(await judged({ gone: [`${OLD}.z`] }, ['forget', `${OLD}.z`])).toBe(0);
  });

  it('asks of a plan that is aimed at the rulesets for one of them: the one of another project has none', async () => {
    const input = { checkedAlone: ['a', 'b'].map((name) => ({ address: `${RULESET}.${name}` })) };
    const verify = judging(appliedFolder({ rulesets: ['a', 'b'], input }));
    const judged = async (...changes: [string, string][]) =>
      addressesOf(await verify(planOf(...changes)));
    expect(await judged(['no-op', `${RULESET}.a`])).toEqual([]);
    expect(await judged(['no-op', `${RULESET}.b`])).toEqual([]);
    expect(await judged(['no-op', 'aws_instance.web'])).toEqual([`${RULESET}.a`, `${RULESET}.b`]);
    expect(await judged()).toEqual([`${RULESET}.a`, `${RULESET}.b`]);
  });

  it('asks for a ruleset, too, that the state has had before: the plan imports none', async () => {
    const zones = [plannedZone('a')];
    const verify = judging(appliedFolder({ imports: false, zones }));
    const judged = async (...changes: [string, string][]) =>
      addressesOf(await verify(planOf(...changes)));
    expect(await judged(['no-op', `${RULESET}.a`])).toEqual([]);
    expect(await judged(['no-op', 'aws_instance.web'])).toEqual([`${RULESET}.a`]);
  });

  it('names what another project imports or forgets', async () => {
    const ran = await judge(planOf(['import', `${RULESET}.b`], ['forget', 'aws_instance.web']));
    expect([ran.code, addressesOf(ran)]).toEqual([
      2,
      [`${RULESET}.b`, 'aws_instance.web', `${RULESET}.a`],
    ]);
  });

  it('accepts a moved block alone and says so, and no change beside it', async () => {
    const moving = (action: string) => {
      const plan = JSON.parse(
        planOf(['no-op', `${RULESET}.a`], [action, 'cloudflare_dns_record.a']),
      );
      plan.resource_changes[1].previous_address = 'cloudflare_record.a';
      return JSON.stringify(plan);
    };
    const shown = await judge(moving('no-op'), []);
    expect([shown.code, shown.stdout]).toEqual([
      0,
      expect.stringContaining(
        'Terraform plan only changes:\nThe next `terraform apply` records: cloudflare_dns_record.a (moved). Keep the `moved` blocks until then\n',
      ),
    ]);
    const changed = await judge(moving('update'));
    expect([changed.code, addressesOf(changed)]).toEqual([2, ['cloudflare_dns_record.a']]);
  });

  it('promises of a plan without a change no more than it has looked at', async () => {
    const { stdout } = await judge(planOf(['no-op', `${RULESET}.a`]), []);
    expect(stdout).toContain('The Terraform plan changes nothing but the planned imports');
    // only after the apply, the state matches the plan
    expect(stdout).toMatch(
      /\nNext, when terraform apply is done:\n {2}cf-waf-migrate verify plan\.json\n$/,
    );
  });

  it('exits with 2 for open decisions and changed outputs, and its next command accepts them', async () => {
    const findings = [
      {
        code: 'BLOCK_SHARED',
        severity: 'decision',
        subject: 'mod',
        message: 'x',
        remedy: 'y',
      } as const,
    ];
    const folder = appliedFolder({ findings });
    const document = JSON.parse(planOf(['no-op', `${RULESET}.a`])) as object;
    const text = JSON.stringify({ ...document, output_changes: { x: { actions: ['update'] } } });
    const gate = 'verify plan.json --tfplan tfplan.json';
    const flags: string[] = [];
    for (const more of ['output.x', 'BLOCK_SHARED']) {
      const { code, stdout } = await judging(folder)(text, folder.plan, flags);
      const accepted = flags.map((flag) => ` ${flag}`).join('');
      const missing = more === 'output.x' ? `${more} --accept BLOCK_SHARED` : more;
      expect([code, stdout]).toEqual([
        2,
        expect.stringMatching(
          `Next:\\n  cf-waf-migrate ${gate}${accepted} .*--accept ${missing}\\n`,
        ),
      ]);
      flags.push('--accept', more);
    }
    const { code, stdout } = await judging(folder)(text, folder.plan, flags);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Apply exactly this plan')]);
  });

  it('shows how to declare the live rules if they changed, and no next command that cannot help', async () => {
    const plan = JSON.parse(planOf(['import', `${RULESET}.a`], ['forget', `${OLD}.a`]));
    plan.resource_changes[0].change.actions = ['update'];
    const { code, stdout } = await judge(JSON.stringify(plan), []);
    expect([code, stdout]).toEqual([
      2,
      expect.stringMatching(
        /^cloudflare_ruleset\.a: Terraform plans: import, update\nThe pipeline has to plan again; if .* edit its block\. This .* imported:\ncf-waf-migrate generate .*\n$/,
      ),
    ]);
  });

  it('names a resource once, with what Terraform plans for it', async () => {
    const { stdout } = await judge(planOf(['import', `${RULESET}.a`], ['create', `${OLD}.a`]), []);
    expect(stdout).toBe(`${OLD}.a: Terraform plans: create\n`);
  });

  it('names an output that the apply removes, which needs no flag', async () => {
    const document = JSON.parse(
      planOf(['import', `${RULESET}.a`], ['forget', `${OLD}.a`]),
    ) as object;
    const output_changes = { team: { actions: ['delete'] } };
    const { code, stdout } = await judge(JSON.stringify({ ...document, output_changes }), []);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(
        'the Terraform plan only changes:\nThe next `terraform apply` records: output.team (removed)\nApply exactly',
      ),
    ]);
  });

  it('says of what is no plan one sentence, and nothing of how it was read', async () => {
    const { code, stderr } = await judge('{"version":4}');
    const { error } = JSON.parse(stderr) as { error: object };
    expect([code, error]).toEqual([
      1,
      expect.objectContaining({ message: 'not the JSON of a Terraform plan', causes: [] }),
    ]);
  });
});
