import { proveEdits } from '../../../src/plan/read/make-plan';
import { applyEdit, type FileEdit, planEdit, planNewFile } from '../../../src/tfconfig/plan-edit';
import { loadHclGrammar } from '../../../src/tfconfig/hcl-grammar';
import { readProject } from '../../../src/tfconfig/read-project';
import { digestOf, withDigest } from '../../../src/plan/plan';
import { type PlannedState } from '../../../src/plan/facts';

const text =
  'resource "cloudflare_waf_rule" "a" {\n  rule_id = "1"\n}\n\nlocals {\n  kept = 1\n}\n';
/** Deeper than the second parser is asked to read. */
const deep = `${text}locals {\n  deep = ${'('.repeat(2_000)}1${')'.repeat(2_000)}\n}\n`;

async function marked(content: string, change: (edit: FileEdit) => FileEdit = (edit) => edit) {
  const grammar = await loadHclGrammar();
  const bytes = new TextEncoder().encode(content);
  const read = () => Promise.resolve([{ path: 'main.tf', bytes }]);
  const project = await readProject('.', read, grammar);
  const [file] = project.modules.get('.')!.files;
  const edit = change(planEdit(file!, file!.blocks.slice(0, 1))!);
  const plan = withDigest({
    format: 'cf-waf-migrate/plan',
    formatVersion: 1,
    zones: [],
    states: [],
    steps: [
      { id: '1', kind: 'check', state: 'main', title: '', why: '' },
      {
        id: '2',
        kind: 'edit',
        state: 'main',
        title: '',
        why: '',
        edits: [edit, planNewFile('new.tf', 'locals {}\n')],
      },
    ],
    findings: [],
  });
  const state = { configuration: { project, grammar } } as unknown as PlannedState;
  const proven = await proveEdits(plan, [state]);
  expect(proven.digest).toBe(digestOf(proven));
  return { edits: proven.steps[1]!.edits!, bytes, grammar };
}

describe('an edit of a plan', () => {
  it('is marked when a second parser has read what it leaves; a new file is not', async () => {
    const { edits, bytes, grammar } = await marked(text);
    expect(edits.map(({ proven }) => proven)).toEqual([true, undefined]);
    const after = await applyEdit({ path: 'main.tf', bytes }, edits[0]!, grammar);
    expect(Buffer.from(after).toString()).toBe('locals {\n  kept = 1\n}\n');
  });

  it('that cannot be proven is not marked, and refused when it is made', async () => {
    const { edits, bytes, grammar } = await marked(deep);
    expect(edits[0]!.proven).toBeUndefined();
    const made = applyEdit({ path: 'main.tf', bytes }, edits[0]!, grammar);
    await expect(made).rejects.toMatchObject({ code: 'CONFIG_EDIT_REFUSED' });
  });

  it('of another file than was read is not marked', async () => {
    const { edits } = await marked(text, (edit) => ({ ...edit, sha256: '0'.repeat(64) }));
    expect(edits[0]!.proven).toBeUndefined();
  });

  it('with a mark has to give the digest that was planned all the same', async () => {
    const { edits, bytes, grammar } = await marked(text);
    const forged = { ...edits[0]!, insert: 'locals {}\n' };
    const made = applyEdit({ path: 'main.tf', bytes }, forged, grammar);
    await expect(made).rejects.toMatchObject({ code: 'CONFIG_EDIT_REFUSED' });
  });
});
