import { existsSync, readFileSync, renameSync, rmSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { journalPath, planCopyPath } from '../../src/apply/journal/journal';
import { withDigest } from '../../src/plan/plan-schema';
import {
  OLD,
  RULESET,
  appliedFolder,
  plannedZone,
  resource,
  stateText,
  stepFacts,
} from '../support/applied-folder';
import { nextCommands } from '../support/next-commands';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { cliWithEmulator, errorOf } from '../support/cli-lab';
import { ENTERPRISE } from '../support/zones';

const decision = {
  code: 'BLOCK_SHARED',
  severity: 'decision',
  subject: 'mod',
  message: 'another state uses this module',
  remedy: 'check that state',
} as const;

/** A plan of which every step is done, with a decision. */
function planned(findings: Parameters<typeof appliedFolder>[0] = { findings: [decision] }) {
  const folder = appliedFolder(findings);
  folder.write('plan.json', JSON.stringify(folder.plan));
  folder.write('state.json', stateText(3, [resource(RULESET)]));
  return folder;
}

describe('apply consent', () => {
  /** What a change is listed with: zones, addresses and files. */
  const listed = [
    plannedZone('a').zoneId,
    `  ${OLD}.a\n`,
    `  ${RULESET}.a\n`,
    '  main.tf\n',
    '  ruleset.tf\n',
  ];

  describe('apply of a plan with a decision', () => {
    it.each([[['--yes']], [['--yes', '--accept', 'OTHER_ZONES']], [[]]])(
      'refuses %j, with the flag that accepts it',
      async (flags) => {
        const { code, stdout, stderr } = await planned().cli('apply', 'plan.json', ...flags);
        expect([code, stdout]).toEqual([2, '']);
        expect(stderr).toContain('(DECISIONS_OPEN)\n');
        expect(stderr).toContain('decision: BLOCK_SHARED mod\n');
        const line = ['apply plan.json', ...flags.filter((one) => one !== '--yes')].join(' ');
        const yes = flags.length === 0 ? '' : ' --yes';
        expect(stderr).toContain(`\n    cf-waf-migrate ${line}${yes} --accept BLOCK_SHARED\n`);
      },
    );

    it('counts each decision that it shows, also of the same code', async () => {
      const folder = planned({ findings: [decision, { ...decision, subject: 'other' }] });
      const { stderr } = await folder.cli('apply', 'plan.json', '--yes');
      expect(stderr).toContain('Nothing was changed: 2 open decisions (DECISIONS_OPEN)\n');
    });

    it('has the decision in its JSON error', async () => {
      const { code, stderr } = await planned().cli('apply', 'plan.json', '--yes', '--json');
      expect([code, JSON.parse(stderr).error]).toMatchObject([
        2,
        { code: 'DECISIONS_OPEN', findings: [decision] },
      ]);
    });

    it('lists zones, addresses, files and the decision, and runs when it is accepted', async () => {
      const flags = ['--yes', '--accept', 'BLOCK_SHARED'];
      const { code, stdout, stderr } = await planned().cli('apply', 'plan.json', ...flags);
      for (const text of [...listed, '  BLOCK_SHARED (BLOCK_SHARED): mod\n'])
        expect(stderr).toContain(text);
      expect([code, stdout]).toEqual([0, expect.stringContaining('Done: 8 steps.')]);
    });

    it('accepts a decision about the live ruleset', async () => {
      const folder = planned({ findings: [{ ...decision, code: 'ZONE_UNPROTECTED' }] });
      const flags = ['--yes', '--accept', 'ZONE_UNPROTECTED'];
      const { code, stderr } = await folder.cli('apply', 'plan.json', ...flags);
      expect([code, stderr]).toEqual([
        0,
        expect.stringContaining('  No WAF is on (ZONE_UNPROTECTED): '),
      ]);
    });

    it('accepting it does not answer the question', async () => {
      const flags = ['--accept', 'BLOCK_SHARED'];
      const { code, stderr } = await planned().cli('apply', 'plan.json', ...flags);
      expect([code, stderr]).toEqual([3, expect.stringContaining('(DECLINED)')]);
      const line = `cf-waf-migrate apply plan.json ${flags.join(' ')} --yes`;
      expect(stderr).toContain(`hint: confirm it with --yes:\n    ${line}\n`);
    });
  });

  describe.each(['apply', 'rollback'])('%s, on a terminal', (command) => {
    it.each([
      ['n', 3],
      ['y', 0],
    ])('lists zones, addresses and files before its question: %s', async (answer, expected) => {
      const folder = planned({});
      const operand = command === 'apply' ? 'plan.json' : folder.journal;
      const { code, stderr } = await runCli([command, operand, '--terraform', folder.binary], {
        cwd: folder.folder,
        answers: [answer],
      });
      const [before = ''] = stderr.split('? [y/N]');
      for (const text of listed) expect(before).toContain(text);
      expect([code, stderr]).toEqual([expected, expect.stringContaining('? [y/N]')]);
    });
  });

  it('apply that resumes shows only the steps that are left, and what they change', async () => {
    const steps = ['1', '2', '3'];
    const folder = appliedFolder({ events: steps.map((step) => ({ event: 'done', step })) });
    folder.write('plan.json', JSON.stringify(folder.plan));
    const { stderr } = await runCli(['apply', 'plan.json', '--terraform', folder.binary], {
      cwd: folder.folder,
      answers: ['n'],
    });
    expect(stderr).not.toMatch(/^ [123]\. /m);
    expect(stderr).toMatch(/^ 4\. /m);
    expect(stderr).not.toContain('Addresses to import:');
    expect(stderr).toContain('Addresses to remove from state:');
  });

  it('rollback lists nothing that no step has changed', async () => {
    const folder = appliedFolder({ begun: ['backup'], lost: ['file'] });
    const { stderr } = await folder.cli('rollback', folder.journal);
    expect(stderr).not.toMatch(/^(Files|Addresses) to /m);
  });

  it('comes after the rehearsal of a plan whose rollback left its state as planned', async () => {
    const folder = planned({});
    renameSync(
      folder.at(folder.journal),
      folder.at(folder.journal.replace('.journal', '.rolled-back')),
    );
    const { code, stdout } = await folder.cli('rehearse', 'plan.json');
    expect([code, nextCommands(stdout)]).toEqual([0, ['cf-waf-migrate apply plan.json']]);
  });

  describe('start-validation', () => {
    const cli = cliWithEmulator('enterprise');
    const start = ['start-validation', '--zone', ENTERPRISE];
    const writes = () => cli.requests().filter((one) => !one.startsWith('GET '));

    it.each([
      ['without a terminal', undefined],
      ['with a terminal that says no', ['n']],
      ['with a terminal that says nothing', ['']],
    ])('sends nothing %s', async (_, answers) => {
      const { code } = await cli.run(start, answers === undefined ? {} : { answers });
      expect([code, writes()]).toEqual([3, []]);
    });

    it.each([
      ['a terminal that says yes', [], ['y']],
      ['--yes', ['--yes'], undefined],
    ])('lists the zone and its rules, and starts with %s', async (_, flags, answers) => {
      const options = answers === undefined ? {} : { answers };
      const { code, stderr } = await cli.run([...start, ...flags], options);
      expect([code, writes()]).toEqual([0, [expect.stringMatching(/^PUT /)]]);
      expect(stderr).toMatch(
        new RegExp(`^Zone:\\n {2}\\S+ \\(${ENTERPRISE}\\)\\nRules to send:\\n {2}o`, 'm'),
      );
    });
  });
});

it('apply warns of a deploy of the files from before, once the ruleset is imported', async () => {
  const warning = 'Stop other deploys until this change is merged: ';
  const done = await planned({}).cli('apply', 'plan.json', '--yes');
  expect(done.stdout.split(warning)).toHaveLength(2);
  const folder = planned({ begun: [], lost: ['file'] });
  folder.write('state.json', stateText(3, [resource(OLD)]));
  const edits = await folder.cli('apply', 'plan.json', '--yes', '--only', 'edits');
  expect(edits.stdout).not.toContain(warning);
  // the state stays as it is
  expect(edits.stderr).toContain('Files to edit:\n  ruleset.tf\n');
  expect(edits.stderr).not.toContain('Addresses to');
});

describe('apply, at a manual step', () => {
  const kept = { edits: [], removedAddresses: [], diff: '', findings: [] };
  const removal = { ...kept, manual: ['edge/owasp', 'edge/\u202eb'] };

  /** A run whose second step is manual. */
  function waiting(
    flags: readonly string[] = [],
    files: Readonly<Record<string, string>> = {},
    command = 'apply',
  ) {
    const input = { isSynthesised: true, removal };
    const folder = appliedFolder({ method: 'blocks', input, findings: [decision] });
    folder.write('plan.json', JSON.stringify(folder.plan));
    folder.write('state.json', stateText(3, [resource(RULESET)]));
    folder.write('cdk.tf.json', '{}');
    folder.write('version', 'Terraform v1.11.4\n');
    for (const [file, text] of Object.entries(files)) folder.write(file, text);
    const accept = command === 'apply' ? ['--accept', decision.code] : [];
    return folder.cli(command, 'plan.json', '--yes', ...accept, ...flags);
  }

  it('shows the manual steps that directly follow, which can be done together', async () => {
    const rulesets = ['a', 'b', 'c', 'd'];
    const { imports } = stepFacts(rulesets, []);
    const input = {
      isSynthesised: true,
      imports: imports.map((one) => ({ ...one, declared: false })),
    };
    const folder = appliedFolder({ rulesets, input, begun: ['backup'], lost: ['file'] });
    folder.write('plan.json', JSON.stringify(folder.plan));
    folder.write('cdk.tf.json', '{}');
    const { stdout, stderr } = await folder.cli('apply', 'plan.json', '--yes');
    expect(stderr).not.toContain('error: ');
    expect(stdout).toContain('then run the same command again. Steps 4, 5 can be done with it.\n');
    for (const name of ['b', 'c', 'd']) expect(stdout).toContain(`${RULESET}.${name} --out`);
  });

  it('shows all of the step, and nothing that moves a terminal', async () => {
    const { code, stdout } = await waiting();
    expect(code).toBe(2);
    const overrides = ["stack.addOverride('import', [", "stack.addOverride('removed', ["];
    for (const text of [
      'Replace the legacy constructs',
      'edge/owasp',
      ...overrides,
      '$ cf-waf-migrate generate',
    ]) {
      expect(stdout).toContain(text);
    }
    expect(stdout).not.toContain('\u202e');
    expect(stdout).toContain('\nDo for the accepted decisions:\ndecision: BLOCK_SHARED mod\n');
    expect(stdout).toContain('→ check that state\n');
    expect(stdout).toMatch(
      /\nNext, for step 2:\n {2}cf-waf-migrate generate .*\n\nWhen step 2 is done:\n {2}cf-waf-migrate apply plan\.json.*\n$/,
    );
  });

  it('names the files of its blocks without lines, which the edits before it can have moved', async () => {
    const address = `${OLD}.b`;
    const places = { [address]: 'b.tf:12' };
    const steps = [{ kind: 'manual', addresses: [address], places }] as const;
    const folder = appliedFolder({ steps });
    folder.write('plan.json', JSON.stringify(folder.plan));
    folder.write('b.tf', `resource "${OLD}" "b" {}\n`);
    const { stdout } = await folder.cli('apply', 'plan.json', '--yes');
    expect(stdout).toContain(`\n      ${address} (b.tf)\n`);
  });

  it('prints the commands of all manual steps that can be done together', async () => {
    const imports = stepFacts(['a', 'b', 'c'], []).imports.map((one) => ({
      ...one,
      declared: false,
    }));
    const input = { isSynthesised: true, removal, imports };
    const folder = appliedFolder({ rulesets: ['a', 'b', 'c'], input, begun: ['backup'] });
    folder.write('plan.json', JSON.stringify(folder.plan));
    folder.write('cdk.tf.json', '{}');
    const first = await folder.cli('apply', 'plan.json', '--yes');
    expect(first.stdout).toContain(
      ' Step 4 can be done with it. Step 13 can be done now too: synthesise once, and deploy no stack',
    );
    for (const command of ['apply', 'rehearse']) {
      const { stdout, stderr } = await folder.cli(command, 'plan.json', '--yes');
      expect([stdout, stderr]).toEqual([
        expect.stringMatching(
          /\nNext, for each of the steps 3, 4:\n( {2}cf-waf-migrate generate .*\n){2}\nWhen each of the steps 3, 4 is done:\n/,
        ),
        expect.any(String),
      ]);
    }
  });

  it('prints each of its commands for the working directory, also if the plan is in another folder', async () => {
    const imports = stepFacts(['a', 'b'], []).imports.map((one) => ({ ...one, declared: false }));
    const input = { isSynthesised: true, removal, imports };
    const applied = { method: 'blocks', rulesets: ['a', 'b'], input } as const;
    const { cliIn, write, plan, folder } = appliedFolder(applied);
    write('plan.json', JSON.stringify(plan));
    write('state.json', stateText(3, [resource(RULESET)]));
    write('cdk.tf.json', '{}');
    write('version', 'Terraform v1.11.4\n');
    const [place, command] = [basename(folder), 'cf-waf-migrate generate .* --out '];
    const { stdout, stderr } = await cliIn(
      ...([dirname(folder), 'apply', `${place}/plan.json`, '--yes'] as const),
    );
    expect(stderr).toMatch(new RegExp(`^States:\n  .* \\(${place}, workspace `));
    expect(stdout).toContain(`\nIts paths and commands are relative to ${place}.\n`);
    const lines = `( {2}${command}../../constructs\n){2}`;
    expect(stdout).toMatch(new RegExp(`\nNext, for step 2:\n${lines}\nWhen step 2 is done:\n`));
    const beside = await cliIn(folder, 'apply', 'plan.json', '--yes');
    expect(beside.stdout).toMatch(
      new RegExp(`\nNext, for step 2:\n( {2}${command}../../../constructs\n){2}\n`),
    );
  });

  it('names what is not done, if a part of it is done', async () => {
    const { stdout } = await waiting();
    const left = [`import ${RULESET}.a`, `removed ${OLD}.a`];
    expect(stdout).toContain(`\nA part of it is not done:\n  ${left.join('\n  ')}\n`);
    const { steps } = JSON.parse((await waiting(['--json'])).stdout);
    expect(steps).toContainEqual({ id: '2', status: 'waiting', left });
  });

  const construct = (path: string) => ({ '//': { metadata: { path } } });

  it.each([
    ['a part of it', {}, `A part of it is not done:\n  import ${RULESET}.a\n`],
    [
      'all of it',
      { [OLD]: { a: construct('edge/owasp'), b: construct('edge/\u202eb') } },
      'None of it is done in the synthesised stack yet.\n',
    ],
  ])('rehearse says what is not done: %s', async (_, declared, text) => {
    const stack = { 'cdk.tf.json': JSON.stringify({ resource: declared }) };
    const files = text.startsWith('A part') ? {} : { ...stack, 'ruleset.tf': '' };
    const { code, stdout } = await waiting([], files, 'rehearse');
    expect([code, stdout]).toEqual([2, expect.stringContaining(text)]);
  });

  it('warns that the files do not declare the imported ruleset, and how to declare it', async () => {
    const { stdout } = await waiting([], { 'ruleset.tf': '' });
    expect(stdout).toContain(
      'blocker: An apply now would destroy the live ruleset (ENTRY_POINT_NOT_DECLARED)\n',
    );
    expect(stdout).toMatch(/^ +cf-waf-migrate generate .* --force --format construct /m);
    // a clone that is behind is the usual cause
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'if this clone is behind, run `git pull`; if the pull request of the migration was reverted',
    );
  });

  it('has it in its JSON', async () => {
    const { stdout } = await waiting(['--json']);
    const addresses = ['edge/owasp', 'edge/\u202eb', `import ${RULESET}.a`, `removed ${OLD}.a`];
    expect(JSON.parse(stdout)).toMatchObject({ manual: { id: '2', kind: 'manual', addresses } });
  });
});

