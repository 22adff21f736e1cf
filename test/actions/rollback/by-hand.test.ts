import { appliedFolder, OLD, oldText, RULESET } from '../../support/applied-folder';

const takenOut = {
  kind: 'manual',
  title: 'Take the old blocks out',
  addresses: [`${OLD}.b`],
} as const;
const lockFile = (version: string) =>
  `provider "registry.terraform.io/cloudflare/cloudflare" {\n  version = "${version}"\n}\n`;

describe('rollback of what a person did', () => {
  it('names blocks that are still out of the configuration, with exit code 2', async () => {
    const { cli, journal, types } = appliedFolder({ steps: [takenOut] });
    const ran = await cli('rollback', journal, '--yes', '--json');
    expect([ran.code, ran.stderr]).toEqual([2, '']);
    expect(JSON.parse(ran.stdout)).toEqual({
      restored: ['ruleset.tf', 'main.tf', 'state main'],
      byHand: [
        {
          step: '3',
          title: takenOut.title,
          undo: expect.stringContaining('put these blocks back'),
          addresses: takenOut.addresses,
        },
      ],
    });
    expect(types()).toEqual([OLD]);
  });

  it('says so for a person, too', async () => {
    const { cli, journal } = appliedFolder({ steps: [takenOut] });
    const { stdout, code } = await cli('rollback', journal, '--yes');
    expect(code).toBe(2);
    expect(stdout).toContain('Yours to undo, before Terraform applies anything:');
    expect(stdout).toContain(`${OLD}.b`);
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
        step: '3',
        undo: expect.stringContaining('take the declaration out'),
        addresses: [`${RULESET}.b`],
      },
    ]);
  });

  it('names the provider that was upgraded: constraint and lock file are not those of before', async () => {
    const { rollback, write } = appliedFolder({
      steps: [{ kind: 'upgrade-provider', provider: '4.52.8' }],
    });
    write('.terraform.lock.hcl', lockFile('4.52.8'));
    expect((await rollback()).byHand).toMatchObject([
      { undo: expect.stringMatching(/constraint back to 3\.35\.0 in \., and run terraform init/) },
    ]);
    write('.terraform.lock.hcl', lockFile('3.35.0'));
    expect(await rollback()).not.toHaveProperty('byHand');
  });
});
