import { appliedFolder, OLD, RULESET, resource, stateText } from '../support/applied-folder';

const yours = {
  kind: 'manual',
  title: 'Change the stack',
  why: 'an override replaces the whole list',
  addresses: ['edge/owasp', `removed ${OLD}.\u202eb`],
  runs: [{ argv: ['cf-waf-migrate', 'generate', '--out', 'constructs'] }],
  code: "stack.addOverride('removed', []);\n",
} as const;

/** A run whose third step is a person's. */
function waiting(...flags: string[]) {
  const folder = appliedFolder({ steps: [yours] });
  folder.write('plan.json', JSON.stringify(folder.plan));
  folder.write('state.json', stateText(3, [resource(RULESET)]));
  folder.write('cdk.tf.json', '{}');
  return folder.cli('apply', 'plan.json', '--yes', ...flags);
}

describe('apply, at a step that a person has to do', () => {
  it('shows all of the step, and nothing that moves a terminal', async () => {
    const { code, stdout } = await waiting();
    expect(code).toBe(2);
    for (const text of [yours.why, 'edge/owasp', yours.code.trim(), '$ cf-waf-migrate generate']) {
      expect(stdout).toContain(text);
    }
    expect(stdout).not.toContain('\u202e');
  });

  it('has it in its JSON', async () => {
    const { stdout } = await waiting('--json');
    expect(JSON.parse(stdout)).toMatchObject({ yours: { id: '3', ...yours } });
  });
});