describe('a rollback that fails in the middle, because the state is locked', () => {
  it('is what plan, apply, verify and status name, until it is run again', async () => {
    const { cli, write, at, journal, types } = appliedFolder();
    const more = { zone_id: plannedZone('a').zoneId, phase: 'http_request_firewall_managed' };
    write('state.json', stateText(3, [resource(RULESET, more)]));
    write('locked', 'Lock Info:\nID:        1111-2222\nWho:       anna\nCreated:   today\n');
    const stopped = errorOf(await cli('rollback', '--yes', '--json'));
    expect(stopped).toMatchObject({
      code: 'STATE_LOCKED',
      message: expect.stringMatching(/^the rollback is incomplete: .*lock id 1111-2222$/),
      hint: expect.stringMatching(/^wait [^]*\nterraform force-unlock 1111-2222$/),
    });
    for (const command of ['plan', 'apply']) {
      expect(errorOf(await cli(command, '--yes', '--json'))).toMatchObject({
        code: 'RUN_INTERRUPTED',
        message: `the rollback of the run of ${journal} is not finished`,
        hint: expect.stringMatching(/^run it again.*:\ncf-waf-migrate rollback$/),
      });
    }
    const verified = await cli('verify');
    expect(verified.stdout).toContain('The rollback of this plan is not finished.\n');
    const status = await cli('status', '--json');
    expect(JSON.parse(status.stdout).findings).toEqual([
      expect.objectContaining({ code: 'API_NOT_ASKED' }),
      expect.objectContaining({ code: 'ROLLBACK_INCOMPLETE', subject: journal }),
    ]);
    const shown = await cli('status');
    for (const { stdout } of [verified, shown])
      expect(nextCommands(stdout)).toEqual(['cf-waf-migrate rollback']);
    rmSync(at('locked'));
    expect((await cli('rollback', '--yes')).code).toBe(0);
    expect(types()).toEqual([OLD]);
    expect((await cli('status', '--json')).stdout).not.toContain('ROLLBACK_INCOMPLETE');
  });

  it('does not prevent an apply of the same plan, which goes forward again', async () => {
    const { cli, write, at, plan, types } = appliedFolder();
    write('plan.json', JSON.stringify(plan));
    write('locked', '');
    expect((await cli('rollback', '--yes')).code).toBe(1);
    rmSync(at('locked'));
    const { code, stdout } = await cli('apply', 'plan.json', '--yes');
    expect([code, nextCommands(stdout)]).toEqual([0, ['cf-waf-migrate verify plan.json']]);
    expect(types()).toEqual([RULESET]);
  });

  it('is followed by the question for all steps, because the rollback can have undone them', async () => {
    const done = Array.from(
      { length: 8 },
      (_, at) => ({ event: 'done', step: `${at + 1}` }) as const,
    );
    const { cli, folder, binary, write, plan } = appliedFolder({
      events: [...done, { event: 'end' }],
    });
    write('plan.json', JSON.stringify(plan));
    const ask = async () =>
      (
        await runCli(['apply', 'plan.json', '--terraform', binary], {
          cwd: folder,
          answers: ['n'],
        })
      ).stderr;
    expect(await ask()).toContain('No step is left to apply. Check again? [y/N]');
    write('locked', '');
    expect((await cli('rollback', '--yes')).code).toBe(1);
    const asked = await ask();
    expect(asked).toContain('Addresses to import:');
    expect(asked).toContain('Apply 8 steps to 1 state? [y/N]');
  });
});

