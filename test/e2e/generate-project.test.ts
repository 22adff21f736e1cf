import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cliWithEmulator } from '../support/cli-lab';
import { MIGRATED } from '../support/zones';
import { cdktfCli, linkPackages, plainEnvironment, runInProject } from '../support/cdktf-project';
import { inLab } from '../support/lab';
import { nextCommands } from '../support/next-commands';
import { runProcess } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';

const cli = cliWithEmulator('demo');
const stack = 'docs_example_com';

/** A generated project with two zones, and its packages. */
async function projectWithTwo(): Promise<string> {
  const cwd = temporaryFolder();
  const first = await cli.run(['generate', '--zone', MIGRATED, '--project', 'waf'], { cwd });
  expect([first.code, first.stderr]).toEqual([0, '']);
  const project = join(cwd, 'waf');
  const second = ['generate', '--zone', 'b0000000000000000000000000000002', '--out', '.'];
  expect((await cli.run(second, { cwd: project })).stderr).toBe('');
  linkPackages(project);
  return project;
}
const synthesised = (project: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(project, 'cdktf.out/stacks')).map((name) => [
      name,
      readFileSync(join(project, 'cdktf.out/stacks', name, 'cdk.tf.json'), 'utf8'),
    ]),
  );

it('a generated project type-checks and passes its tests', async () => {
  const project = await projectWithTwo();
  const checked = await runInProject(project, 'tsc', ['--noEmit']);
  expect([checked.code, checked.stdout]).toEqual([0, '']);

  const args = ['--test', '__tests__/stacks.test.ts'];
  const passed = await runInProject(project, 'tsx', args);
  expect([passed.code, passed.stdout]).toEqual([0, expect.stringMatching(/^. pass 2$/m)]);
  // a stack without its guard does not pass
  const file = join(project, 'stacks', `${stack}.ts`);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/\n\s*lifecycle: \{[^}]*\},/, ''));
  const failed = await runInProject(project, 'tsx', args);
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringMatching(/^. fail 1$/m)]);
}, 300_000);

it('[S117] cdktf plan and cdktf deploy synthesise the same as main.ts, and change nothing after the import', async () => {
  await inLab({ major: 5, scenario: 'demo' }, async (lab) => {
    const generate = ['generate', '--zone', MIGRATED, '--project', 'waf', '--json'];
    const ran = await lab.cli(generate);
    const { resource } = JSON.parse(ran.stdout);
    const project = join(lab.dir, 'waf');
    linkPackages(project);
    const env = plainEnvironment(lab.environment);
    const plain = await runInProject(project, 'tsx', ['main.ts']);
    expect([plain.code, plain.stderr]).toEqual([0, '']);
    const withoutCli = synthesised(project);
    const dir = join(project, 'cdktf.out/stacks', stack);
    const terraform = (...args: string[]) => runProcess('terraform', args, { cwd: dir, env });
    expect((await terraform('init')).code).toBe(0);
    expect((await terraform('plan')).stdout).toContain('1 to add');
    expect((await terraform('import', resource.address, resource.importId)).code).toBe(0);
    const run = (args: string[]) =>
      runProcess(cdktfCli, [...args, '--skip-provider-lock'], { cwd: project, env });
    lab.asked();
    const after = await run(['plan', stack]);
    expect([after.code, after.stdout]).toEqual([0, expect.stringContaining('No changes')]);
    expect(synthesised(project)).toEqual(withoutCli);
    const deployed = await run(['deploy', stack, '--auto-approve']);
    expect([deployed.code, deployed.stdout]).toEqual([0, expect.stringContaining('No changes')]);
    expect(lab.asked().filter((line) => !line.startsWith('GET '))).toEqual([]);
  });
}, 600_000);

it('the printed commands lead to the import of each ruleset into its own stack', async () => {
  await inLab({ major: 5, scenario: 'demo' }, async (lab) => {
    let cwd = lab.dir;
    const follow = async (line: string): Promise<void> => {
      const [command = '', ...flags] = line.split(' ');
      const confirm =
        { apply: ['--yes'], finish: ['--confirm', 'blog.example.com'] }[command] ?? [];
      const ran = await lab.cli([command, ...flags, ...confirm], { cwd });
      expect([line, ran.code, ran.stderr]).toEqual([line, 0, expect.any(String)]);
      for (const step of ran.stdout.match(/(?<=^ {2})(?:cd|npm|terraform -chdir).*$/gm) ?? []) {
        const [program = '', ...args] = step.split(' ');
        if (program === 'cd') cwd = join(cwd, args.join(' '));
        else if (args[0] === 'install') linkPackages(cwd);
        else {
          const env = plainEnvironment(lab.environment);
          expect((await runProcess(program, args, { cwd, env })).code).toBe(0);
        }
      }
      const [next] = nextCommands(ran.stdout);
      if (next !== undefined) await follow(next.replace('cf-waf-migrate ', ''));
    };
    await follow(`generate --zone ${MIGRATED} --project waf`);
    await follow('generate --zone b0000000000000000000000000000002 --out .');
    for (const name of ['blog_example_com', stack]) {
      const path = `waf/cdktf.out/stacks/${name}`;
      expect(await lab.stateList(path)).toEqual(['cloudflare_ruleset.managed_rules']);
    }
  });
}, 600_000);
