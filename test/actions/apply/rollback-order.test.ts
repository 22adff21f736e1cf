import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { journalPath } from '../../../src/actions/apply/journal-path';
import { rollback } from '../../../src/actions/apply/rollback';
import { type Plan } from '../../../src/plan/plan';
import { fakeTerraform } from '../../support/fake-terraform';
import { temporaryFolder } from '../../support/temporary-folder';

const sha = (text: string) => createHash('sha256').update(text).digest('hex');
const resource = (type: string) => ({
  mode: 'managed',
  type,
  name: 'a',
  provider: 'provider["registry.terraform.io/cloudflare/cloudflare"]',
  instances: [{ schema_version: 0, attributes: { id: 'a' } }],
});
const stateText = (serial: number, ...types: string[]) =>
  JSON.stringify({
    version: 4,
    terraform_version: '1.11.4',
    serial,
    lineage: 'l',
    outputs: {},
    resources: types.map(resource),
  });
const [old, ruleset] = ['cloudflare_waf_rule', 'cloudflare_ruleset'];
const oldText = `resource "${old}" "a" {}\n`;
const newText = `resource "${ruleset}" "a" {}\n`;

/** A folder as an apply leaves it: with its journal, and a Terraform whose push can be refused. */
function applied({ lineage = 'l' } = {}) {
  const folder = temporaryFolder();
  const at = (file: string) => join(folder, file);
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(at(file)), { recursive: true });
    writeFileSync(at(file), text);
  };
  const plan = {
    digest: 'c'.repeat(64),
    zones: [],
    findings: [],
    states: [{ name: 'main', dir: '.', workspace: 'default', lineage, serial: 1 }],
    steps: [
      { id: '1', kind: 'import', state: 'main', expects: { present: [`${ruleset}.a`] } },
      { id: '2', kind: 'remove', state: 'main', expects: { gone: [`${old}.a`] } },
    ],
  } as unknown as Plan;
  const before = stateText(1, old);
  const saved = 'cf-waf-migrate-backup/';
  write(`${saved}main-1.tfstate`, before);
  write(`${saved}files/${sha(oldText)}`, oldText);
  write('main.tf', '');
  write('ruleset.tf', newText);
  write('state.json', stateText(3, ruleset));
  const events = [
    { event: 'begin', digest: plan.digest },
    ...(lineage === ''
      ? []
      : [
          {
            event: 'backup',
            state: 'main',
            file: `${saved}main-1.tfstate`,
            sha256: sha(before),
            lineage,
            serial: 1,
          },
        ]),
    { event: 'file', file: 'ruleset.tf', sha256: null, sha256After: sha(newText), backup: null },
    {
      event: 'file',
      file: 'main.tf',
      sha256: sha(oldText),
      sha256After: sha(''),
      backup: `${saved}files/${sha(oldText)}`,
    },
    { event: 'start', step: '1' },
  ];
  const journal = at(journalPath(plan.digest));
  writeFileSync(journal, events.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const body = `case "$2" in
    pull) cat state.json ;;
    push) if [ -e locked ]; then echo 'Error acquiring the state lock' >&2; exit 1; fi
      for last; do :; done; cp "$last" state.json ;;
  esac`;
  const binary = fakeTerraform(temporaryFolder(), body).path;
  const terraform = { binary, environment: { PATH: process.env['PATH'] } };
  return {
    at,
    write,
    types: () =>
      (
        JSON.parse(readFileSync(at('state.json'), 'utf8')) as { resources: { type: string }[] }
      ).resources.map(({ type }) => type),
    declared: () =>
      ['main.tf', 'ruleset.tf']
        .filter((file) => existsSync(at(file)))
        .map((file) => readFileSync(at(file), 'utf8')),
    rollback: (more: { force?: boolean; fault?: (point: string) => void } = {}) =>
      rollback({ journal, plan, folder, terraform, force: false, ...more }),
  };
}

describe('a rollback that ends in the middle', () => {
  it('whatever the state holds is declared at each of its moments', async () => {
    const { rollback: back, types, declared } = applied();
    const bare: string[] = [];
    const fault = (point: string): void => {
      const text = declared().join('');
      if (point.startsWith('rollback-') && point !== 'rollback-before')
        bare.push(...types().filter((type) => !text.includes(type)));
    };
    await back({ fault });
    expect([bare, types(), declared()]).toEqual([[], [old], [oldText]]);
  });

  it('where the state cannot be pushed: the ruleset stays declared, nothing is to be applied, and the next run ends it', async () => {
    const { rollback: back, write, types, declared, at } = applied();
    write('locked', '');
    await expect(back()).rejects.toMatchObject({
      code: 'TERRAFORM_FAILED',
      hint: expect.stringMatching(/let Terraform apply nothing, and run the same rollback again/),
    });
    expect([types(), declared()]).toEqual([[ruleset], [oldText, newText]]);
    rmSync(at('locked'));
    expect((await back()).restored).toEqual(['ruleset.tf', 'main.tf', 'state main']);
    expect([types(), declared()]).toEqual([[old], [oldText]]);
  });
});

describe('a state that the plan has made, of which there is no backup', () => {
  it('lets the ruleset go before its file does', async () => {
    const { rollback: back, types, declared } = applied({ lineage: '' });
    expect((await back()).restored).toContain('state main');
    expect([types(), declared()]).toEqual([[], [oldText]]);
  });

  it('keeps what somebody else has put into it', async () => {
    const { rollback: back, write, types } = applied({ lineage: '' });
    write('state.json', stateText(4, ruleset, 'cloudflare_zone'));
    await back();
    expect(types()).toEqual(['cloudflare_zone']);
  });
});