it('a plan of a run that waits, with no zone in its state, names the run, but not for a wrong flag', async () => {
  const { cli, write, journal } = appliedFolder({ begun: ['backup', 'remove'] });
  write('state.json', stateText(3, []));
  write('ruleset.tf', '');
  const planned = await cli('plan', '--out', 'plan.json', '--json');
  expect(errorOf(planned)).toMatchObject({
    code: 'RUN_INTERRUPTED',
    message: `the run of ${journal} is not finished`,
  });
  const [zone, other] = [plannedZone('a').zoneId, `${'0'.repeat(32)}=${'e'.repeat(32)}`];
  const mistaken = ['--zone', zone, '--ruleset-id', other, '--out', 'plan.json'];
  expect(errorOf(await cli('plan', ...mistaken, '--json'))).toMatchObject({ code: 'USAGE' });
});

it('the latest run of the selected workspace comes first, and one of another workspace is refused', async () => {
  const { folder, environment, plan, write, at, journal } = appliedFolder();
  const inWorkspace = (workspace: string, ...words: string[]) =>
    runCli(words, { cwd: folder, environment: { ...environment, TF_WORKSPACE: workspace } });
  const refused = await inWorkspace('prod', 'apply', '--yes', '--json');
  expect(errorOf(refused)).toMatchObject({
    message: 'state main was planned in workspace "default", but it is "prod" now',
  });
  const other = 'TF_WORKSPACE=default cf-waf-migrate';
  const status = await inWorkspace('prod', 'status');
  expect(status.stdout.split('\n').at(-2)).toBe(`  ${other} apply`);
  expect((await inWorkspace('prod', 'plan')).stderr).toContain(
    `${other} apply\n    ${other} rollback\n`,
  );
  const prod = withDigest(
    JSON.parse(
      JSON.stringify(plan)
        .replace('"workspace":"default"', '"workspace":"prod"')
        .replace('"lineage":"l"', '"lineage":"m"')
        .replace('/main-1.tfstate', '/main.prod-1.tfstate'),
    ),
  );
  const later = journalPath(prod.digest);
  write(later, readFileSync(at(journal), 'utf8').replaceAll(plan.digest, prod.digest));
  write(planCopyPath(later), JSON.stringify(prod));
  for (const [workspace, own] of [
    ['default', journal],
    ['prod', later],
  ] as const) {
    const { stderr } = await inWorkspace(workspace, 'plan', '--json');
    expect(stderr).toContain(own);
    const listed = (await inWorkspace(workspace, 'rollback')).stderr;
    expect(listed).toContain(`cf-waf-migrate rollback ${own}\n`);
  }
});

