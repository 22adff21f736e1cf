import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FileEdit, planEdit, planNewFile } from '../../../src/tfconfig/plan-edit';
import { renderSh } from '../../../src/plan/formats/sh';
import { renderText } from '../../../src/plan/formats/text';
import { parseText } from '../../tfconfig/open-project';
import { type ProcessRun, runProcess } from '../../support/run-process';
import { temporaryFolder } from '../../support/temporary-folder';
import { planOf, withSteps } from '../support/plans';

const base = planOf('tainted-3.35.tfstate', { from: '3.35.0' });
const planWith = (...edits: FileEdit[]) =>
  withSteps(base, [{ kind: 'edit', state: 'main', title: 'Edit', why: 'because', edits }]);

/** The edit that takes the resource `a.b` out of a text. */
async function removal(text: string, insert?: string): Promise<FileEdit> {
  const file = await parseText(text, 'main.tf');
  const leaving = file.blocks.filter(({ address }) => address === 'a.b');
  return planEdit(file, leaving, insert)!;
}

interface EditRun extends ProcessRun {
  readonly folder: string;
}

async function runEdits(edits: FileEdit[], files: Record<string, string>): Promise<EditRun> {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, 'plan.sh'), renderSh(planWith(...edits)));
  return { ...(await runProcess('/bin/sh', ['plan.sh'], { cwd: folder })), folder };
}

const block = 'resource "a" "b" {\n  x = "it\'s $(id) `id` \\\\ ${y} %%{z}"\n}\n';

describe('an edit of the script', () => {
  it.each([
    ['plain', `first {}\n\n${block}\nlast {}\n`],
    ['with CRLF', `first {}\n\n${block}\nlast {}\n`.replaceAll('\n', '\r\n')],
    ['with a byte order mark', `\ufefffirst {}\n\n${block}\nlast {}\n`],
    ['without a line end at its end', `first {}\n\n${block}\nlast {}`],
    ['of the block alone', block],
    ['with control characters', `# \u001b[2J \u0085 \u202e\n${block}# \u0007\n`],
    ['of a thousand blocks', `${'other {}\n\n'.repeat(1000)}${block}${'\nmore {}\n'.repeat(1000)}`],
  ])('makes a file %s what the plan promises', async (_, text) => {
    const edit = await removal(text);
    const { code, stderr, folder } = await runEdits([edit], { 'main.tf': text });
    expect([stderr, code]).toEqual(['', 0]);
    const left = readFileSync(join(folder, 'main.tf'), 'utf8');
    expect(left).not.toContain('resource "a" "b"');
    expect((await parseText(left, 'main.tf')).sha256).toBe(edit.sha256After);
    expect(readdirSync(folder).sort()).toEqual(['main.tf', 'plan.sh']);
  });

  it('appends text, and writes new files, with nothing of it read by the shell', async () => {
    const evil = `# '"$(touch hit)\` \\n %s\n${block}`;
    const edits = [await removal(block, evil), planNewFile("it's new $HOME.tf", evil)];
    const { code, folder } = await runEdits(edits, { 'main.tf': block });
    expect(code).toBe(0);
    expect(readFileSync(join(folder, 'main.tf'), 'utf8')).toContain('$(touch hit)');
    expect(readFileSync(join(folder, "it's new $HOME.tf"), 'utf8')).toBe(evil);
    expect(existsSync(join(folder, 'hit'))).toBe(false);
  });

  it.each([
    ['has changed', { 'main.tf': `${block}# more\n` }],
    ['is gone', {}],
  ])('of a file that %s stops, and leaves nothing behind', async (_, files) => {
    const ran = await runEdits([await removal(block)], files);
    expect([ran.code, ran.stderr]).toEqual([
      1,
      'main.tf has changed since the plan was made: plan again\n',
    ]);
    expect(readdirSync(ran.folder).sort()).toEqual([...Object.keys(files), 'plan.sh'].sort());
  });

  it('refuses to change the file that a link leads to', async () => {
    const edit = await removal(`first {}\n${block}`);
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'shared.tf'), `first {}\n${block}`);
    symlinkSync('shared.tf', join(folder, 'main.tf'));
    writeFileSync(join(folder, 'plan.sh'), renderSh(planWith(edit)));
    const { code, stderr } = await runProcess('/bin/sh', ['plan.sh'], { cwd: folder });
    expect([stderr, code]).toEqual([
      ...['main.tf is a link: use cf-waf-migrate apply PLAN --only edits\n', 1],
    ]);
    expect(readFileSync(join(folder, 'shared.tf'), 'utf8')).toBe(`first {}\n${block}`);
  });

  it('never overwrites a file that was not there', async () => {
    const ran = await runEdits([planNewFile('new.tf', 'a {}\n')], { 'new.tf': 'mine' });
    expect(ran.code).toBe(1);
    expect(readFileSync(join(ran.folder, 'new.tf'), 'utf8')).toBe('mine');
  });

  it('whose difference does not give what was promised changes nothing', async () => {
    const edit = { ...(await removal(`first {}\n${block}`)), sha256After: '0'.repeat(64) };
    const ran = await runEdits([edit], { 'main.tf': `first {}\n${block}` });
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('cannot edit main.tf')]);
    expect(readFileSync(join(ran.folder, 'main.tf'), 'utf8')).toBe(`first {}\n${block}`);
    expect(readdirSync(ran.folder).sort()).toEqual(['main.tf', 'plan.sh']);
  });
});

it('as text an edit is its files, lines and addresses', async () => {
  const edits = [await removal(`first {}\n${block}`, 'x {}\n'), planNewFile('new.tf', 'a {}\n')];
  const text = renderText(planWith(...edits));
  expect(text).toContain('      main.tf:2-4: removes a.b\n');
  expect(text).toContain('      main.tf: text added\n');
  expect(text).toContain('      new.tf: new\n');
});
