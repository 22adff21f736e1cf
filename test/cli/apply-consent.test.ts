import {
  appliedFolder,
  OLD,
  plannedZone,
  RULESET,
  resource,
  stateText,
} from '../support/applied-folder';
import { runCli } from '../support/run-cli';
import { cliWithEmulator, ENTERPRISE } from './support/cli-with-emulator';

const decision = {
  code: 'BLOCK_SHARED',
  severity: 'decision',
  subject: 'mod',
  message: 'another state uses this module',
  remedy: 'check that state',
} as const;
/** What a change is listed with: zones, addresses and files. */
const listed = [
  plannedZone('a').zoneId,
  `  ${OLD}.a\n`,
  `  ${RULESET}.a\n`,
  '  main.tf\n',
  '  ruleset.tf\n',
];

/** A plan of which every step is done, with a decision. */
function planned(findings: Parameters<typeof appliedFolder>[0] = { findings: [decision] }) {
  const folder = appliedFolder(findings);
  folder.write('plan.json', JSON.stringify(folder.plan));
  folder.write('state.json', stateText(3, [resource(RULESET)]));
  return folder;
}

describe('apply of a plan with a decision', () => {
  it.each([[['--yes']], [['--yes', '--accept', 'ANOTHER']], [[]]])(
    'refuses %j, with the flag that accepts it',
    async (flags) => {
      const { code, stdout, stderr } = await planned().cli('apply', 'plan.json', ...flags);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain('(DECISIONS_OPEN)\n');
      expect(stderr).toContain('decision: BLOCK_SHARED mod\n');
      expect(stderr).toContain('  hint: pass --accept BLOCK_SHARED\n');
    },
  );

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
    for (const text of [...listed, 'decision: BLOCK_SHARED mod\n']) expect(stderr).toContain(text);
    expect([code, stdout]).toEqual([0, expect.stringContaining('All 8 steps are done.')]);
  });

  it('accepting it does not answer the question', async () => {
    const flags = ['--accept', 'BLOCK_SHARED'];
    const { code, stderr } = await planned().cli('apply', 'plan.json', ...flags);
    expect([code, stderr]).toEqual([3, expect.stringContaining('(DECLINED)')]);
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

describe('start-validation', () => {
  const cli = cliWithEmulator('enterprise');
  const start = ['start-validation', '--zone', ENTERPRISE];
  const writes = () =>
    cli
      .emulator()
      .requests()
      .filter(({ method }) => method !== 'GET');

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
    expect([code, writes()]).toEqual([0, [expect.objectContaining({ method: 'PUT' })]]);
    expect(stderr).toMatch(
      new RegExp(`^Zone:\\n {2}\\S+ \\(${ENTERPRISE}\\)\\nRules to send:\\n {2}o`, 'm'),
    );
  });
});