describe('the journal', () => {
  it('is named by apply as it is found from where the command was given', async () => {
    const { cliIn, write, plan, folder, journal } = appliedFolder();
    write('plan.json', JSON.stringify(plan));
    const place = basename(folder);
    const beside = await cliIn(folder, 'apply', 'plan.json', '--yes');
    expect(beside.stdout).toContain(`Journal: ${journal}\n`);
    const above = await cliIn(dirname(folder), 'apply', `${place}/plan.json`, '--yes');
    expect(above.stdout).toContain(`Journal: ${place}/${journal}\n`);
    const back = await cliIn(dirname(folder), 'rollback', `${place}/${journal}`, '--yes');
    expect(back.stderr).toContain(`:\n  ${place}/ruleset.tf\n  ${place}/main.tf\n`);
    expect(back.stdout).toContain(`Restored:\n  ${place}/main.tf\n  state main\n`);
    expect(nextCommands(back.stdout)).toEqual([`cf-waf-migrate status --dir ${place}`]);
    const again = await cliIn(dirname(folder), 'verify', `${place}/plan.json`);
    expect(nextCommands(again.stdout)).toEqual([
      `cf-waf-migrate plan --dir ${place} --out ${place}/plan.json`,
    ]);
  });

  it('is rolled back by its file, also from another folder', async () => {
    const { folder, write, plan, journal, binary } = appliedFolder();
    write('team.plan.json', JSON.stringify(plan));
    const place = basename(folder);
    const cwd = dirname(folder);
    const rollback = ['rollback', `${place}/team.plan.json`, '--terraform', binary];
    const { stdout, code } = await runCli([...rollback, '--yes'], { cwd });
    expect([code, stdout]).toEqual([0, expect.stringContaining(`  ${place}/main.tf\n`)]);
    expect(existsSync(join(folder, journal))).toBe(false);
    // a second rollback restores nothing, and says what is left
    const again = await runCli([...rollback, '--yes'], { cwd });
    expect(again.stdout).toContain('Nothing to restore.');
    const applied = ['apply', `${place}/team.plan.json`, '--terraform', binary, '--yes', '--json'];
    expect(errorOf(await runCli(applied, { cwd }))).toMatchObject({
      code: 'STATE_CHANGED',
      hint: expect.stringContaining('plan again, with the same options'),
    });
  });

  it.each(['apply', 'rehearse', 'verify'])('%s says how to make a plan', async (command) => {
    const ran = await runCli([command, 'plan.json', '--json'], { cwd: temporaryFolder() });
    expect(errorOf(ran)).toMatchObject({
      code: 'FILE_UNREADABLE',
      message: 'the plan plan.json does not exist',
      hint: 'make it:\ncf-waf-migrate plan --out plan.json',
    });
  });

  it.each(['apply', 'rehearse', 'verify'])(
    '%s of a folder of plans asks for the list',
    async (command) => {
      const cwd = temporaryFolder();
      mkdirSync(join(cwd, 'plans'));
      expect(errorOf(await runCli([command, 'plans', '--json'], { cwd }))).toMatchObject({
        code: 'FILE_UNREADABLE',
        message: 'plans is a folder',
        hint: 'for the plans of a list, also pass --zones <file>',
      });
    },
  );

  it.each([
    ['main.tf', 'is not a journal'],
    ['plan.json', 'has no journal'],
    ['cf-waf-migrate-backup', 'is not a journal'],
    ['cf-waf-migrate-backup/0.journal.jsonl', 'does not exist'],
  ])('is asked for where rollback is given %s, which %s', async (operand, problem) => {
    const { cli, write, plan, at, journal } = appliedFolder();
    write('plan.json', JSON.stringify(plan));
    rmSync(at(journal));
    const ran = await cli('rollback', operand, '--yes', '--json');
    expect([ran.code, errorOf(ran)]).toEqual([
      1,
      expect.objectContaining({
        code: 'JOURNAL_INVALID',
        message: `${operand} ${problem}`,
        hint: expect.stringContaining('cf-waf-migrate-backup/<id>.journal.jsonl'),
      }),
    ]);
  });
});

