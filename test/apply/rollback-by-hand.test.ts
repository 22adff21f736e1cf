import { rmSync } from 'node:fs';
import { sha256 } from '../../src/core/json';
import {
  type Applied,
  appliedFolder,
  OLD,
  oldText,
  resource,
  RULESET,
  stateText,
} from '../support/applied-folder';
import { nextCommands } from '../support/next-commands';

const takenOut = {
  kind: 'manual',
  title: 'Take the old blocks out',
  addresses: [`${OLD}.b`],
} as const;
const digest = (text: string): string => sha256(Buffer.from(text));
const lockFile = (version: string) =>
  `provider "registry.terraform.io/cloudflare/cloudflare" {\n  version = "${version}"\n}\n`;

describe('rollback of manual steps', () => {
  it('names blocks that are still out of the configuration, with exit code 2', async () => {
    const { cli, journal, types } = appliedFolder({ steps: [takenOut] });
    const ran = await cli('rollback', journal, '--yes', '--json');
    expect([ran.code, ran.stderr]).toEqual([2, '']);
    expect(JSON.parse(ran.stdout)).toEqual({
      restored: ['main.tf', 'state main'],
      deleted: ['ruleset.tf'],
      saved: [{ of: 'state main', file: 'cf-waf-migrate-backup/main-3.overwritten.tfstate' }],
      byHand: [
        {
          step: '8',
          title: takenOut.title,
          undo: 'undo this step',
          addresses: takenOut.addresses,
        },
      ],
    });
    expect(types()).toEqual([OLD]);
  });

  it('says so as text, too, and leads to another rollback until they are undone', async () => {
    const { cli, journal, write } = appliedFolder({ steps: [takenOut] });
    const { stdout, stderr, code } = await cli('rollback', journal, '--yes');
    expect(code).toBe(2);
    const heading = 'Manual steps, which you undo afterwards:';
    expect(stderr).toContain(`${heading}\n  ${takenOut.title}\n`);
    expect(stdout).toContain('Undo by hand, before Terraform applies anything:');
    expect(stdout).toContain(`${OLD}.b`);
    const again = `cf-waf-migrate rollback ${journal.replace('.journal.', '.rolled-back.')}`;
    expect(nextCommands(stdout)).toEqual([again]);
    // nothing is left to restore, so there is nothing to confirm
    const { stdout: repeated } = await cli('rollback', ...again.split(' ').slice(2));
    expect(repeated).toMatch(/^Nothing to restore\.\nUndo by hand, /);
    expect(nextCommands(repeated)).toEqual([again]);
    write('b.tf', oldText.replace('"a"', '"b"'));
    expect(nextCommands((await cli('rollback', journal, '--yes')).stdout)).toEqual([
      'cf-waf-migrate status',
    ]);
  });

  it('lists the last step first', async () => {
    const upgrade = { kind: 'upgrade-provider', provider: '4.52.8' } as const;
    const { rollback, write } = appliedFolder({ steps: [takenOut, upgrade] });
    write('.terraform.lock.hcl', lockFile('4.52.8'));
    expect((await rollback()).byHand?.map(({ step }) => step)).toEqual(['9', '8']);
  });

  it('asks to put the restored resources back into blocks that `apply` had narrowed', async () => {
    const finding = {
      code: 'BLOCK_SHARED',
      title: 'A legacy block declares other resources too',
      severity: 'decision',
      subject: 'main',
      message: 'cloudflare_waf_rule.a (main.tf:1)',
      remedy: 'accept this',
    } as const;
    const { cli, journal } = appliedFolder({ findings: [finding] });
    const { code, stdout } = await cli('rollback', journal, '--yes');
    expect([code, stdout]).toEqual([2, expect.stringContaining('(BLOCK_SHARED)')]);
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'put them back before the next `terraform apply`: otherwise it would destroy',
    );
    expect(nextCommands(stdout)).toEqual(['cf-waf-migrate status']);
    const begun = ['backup', 'edit', 'import', 'remove'] as const;
    const stopped = appliedFolder({ findings: [finding], begun });
    expect((await stopped.cli('rollback', stopped.journal, '--yes')).code).toBe(0);
  });

  it('names of a step only what is done', async () => {
    const { rollback, write } = appliedFolder({
      steps: [{ ...takenOut, addresses: [`${OLD}.b`, `${OLD}.c`] }],
    });
    write('more.tf', oldText.replace('"a"', '"c"'));
    expect((await rollback()).byHand).toMatchObject([{ addresses: [`${OLD}.b`] }]);
  });

  it('names a ruleset that was declared by hand, and no block that was cleaned up', async () => {
    const { rollback, write } = appliedFolder({
      steps: [
        { kind: 'manual', addresses: [`${RULESET}.b`], runs: [{ argv: ['cf-waf-migrate'] }] },
        { kind: 'manual', addresses: [`removed ${OLD}.b`] },
      ],
    });
    const body = '  zone_id = "z"\n  kind = "zone"\n  phase = "http_request_firewall_managed"\n';
    write('b.tf', `resource "${RULESET}" "b" {\n${body}}\n`);
    expect((await rollback()).byHand).toMatchObject([
      {
        step: '8',
        undo: expect.stringMatching(/^delete the files that `cf-waf-migrate generate` wrote, /),
        addresses: [`${RULESET}.b`],
      },
    ]);
  });

  it('names import and removed blocks that Terraform refuses, because they are left beside the blocks from before', async () => {
    const blocks = [`import ${RULESET}.b`, `removed ${OLD}.b`];
    const { rollback, write } = appliedFolder({
      steps: [{ kind: 'manual', addresses: [`${OLD}.b`, ...blocks], code: '' }],
    });
    write('b.tf', oldText.replace('"a"', '"b"'));
    const overrides = {
      import: [{ to: `${RULESET}.b`, id: 'x' }],
      removed: [{ from: `${OLD}.b` }],
    };
    write('blocks.tf.json', JSON.stringify(overrides));
    expect((await rollback()).byHand).toMatchObject([{ step: '8', addresses: blocks }]);
  });

  it('names the construct of a ruleset that is left without its import, and requires a synthesis', async () => {
    const { rollback, write } = appliedFolder({
      steps: [
        {
          ...{ kind: 'manual', code: '' },
          addresses: [`${OLD}.b`, `import ${RULESET}.b`, `removed ${OLD}.b`],
          runs: [{ argv: ['cf-waf-migrate', 'generate', '--address', `${RULESET}.b`] }],
        },
      ],
    });
    const declared = { resource: { [OLD]: { b: {} }, [RULESET]: { b: {} } } };
    write('cdk.tf.json', JSON.stringify(declared));
    expect((await rollback()).byHand).toMatchObject([
      {
        addresses: [`${RULESET}.b`],
        undo: expect.stringMatching(/\. Synthesise once, after all of these steps$/),
      },
    ]);
  });

  it('names the provider that was upgraded: constraint and lock file are not those of before', async () => {
    const { rollback, write, at } = appliedFolder({
      steps: [{ kind: 'upgrade-provider', provider: '4.52.8' }],
    });
    write('.terraform.lock.hcl', lockFile('4.52.8'));
    const undo = async () => (await rollback()).byHand?.[0]?.undo;
    expect(await undo()).toMatch(/^restore rulesets .*, then run terraform init/);
    const required = (version: string) =>
      `\nterraform {\n  required_providers {\n    cloudflare = "${version}"\n  }\n}\n`;
    write('versions.tf', required('~> 4.0'));
    expect(await undo()).toMatch(/ back to 3\.35\.0 in versions\.tf:2\. /);
    // an undone constraint, with the lock file of the upgrade
    write('versions.tf', required('~> 3.35'));
    expect(await undo()).toMatch(/^restore rulesets /);
    write('versions.tf', '{');
    expect(await undo()).toMatch(/ back to 3\.35\.0 in the configuration\. /);
    write('cdk.tf.json', '{}');
    expect(await undo()).toMatch(
      /^restore the program .*, which have the bindings of provider 3\.35\.0\. Synthesise once, .*\. Then run /,
    );
    write('.terraform.lock.hcl', lockFile('3.35.0'));
    rmSync(at('cdk.tf.json'));
    write('versions.tf', required('~> 4.0'));
    expect(await undo()).toMatch(/ back to 3\.35\.0 in versions\.tf:2\. /);
    write('versions.tf', required('~> 3.35'));
    expect(await rollback()).not.toHaveProperty('byHand');
  });
});

