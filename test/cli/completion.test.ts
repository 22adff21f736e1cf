import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../support/run-cli';
import { runProcess } from '../support/run-process';
import { temporaryFolder } from '../support/temporary-folder';

describe('completion', () => {
  /** What bash offers at the end of a line, as its own completion calls the function. */
  async function offered(line: string): Promise<string[]> {
    const cwd = temporaryFolder();
    const { stdout, code } = await runCli(['completion', 'bash']);
    expect(code).toBe(0);
    writeFileSync(join(cwd, 'completion.bash'), stdout);
    const script = `. ./completion.bash
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_cf_waf_migrate
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const words = line.split(' ');
    const ran = await runProcess('bash', ['-euc', script, 'bash', ...words], {
      cwd,
      env: { PATH: process.env['PATH'] },
    });
    expect(ran.stderr).toBe('');
    return ran.stdout.split('\n').filter((word) => word !== '');
  }

  it.each([
    ['cf-waf-migrate ge', ['generate']],
    ['cf-waf-migrate generate --prov', ['--provider']],
    ['cf-waf-migrate generate --provider ', ['3', '4', '5']],
    ['cf-waf-migrate generate --zone abc --format h', ['hcl']],
    ['cf-waf-migrate fleet status --js', ['--json']],
    ['cf-waf-migrate apply plan.json --ye', ['--yes']],
    // a file: that is the shell's own affair
    ['cf-waf-migrate generate --config ', []],
    ['cf-waf-migrate nonsense --form', []],
  ])('%s<TAB>', async (line, expected) => {
    expect(await offered(line)).toEqual(expected);
  });

  it('is a field of the JSON with --json', async () => {
    const { stdout: script } = await runCli(['completion', 'bash']);
    const { stdout } = await runCli(['completion', 'bash', '--json']);
    expect(JSON.parse(stdout)).toEqual({ shell: 'bash', script });
  });

  it('of the program itself offers every command that the help lists', async () => {
    const { stdout } = await runCli(['--help']);
    const listed = [...stdout.matchAll(/^ {2}([a-z][a-z-]*) .*\S/gm)].map(([, name]) => name!);
    expect(await offered('cf-waf-migrate ')).toEqual(
      expect.arrayContaining(listed.filter((name) => name !== 'help')),
    );
  });

  it('for fish has a line for each word, with what it is for', async () => {
    const { stdout } = await runCli(['completion', 'fish']);
    expect(stdout).toContain(
      `-n '__fish_seen_subcommand_from generate' -l 'provider' -x -a '3 4 5' -d 'provider version`,
    );
    expect(stdout).toContain(
      `-n '__fish_seen_subcommand_from status; and __fish_seen_subcommand_from fleet'`,
    );
    for (const line of stdout.trimEnd().split('\n'))
      expect(line).toMatch(/^complete -c cf-waf-migrate -n '/);
  });

  it.each([[[]], [['tcsh']], [['bash', 'zsh']]])('%j is told what it takes', async (words) => {
    const ran = await runCli(['completion', ...words]);
    expect([ran.code, ran.stdout]).toEqual([64, '']);
  });
});

const text = readFileSync(join(__dirname, '../../docs/commands.md'), 'utf8');
/** The help of a command, or of each command below it; of the program for no name. */
async function helpsBelow(name: readonly string[]): Promise<[string, string][]> {
  const { stdout } = await runCli([...name, '--help']);
  const below = [...stdout.matchAll(/^ {2}([a-z][a-z-]*)(?: <[a-z]+>)?(?: \[[a-z]+\])* {2,}\S/gm)]
    .map(([, command]) => command!)
    .filter((command) => command !== 'help');
  if (below.length === 0) return [[name.join(' '), stdout]];
  return (await Promise.all(below.map((command) => helpsBelow([...name, command])))).flat();
}

it('docs/commands.md names every flag of every command', async () => {
  const helps = await helpsBelow([]);
  expect(helps.length).toBeGreaterThan(20);
  for (const [name, help] of helps) {
    const flags = [...help.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag!);
    expect([name, flags.filter((flag) => flag !== '--help' && !text.includes(flag))]).toEqual([
      name,
      [],
    ]);
  }
});
