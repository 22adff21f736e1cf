import { appliedFolder, resource, RULESET, stateText } from '../support/applied-folder';

const decision = {
  code: 'BLOCK_SHARED',
  severity: 'decision',
  subject: 'mod',
  message: 'others call it',
  remedy: 'look there',
} as const;

/** A plan that is carried out, and left something to decide. */
function carriedOut() {
  const folder = appliedFolder({ findings: [decision] });
  folder.write('plan.json', JSON.stringify(folder.plan));
  folder.write('state.json', stateText(3, [resource(RULESET)]));
  return folder;
}

describe.each([['apply', '--yes', '--accept', decision.code], ['verify']])(
  '%s of a plan that left something to decide',
  (...args) => {
    const [command = '', ...flags] = args;

    it('says it again at its end', async () => {
      const { stdout } = await carriedOut().cli(command, 'plan.json', ...flags);
      expect(stdout).toContain(
        'The plan left to you, and no step does:\ndecision: BLOCK_SHARED mod',
      );
    });

    it('has it in its JSON', async () => {
      const { stdout } = await carriedOut().cli(command, 'plan.json', ...flags, '--json');
      expect(JSON.parse(stdout)).toMatchObject({ findings: [decision] });
    });
  },
);

describe('apply of a plan whose last step is an empty plan of everything', () => {
  const gone = { ...decision, code: 'BLOCK_ALREADY_GONE', subject: 'cloudflare_waf_rule.a' };

  it('says of no resource that left that an apply would destroy it', async () => {
    const folder = appliedFolder({ findings: [gone, decision] });
    folder.write('plan.json', JSON.stringify(folder.plan));
    folder.write('state.json', stateText(3, [resource(RULESET)]));
    const { stdout, code } = await folder.cli(
      ...['apply', 'plan.json', '--yes', '--accept', decision.code, '--accept', gone.code],
    );
    expect([code, stdout]).toEqual([0, expect.stringContaining('All 8 steps are done.')]);
    expect(stdout).toContain(decision.code);
    expect(stdout).not.toContain(gone.code);
  });
});