it('a rollback that was completed by hand stays complete when the user goes forward by hand', async () => {
  const { cli, journal, write, at } = appliedFolder({ steps: [takenOut] });
  const isIncomplete = async () => {
    write('state.json', stateText(9, [resource(OLD, { zone_id: 'f'.repeat(32) })]));
    return (await cli('status')).stdout.includes('ROLLBACK_INCOMPLETE');
  };
  expect((await cli('rollback', journal, '--yes')).code).toBe(2);
  expect(await isIncomplete()).toBe(true);
  write('b.tf', oldText.replace('"a"', '"b"'));
  write('state.json', stateText(8, [resource(OLD)]));
  expect((await cli('rollback', journal, '--yes')).code).toBe(0);
  rmSync(at('b.tf'));
  expect(await isIncomplete()).toBe(false);
});

describe('rollback where another user has removed legacy blocks, whose resources are in the state again', () => {
  const block = `resource "${OLD}" "b" {}\n`;
  const held = { ...resource(OLD), name: 'b', instances: [{ index_key: 'x', attributes: {} }] };
  const taken = {
    ...{ file: 'old.tf', sha256: digest(block), sha256After: digest('# ours\n'), diff: '' },
    remove: [{ address: `${OLD}.b`, startLine: 1, endLine: 1 }],
  };
  /** After a run that ended before the edit of `old.tf`, or of which the journal has lost it. */
  const world = (changes: Applied = {}) =>
    appliedFolder({ edits: [taken], others: [held], begun: ['import', 'remove'], ...changes });

  it.each([
    ['it was edited by hand', '# theirs\n'],
    ['it is as the plan leaves it', '# ours\n'],
    ['it is gone', undefined],
    ['nothing of the folder can be read', 'resource {'],
  ])('names the blocks, and ends with 2: %s', async (_, text) => {
    const { cli, journal, write } = world();
    if (text !== undefined) write('old.tf', text);
    const { code, stdout } = await cli('rollback', journal, '--yes', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      2,
      {
        byHand: [
          {
            ...{ step: '7', addresses: [`${OLD}.b`] },
            undo: expect.stringContaining('restore the blocks that the plan edits in old.tf'),
          },
        ],
      },
    ]);
  });

  it('names the file of each block, and says to delete a file that the plan created', async () => {
    const text = `resource "${RULESET}" "new" {}\n`;
    const created = { file: 'managed_rules.tf', sha256: null, sha256After: digest(text) };
    const { cli, journal, write } = world({
      edits: [taken, { ...created, remove: [], insert: text, diff: '' }],
    });
    write('managed_rules.tf', text);
    const { stdout } = await cli('rollback', journal, '--yes');
    expect(stdout).toContain(
      ': delete managed_rules.tf, which the plan creates: the state is as before the plan, and the journal does not record this edit; restore the blocks that the plan edits in old.tf, unless',
    );
    expect(stdout).toContain(`\n    ${OLD}.b (old.tf)\n`);
  });

  it.each([
    ['the file is as it was', 'old.tf', block],
    ['the file has another comment', 'old.tf', `# theirs\n${block}`],
  ])('names nothing where %s', async (_, file, text) => {
    const { rollback, write } = world();
    write(file, text);
    expect(await rollback()).not.toHaveProperty('byHand');
  });
});
