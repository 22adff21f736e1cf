import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { RULESET, statesFolder, ZONE } from '../plan/support/plans';
import { fakeTerraform } from '../support/fake-terraform';
import { runCli } from '../support/run-cli';
import { runProcess } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';

const plan = ['plan', '--zone', ZONE, '--ruleset-id', RULESET];

/** The command of step 1, as a user copies it. */
const commands: Readonly<Record<string, RegExp>> = {
  text: /^ 1\. .*\n(?: {4}\S.*\n)*? {4}\$ ((?:.+\n)+)\n/m,
  markdown: /\*\*1\. [^]*? {2}```sh\n([^]*?) {2}```/,
};

it.each(Object.keys(commands))(
  'the first command of a plan as %s works when pasted',
  async (format) => {
    const cwd = temporaryFolder();
    const state = join(statesFolder, 'tainted-3.35.tfstate');
    const { stdout } = await runCli([...plan, '--state', state, '--format', format]);
    const [, command = ''] = commands[format]!.exec(stdout) ?? [];
    const fake = fakeTerraform(cwd, 'echo "$*"');
    const ran = await runProcess('sh', ['-c', command], {
      cwd,
      env: { ...process.env, PATH: fake.searchPath },
    });
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const folder = join(cwd, 'cf-waf-migrate-backup');
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.tfstate$/)]);
    expect((statSync(folder).mode & 0o777).toString(8)).toBe('700');
  },
);
