import {
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type ApplyRequest } from '../../src/apply/apply-context';
import { rehearse } from '../../src/apply/rehearsal/rehearse';
import { type Plan } from '../../src/plan/plan-schema';
import { resource, stateText } from '../support/applied-folder';
import { failureOf } from '../support/client-under-test';
import { fakeTerraform } from '../support/fake-terraform';
import { removalPlan } from '../support/removal-plan';
import { temporaryFolder } from '../support/temporary-folder';

const removal = removalPlan('c'.repeat(64));
const [backup] = removal.steps;
const backend = {
  type: 'local',
  config: { path: null as string | null, workspace_dir: 'cf-waf-migrate-rehearsal.tfstate.d' },
};

/** Files below a folder; a link where the text says to what it leads. */
function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (text.startsWith('-> ')) symlinkSync(text.slice(3), path);
    else writeFileSync(path, text);
  }
}

interface Rehearsed {
  /** In the folder of the plan; that of the state is `waf`. */
  readonly files?: Readonly<Record<string, string>>;
  readonly steps?: readonly object[];
  readonly provider?: object;
  /** What `init` leaves in the copy. */
  readonly made?: object;
  /** Patterns of `case "$1 $2"` before the usual ones. */
  readonly body?: string;
  readonly terraform?: Partial<ApplyRequest['terraform']>;
}

/** Rehearses a plan with a Terraform of a few lines of shell, which notes the files of the copy. */
function rehearsal(given: Rehearsed = {}) {
  const { files = {}, steps = [backup], provider = {}, made = backend, body = '' } = given;
  const [folder, seen] = [temporaryFolder(), join(temporaryFolder(), 'seen')];
  writeAll(folder, { 'waf/main.tf': '', 'waf/state.json': stateText(1, []), ...files });
  const initialised = JSON.stringify({ backend: made });
  const fake = fakeTerraform(
    temporaryFolder(),
    `case "$1 $2" in
    ${body}
    'state pull') cat ${folder}/waf/state.json
      [ -e .terraform/terraform.tfstate ] || exit 0
      (cd .. && find . -type f ! -path '*/.terraform/*' ! -path '*cf-waf*' ! -name '~~*' ! -name state.json \\
        -exec sh -c 'for one; do echo "$one $(tr -d "\\n" < "$one")"; done' sh {} + > ${seen}) ;;
    init*) mkdir -p .terraform; printf '%s' '${initialised}' > .terraform/terraform.tfstate ;;
  esac`,
  );
  const plan = {
    ...removal,
    states: removal.states.map((state) => ({ ...state, dir: 'waf', provider })),
    steps,
  } as unknown as Plan;
  const environment = { PATH: process.env['PATH'] };
  const terraform = { binary: fake.path, environment, ...given.terraform };
  return {
    folder,
    run: () => rehearse({ plan, folder, terraform }),
    calls: () => fake.calls(),
    /** The files of the copy, without those of the rehearsal itself, and their texts. */
    copied: () =>
      new Map(
        readFileSync(seen, 'utf8')
          .trim()
          .split('\n')
          .map((line): [string, string] => [
            line.split(' ')[0]!.slice(2),
            line.split(' ').slice(1).join(' '),
          ]),
      ),
  };
}

it('tells version managers the version of the original folder', async () => {
  const versions = join(temporaryFolder(), 'versions');
  const body = `version*) echo 'Terraform v1.9.8' ;;
    init*) echo "$ASDF_TERRAFORM_VERSION $MISE_TERRAFORM_VERSION $TFENV_TERRAFORM_VERSION" > ${versions}
      mkdir -p .terraform; printf '%s' '${JSON.stringify({ backend })}' > .terraform/terraform.tfstate ;;`;
  await rehearsal({ body }).run();
  expect(readFileSync(versions, 'utf8')).toBe('1.9.8 1.9.8 1.9.8\n');
});

async function namesOfCopy(files: Readonly<Record<string, string>>): Promise<string[]> {
  const { run, copied } = rehearsal({ files });
  await run();
  return [...copied().keys()].filter((name) => name !== 'waf/terraform.tfstate').sort();
}

const reads = (expression: string): string => `locals {\n  read = ${expression}\n}\n`;

