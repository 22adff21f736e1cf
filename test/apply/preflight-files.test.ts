import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { openJournal } from '../../src/apply/journal/journal';
import { type Step } from '../../src/plan/plan-schema';
import { type FileEdit, planEdit, planNewFile } from '../../src/tfconfig/file-edit';
import { sha256 } from '../../src/core/json';
import { parseConfig } from '../../src/tfconfig/read-project';
import { renderHclBlocks } from '../../src/tfconfig/state-blocks';
import { plannedZone, resource, RULESET, stateText } from '../support/applied-folder';
import { endOf, planFolder, removalOf, statusesOf } from '../support/plan-folder';
import { address, removalPlan } from '../support/removal-plan';
import { temporaryFolder } from '../support/temporary-folder';

const digest = 'c'.repeat(64);
const [type = ''] = address.split('.');
const OLD = `resource "${type}" "a" {\n  zone_id = "z"\n}\n`;
const NEW = renderHclBlocks({ imports: [], removed: [`${type}.b`] });
const COMMENT = '# a comment of a colleague\n';
const removal = removalPlan(digest, { gone: [address] });
const editStep = (id: string, edits: readonly FileEdit[]) =>
  ({ id, kind: 'edit', state: 'main', title: '', why: '', edits }) as Step;

describe('a file that is not the one that was planned for', () => {
  /** A plan that removes a resource from the state and its block from main.tf, and writes ruleset.tf. */
  async function world(whileRemoving = '') {
    const edits = [await removalOf('main.tf', OLD, address), planNewFile('ruleset.tf', NEW)];
    return planFolder(
      { ...removal, steps: [...removal.steps, editStep('3', edits)] },
      {
        ...{ 'main.tf': OLD, 'state.json': stateText(1, [resource(type)]) },
        'removed.json': stateText(2, []),
      },
      `'state rm') cp removed.json state.json; ${whileRemoving} ;;`,
    );
  }

  it.each([
    ['changed', 'main.tf', COMMENT + OLD],
    ['there, and was not', 'ruleset.tf', COMMENT],
  ])('stops a first run before anything is changed: %s', async (_, name, text) => {
    const { apply, write, calls, journal } = await world();
    write(name, text);
    await expect(apply()).rejects.toMatchObject({
      code: 'CONFIG_CHANGED',
      message: expect.stringContaining(name),
      hint: expect.stringContaining('plan again'),
    });
    expect([calls(), existsSync(journal)]).toEqual([['pull'], false]);
  });

  it('stops no run where the edit is made already, which a rollback leaves to the user', async () => {
    const { apply, rollback, write, text } = await world();
    write('ruleset.tf', NEW);
    expect(await statusesOf(apply())).toEqual(['done', 'done', 'done']);
    expect(await rollback()).toMatchObject({
      restored: ['main.tf', 'state main'],
      byHand: [{ step: '3', undo: expect.stringContaining('delete ruleset.tf,'), addresses: [] }],
    });
    expect([text('main.tf'), text('ruleset.tf')]).toEqual([OLD, NEW]);
  });

  it('stops a run in the middle, which can be rolled back, and says how', async () => {
    const { apply, rollback, text, journal } = await world(`echo '${COMMENT}' >> main.tf`);
    const hint = expect.stringContaining('restore the file');
    await expect(apply()).rejects.toMatchObject({ code: 'CONFIG_CHANGED', hint });
    await expect(apply()).rejects.toMatchObject({
      code: 'CONFIG_CHANGED',
      hint: expect.stringContaining(`cf-waf-migrate rollback ${journal}`),
    });
    expect(openJournal(journal).entries.filter(({ event }) => event === 'file')).toEqual([]);
    expect(await rollback()).toMatchObject({ restored: ['state main'] });
    expect(text('main.tf')).toContain(COMMENT);
    expect(text('state.json')).toContain(type);
  });
});