describe('plan decisions', () => {
  describe.each([['apply', '--yes', '--accept', decision.code], ['verify']])(
    '%s of a plan that left something to decide',
    (...args) => {
      const [command = '', ...flags] = args;

      it('lists it as accepted at its end', async () => {
        const { stdout } = await planned().cli(command, 'plan.json', ...flags);
        expect(stdout).toContain('Accepted decisions:\n  BLOCK_SHARED (BLOCK_SHARED): mod');
      });

      it('has it in its JSON', async () => {
        const { stdout } = await planned().cli(command, 'plan.json', ...flags, '--json');
        expect(JSON.parse(stdout)).toMatchObject({ findings: [decision] });
      });
    },
  );

  it('verify without a run of apply does not call it accepted', async () => {
    const folder = planned();
    rmSync(folder.at(folder.journal));
    const { stdout } = await folder.cli('verify', 'plan.json');
    expect(stdout).toContain('Decisions of the plan:\n  BLOCK_SHARED');
  });

  it('the next command accepts each open decision by its code', async () => {
    const folder = planned();
    folder.write('state.json', stateText(1, [resource(OLD)]));
    rmSync(folder.at(folder.journal));
    const { stdout } = await folder.cli('verify', 'plan.json');
    expect(stdout).toMatch(
      /\n\nNext:\n {2}cf-waf-migrate apply plan\.json --accept BLOCK_SHARED\n$/,
    );
  });

  describe('apply of a plan whose last step is an empty plan of everything', () => {
    const gone = { ...decision, code: 'BLOCK_ALREADY_GONE', subject: 'cloudflare_waf_rule.a' };

    it('says of no resource that left that an apply would destroy it', async () => {
      const { stdout, code } = await planned({ findings: [gone, decision] }).cli(
        ...['apply', 'plan.json', '--yes', '--accept', decision.code, '--accept', gone.code],
      );
      expect([code, stdout]).toEqual([0, expect.stringContaining('Done: 8 steps.')]);
      expect(stdout).toContain(decision.code);
      expect(stdout).not.toContain(gone.code);
    });
  });
});
