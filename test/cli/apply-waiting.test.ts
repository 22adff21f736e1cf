import { appliedFolder, OLD, RULESET, resource, stateText } from '../support/applied-folder';

const kept = { edits: [], going: [], diff: '', findings: [] };
const removal = { ...kept, manual: ['edge/owasp', 'edge/\u202eb'] };

/** A run whose second step is manual. */
function waiting(...flags: string[]) {
  const folder = appliedFolder({ method: 'blocks', input: { isSynthesised: true, removal } });
  folder.write('plan.json', JSON.stringify(folder.plan));
  folder.write('state.json', stateText(3, [resource(RULESET)]));
  folder.write('cdk.tf.json', '{}');
  folder.write('version', 'Terraform v1.11.4\n');
  return folder.cli('apply', 'plan.json', '--yes', ...flags);
}

describe('apply, at a step that a person has to do', () => {
  it('shows all of the step, and nothing that moves a terminal', async () => {
    const { code, stdout } = await waiting();
    expect(code).toBe(2);
    const overrides = ["stack.addOverride('import', [", "stack.addOverride('removed', ["];
    for (const text of ['one change', 'edge/owasp', ...overrides, '$ cf-waf-migrate generate']) {
      expect(stdout).toContain(text);
    }
    expect(stdout).not.toContain('\u202e');
  });

  it('has it in its JSON', async () => {
    const { stdout } = await waiting('--json');
    const addresses = ['edge/owasp', 'edge/\u202eb', `import ${RULESET}.a`, `removed ${OLD}.a`];
    expect(JSON.parse(stdout)).toMatchObject({ yours: { id: '2', kind: 'manual', addresses } });
  });
});