describe('an edit whose file was changed after it', () => {
  const PROVIDERS = 'terraform {\n  required_version = "3.35.0"\n}\n';
  const upgraded = PROVIDERS.replace('3.35.0', '5.22.0');
  const main = `${PROVIDERS}\n${OLD}`;

  /** A plan that removes the block from main.tf, writes ruleset.tf, and stops at a manual step. */
  async function world() {
    const edits = [await removalOf('main.tf', main, address), planNewFile('ruleset.tf', NEW)];
    const byHand = { kind: 'manual', state: 'main', title: '', why: '', addresses: ['a.b'] };
    return planFolder(
      {
        ...removal,
        steps: [
          removal.steps[0]!,
          editStep('2', edits),
          { ...byHand, id: '3', runs: [] } as unknown as Step,
        ],
      },
      { 'main.tf': main, 'state.json': stateText(1, []) },
    );
  }

  it('is known as made while nothing is back that it removed', async () => {
    const { apply, write, text } = await world();
    expect(await statusesOf(apply())).toEqual(['done', 'done', 'waiting']);
    write('main.tf', upgraded);
    expect(await statusesOf(apply())).toEqual(['found', 'found', 'waiting']);
    await apply({ only: 'edits' });
    expect(text('main.tf')).toBe(upgraded);
  });

  it('is known as made where the run was killed before it could note that', async () => {
    const { apply, applyUntil, write } = await world();
    await applyUntil('edit-after');
    write('main.tf', upgraded);
    expect(await statusesOf(apply())).toEqual(['found', 'found', 'waiting']);
  });

  it('is not made again where another file of its step is still to be written', async () => {
    const { apply, applyUntil, write, at, text } = await world();
    await applyUntil('edit-after');
    rmSync(at('ruleset.tf'));
    write('main.tf', upgraded);
    expect(await statusesOf(apply())).toEqual(['found', 'done', 'waiting']);
    expect([text('main.tf'), text('ruleset.tf')]).toEqual([upgraded, NEW]);
  });

  it.each([
    ['a block that it removed is back', 'main.tf', `${upgraded}\n${OLD}`],
    ['a block that it wrote is gone', 'ruleset.tf', '# nothing\n'],
  ])('is refused where %s', async (_, file, text) => {
    const { apply, write } = await world();
    await apply();
    write(file, text);
    await expect(apply()).rejects.toMatchObject({ code: 'CONFIG_CHANGED' });
  });

  it('is refused where it was never begun: the plan is for another file', async () => {
    const { apply, write } = await world();
    write('main.tf', upgraded);
    await expect(apply()).rejects.toMatchObject({ code: 'CONFIG_CHANGED' });
  });
});

describe('a file that a plan edits', () => {
  const BEFORE = `resource "${RULESET}" "kept" {\n}\n\n${OLD}`;
  const files = ['main.tf', '../modules/waf/main.tf', '../other/main.tf'];

  /** Applies an edit of a file, in a folder whose configuration calls one module beside it. */
  async function editing(file: string, only?: 'edits') {
    const { blocks, ...parsed } = await parseConfig({ path: file, bytes: Buffer.from(BEFORE) });
    const edit = planEdit({ blocks, ...parsed }, blocks.slice(1))!;
    const { apply, text } = planFolder(
      { ...removal, steps: [editStep('1', [edit])] },
      {
        ...Object.fromEntries(files.map((one) => [one, BEFORE])),
        'calls.tf': 'module "waf" {\n  source = "../modules/waf"\n}\n',
        'state.json': stateText(1, []),
      },
      '',
      `${temporaryFolder()}/live`,
    );
    const [code] = (await endOf(apply({ only }))).split(' ');
    return [code, files.filter((one) => text(one) !== BEFORE)];
  }

  it.each([
    ['may be one of the folder', 'main.tf', 'done', ['main.tf']],
    ['may be one of a module that it calls', files[1]!, 'done', [files[1]!]],
    ['is of no other folder, whatever the plan says', files[2]!, 'PLAN_INVALID', []],
  ])('%s', async (_, file, code, changed) => {
    expect(await editing(file)).toEqual([code, changed]);
    expect(await editing(file, 'edits')).toEqual([code, changed]);
  });
});

it('refuses to edit a link that leads to another kind of file', async () => {
  const edit = planNewFile('zz.tf', NEW);
  const target = `${temporaryFolder({ profile: '' })}/profile`;
  const { apply, at } = planFolder(
    { ...removal, steps: [editStep('1', [{ ...edit, sha256: sha256(Buffer.from('')) }])] },
    { 'state.json': stateText(1, []) },
    '',
    `${temporaryFolder()}/live`,
  );
  symlinkSync(target, at('zz.tf'));
  await expect(apply()).rejects.toMatchObject({
    code: 'PLAN_INVALID',
    message: expect.stringContaining('zz.tf, which is a link to '),
  });
  expect(readFileSync(target, 'utf8')).toBe('');
});