describe('the copy of a configuration', () => {
  it('in a temporary folder of the project itself has no copy of it', async () => {
    const names = await namesOfCopy({ 'waf/tmp/cf-waf-migrate-rehearsal-aB34x9/main.tf': '' });
    expect(names).toEqual(['waf/main.tf']);
  });

  it('has what links lead to as files, up to a folder above them', async () => {
    const names = await namesOfCopy({
      'shared/waf.tf': '# shared',
      'shared/module/main.tf': '',
      'waf/waf.tf': '-> ../shared/waf.tf',
      'waf/module': '-> ../shared/module',
      'waf/a/b': '-> ../b',
      'waf/b/a': '-> ../a',
      'waf/self': '-> .',
      'waf/above': '-> ..',
      'waf/dangling.json': '-> nowhere',
    });
    expect(names).toEqual(['waf/main.tf', 'waf/module/main.tf', 'waf/waf.tf']);
  });

  const beside = { 'b/one.json': '', 'b/deep/two.json': '' };

  it.each([
    ['file("../b/one.json")', ['b/one.json']],
    ['fileexists("${path.module}/../b/one.json")', ['b/one.json']],
    ['fileset("../b", "*.json")', Object.keys(beside)],
    ['fileset(path.module, "../b/{one,two}*")', Object.keys(beside)],
    ['templatefile("${path.root}/../b/${each.key}.json", {})', Object.keys(beside)],
    ['file("${path.module}/${each.key}.json")', []],
    ['file("../none/${each.key}.json")', []],
    ['file("../${each.key}.json")', []],
    ['file("/etc/hostname")', []],
    ['"https://example.com/../b/one.json"', []],
  ])('has the files that %s reads', async (expression, files) => {
    const names = await namesOfCopy({ 'waf/main.tf': reads(expression), ...beside });
    expect(names).toEqual([...files, 'waf/main.tf'].sort());
  });

  it('has the files that modules and JSON name', async () => {
    const json = { locals: { one: '${file("${path.module}/../b/one.json")}' } };
    const names = await namesOfCopy({
      'waf/main.tf': 'module "a" {\n  source = "../a"\n}\n',
      'a/main.tf.json': JSON.stringify(json),
      ...beside,
    });
    expect(names).toEqual(['a/main.tf.json', 'b/one.json', 'waf/main.tf']);
  });

  it('has states that the configuration reads, and its own as it was pulled', async () => {
    const { run, copied } = rehearsal({
      files: {
        'waf/main.tf': reads('["terraform.tfstate", "../b/one.tfstate", "own.tfstate"]'),
        'waf/terraform.tfstate': 'stale',
        'waf/own.tfstate': '',
        'waf/other.tfstate': '',
        'waf/remote.tfstate.tf': '',
        'b/one.tfstate': '',
        'b/other.tfstate': '',
      },
    });
    await run();
    expect([...copied().keys()]).toContain('waf/remote.tfstate.tf');
    const states = [...copied()].filter(([name]) => name.endsWith('.tfstate')).sort();
    expect(states).toEqual([
      ['b/one.tfstate', ''],
      ['waf/own.tfstate', ''],
      ['waf/terraform.tfstate', stateText(1, [])],
    ]);
  });

  it.each([
    ['another backend', { type: 'http', config: { address: 'https://state.example.com' } }],
    ['another file', { config: { ...backend.config, path: '/states/real.tfstate' } }],
    ['another folder', { config: { path: null, workspace_dir: '/states' } }],
  ])('is refused where `terraform init` gave it %s', async (_, made) => {
    await expect(rehearsal({ made }).run()).rejects.toMatchObject({ code: 'REHEARSAL_IMPOSSIBLE' });
  });
});