describe('the file with the workspace', () => {
  const files = {
    'state.json': stateText(1, [resource(type)]),
    '.terraform/environment': 'default',
  };

  it.each(['/dev/zero', 'secret', 'nowhere'])(
    'is not read through a link to %s',
    async (target) => {
      const { apply, at } = planFolder(removal, { ...files, '.terraform/secret': 'hunter2' });
      rmSync(at('.terraform/environment'));
      symlinkSync(target, at('.terraform/environment'));
      await expect(apply()).rejects.toMatchObject({
        code: 'FILE_UNREADABLE',
        message: expect.stringMatching(/\.terraform\/environment is not a regular file$/),
      });
    },
  );

  it.each([
    ['prod\n', '"prod"'],
    ['key = hunter2\n', '"another one"'],
  ])('with the text %j is of another workspace', async (environment, shown) => {
    const { apply } = planFolder(removal, { ...files, '.terraform/environment': environment });
    await expect(apply()).rejects.toMatchObject({
      code: 'PLACE_CHANGED',
      message: `state main was planned in workspace "default", but it is ${shown} now`,
    });
  });
});

describe('the text that an edit inserts', () => {
  const zone = plannedZone('waf');
  const { address: ruleset, importId } = zone.ruleset;
  const guard = '  lifecycle {\n    prevent_destroy = true\n  }\n';
  const declared = (body = '', name = 'waf', lifecycle = guard): string =>
    `resource "${RULESET}" "${name}" {\n  provider = cloudflare.eu\n${body}${lifecycle}}\n`;
  const blocks = { imports: [{ to: ruleset, id: importId }], removed: [address] };

  /** The end of an apply whose only edit writes a new file. */
  const writing = (insert: string, file = 'new.tf') => {
    const plan = { ...removal, zones: [zone], steps: [editStep('1', [planNewFile(file, insert)])] };
    const now = [{ ...resource(RULESET, { id: zone.ruleset.id }), name: 'waf' }];
    const { apply, text } = planFolder(plan, { 'state.json': stateText(1, now) });
    return endOf(apply()).then((end) => (end === 'done' ? text(file) : end.split(' ')[0]));
  };

  it.each([
    ['import and removed blocks', renderHclBlocks(blocks)],
    ['a ruleset of the plan', declared('  rules {\n    expression = "a $${b} \\"c\\""\n  }\n')],
    ['a ruleset of provider 5', declared('  rules = [{ ref = "a", enabled = true }]\n')],
  ])('may be %s', async (_, insert) => {
    expect(await writing(insert)).toBe(insert);
  });

  it.each([
    ['a data source', 'data "external" "x" {\n  program = ["id"]\n}\n'],
    ['a module call', 'module "x" {\n  source = "git::https://example.com/x"\n}\n'],
    [
      'another provider',
      'terraform {\n  required_providers {\n    x = { source = "x/x" }\n  }\n}\n',
    ],
    ['another resource', 'resource "terraform_data" "x" {}\n'],
    ['a ruleset of no zone', declared('', 'other')],
    ['a provisioner', declared('  provisioner "local-exec" {\n    command = "id"\n  }\n')],
    ['changes to ignore', declared('  lifecycle {\n    ignore_changes = [rules]\n  }\n')],
    ['no protection against its removal', declared('', 'waf', '')],
    ['a protection that is off', declared('', 'waf', guard.replace('true', 'false'))],
    ['dynamic blocks', declared('  dynamic "rules" {\n    for_each = []\n    content {}\n  }\n')],
    [
      'a dynamic block in a rule',
      declared('  rules {\n    dynamic "logging" {\n      for_each = []\n    }\n  }\n'),
    ],
    ['a function', declared('  name = file("/etc/passwd")\n')],
    ['a template', declared('  name = "${file("/etc/passwd")}"\n')],
    ['a template in a list', declared('  rules = [{ ref = "${path.root}" }]\n')],
    ['a function as a key', declared('  rules = [{ (file("x")) = "a" }]\n')],
    ['another id to import', renderHclBlocks({ ...blocks, imports: [{ to: ruleset, id: 'x' }] })],
    ['a removal of another type', renderHclBlocks({ imports: [], removed: ['aws_instance.x'] })],
    ['a removal that destroys', `removed {\n  from = ${address}\n}\n`],
  ])('is refused with %s', async (_, insert) => {
    expect(await writing(insert)).toBe('PLAN_INVALID');
  });

  it('is refused in JSON, where each string can be a template', async () => {
    const body = { provider: 'cloudflare', name: 'waf' };
    const text = JSON.stringify({ resource: { [RULESET]: { waf: body } } });
    expect(await writing(text, 'new.tf.json')).toBe('PLAN_INVALID');
  });
});