describe('a rehearsal whose plan upgrades the provider', () => {
  const upgrade = {
    ...{ id: '2', kind: 'upgrade-provider', state: 'main', title: '', provider: '5.22.0' },
    runs: [{ argv: ['terraform', 'init', '-upgrade', '-input=false'] }],
  };
  const lockOf = (version: string): string =>
    `provider "registry.terraform.io/cloudflare/cloudflare" {\n  version = "${version}"\n}\n`;

  it('reports the upgrade that its own `terraform init` made as done, not as done already', async () => {
    const { run } = rehearsal({
      files: { 'waf/.terraform.lock.hcl': lockOf('5.22.0') },
      provider: { from: '3.35.0', to: '5.22.0' },
      steps: [backup!, upgrade],
    });
    expect((await run()).steps.map(({ status }) => status)).toEqual(['done', 'done']);
  });

  it('ends where the provider is not installed after it', async () => {
    const { run, calls } = rehearsal({
      files: { 'waf/.terraform.lock.hcl': lockOf('4.52.8') },
      provider: { from: '3.35.0', to: '5.22.0' },
      steps: [backup!, upgrade],
    });
    const result = await run();
    expect(result).toMatchObject({ verdict: 'dirty', notRehearsed: ['2'] });
    expect(result.steps.map(({ status }) => status)).toEqual(['done', 'waiting']);
    const [first] = calls().filter(([word]) => word === 'init');
    expect(first).toEqual(['init', '-reconfigure', '-input=false', '-upgrade']);
  });
});

describe('a rehearsal whose Terraform ends early', () => {
  const state = stateText(1, [resource('cloudflare_waf_rule')]);

  it('says that the user interrupted it, and blames no file', async () => {
    const stop = new AbortController();
    const hold = (): void => {
      setTimeout(() => {
        stop.abort();
      }, 100);
    };
    const { run } = rehearsal({
      body: '*) exec sleep 60 ;;',
      terraform: { signal: stop.signal, hold },
    });
    await expect(run()).rejects.toMatchObject({
      message: 'the rehearsal was interrupted',
      hint: expect.stringContaining('run the same command again'),
    });
  });

  it('says what to correct, and not in the copy', async () => {
    const { steps } = removal;
    const files = { 'waf/state.json': state };
    const body = 'state\\ rm) echo "Error: Invalid target address" >&2; exit 1 ;;';
    const error = await failureOf(rehearsal({ files, steps, body }).run());
    expect(error.message).toContain('state rm failed');
    expect(error.hint).toMatch(/^correct what the cause names in the original folder, /);
  });

  it.each([
    ['init*', 'init -reconfigure'],
    ['state\\ rm', 'state rm'],
  ])('says that it was killed at `%s`, and blames no file', async (at, command) => {
    const { steps } = removal;
    const files = { 'waf/state.json': state };
    const killed = rehearsal({ files, steps, body: `${at}) kill -9 $$ ;;` });
    const error = await failureOf(killed.run());
    expect(error.message).toContain(`${command} was killed`);
    expect(error.hint).toMatch(/^check what ended it.* again to resume$/);
    expect(readdirSync(killed.folder)).toEqual(['waf']);
  });
});

it('copies an installed module with a link to a folder above it, or to a large one', async () => {
  const modules = 'waf/.terraform/modules';
  const manifest = { Modules: [{ Key: 'a', Source: 'git::x', Dir: '.terraform/modules/a' }] };
  const files = {
    [`${modules}/modules.json`]: JSON.stringify(manifest),
    [`${modules}/a/main.tf`]: '',
    [`${modules}/a/examples/basic/module`]: '-> ../..',
  };
  await rehearsal({ files }).run();
  const { folder, run } = rehearsal({
    files: { ...files, [`${modules}/a/home`]: '-> ../../../../home', 'home/large': '' },
  });
  truncateSync(join(folder, 'home/large'), 17 * 1024 ** 3);
  expect((await failureOf(run())).code).toBe('REHEARSAL_IMPOSSIBLE');
});

it('copies no large folder that a text of the configuration names', async () => {
  const named = { 'waf/main.tf': 'locals {\n  folder = "../data"\n}\n', 'data/large': '' };
  const { folder, run } = rehearsal({ files: named });
  // without content, so it takes no space
  truncateSync(join(folder, 'data/large'), 5 * 1024 ** 3);
  const { code, message } = await failureOf(run());
  expect([code, message]).toEqual([
    'REHEARSAL_IMPOSSIBLE',
    expect.stringMatching(/ 4 GiB: .*\/data\/large is not copied$/),
  ]);
});
