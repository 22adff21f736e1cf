import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { errorOf } from './support/cli-with-emulator';

const golden = join(__dirname, '../golden/demo.txt');

describe('the demo', () => {
  it('says what it does as it is written down, in at most 40 lines of 84 columns', async () => {
    const cwd = temporaryFolder();
    const { code, stdout, stderr } = await runCli(['demo'], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, stdout);
    expect(stdout).toBe(readFileSync(golden, 'utf8'));
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(40);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThan(85);

    const paths = stdout.match(/demo-output\/[\w./-]+/g) ?? [];
    expect(paths.length).toBeGreaterThanOrEqual(7);
    for (const path of paths) expect([path, existsSync(join(cwd, path))]).toEqual([path, true]);
    expect(statSync(join(cwd, 'demo-output/old-waf.tfstate')).mode & 0o777).toBe(0o600);
  });

  it('with --json prints the files as one document, and nothing else', async () => {
    const cwd = temporaryFolder();
    const { code, stdout, stderr } = await runCli(['demo', '--out', 'x', '--json'], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    const { files } = JSON.parse(stdout) as { files: string[] };
    expect(files.length).toBe(7);
    for (const file of files) expect([file, existsSync(join(cwd, file))]).toEqual([file, true]);
  });

  it('with --quiet says nothing, and can be run again over itself', async () => {
    const cwd = temporaryFolder();
    for (const time of ['first', 'second']) {
      const { code, stdout, stderr } = await runCli(['demo', '--quiet'], { cwd });
      expect([time, code, stdout, stderr]).toEqual([time, 0, '', '']);
    }
  });

  it('overwrites nothing that is not from a demo', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'mine'));
    writeFileSync(join(cwd, 'mine/plan.sh'), '#!/bin/sh\n');
    const ran = await runCli(['demo', '--out', 'mine', '--json'], { cwd });
    expect([ran.code, errorOf(ran).code]).toEqual([1, 'FILE_EXISTS']);
    expect(readdirSync(join(cwd, 'mine'))).toEqual(['plan.sh']);
  });

  it('where CDKTF is not installed skips the synth with one line', async () => {
    const packageRoot = temporaryFolder();
    writeFileSync(join(packageRoot, 'package.json'), '{}');
    const cwd = temporaryFolder();
    const { code, stdout, stderr } = await runCli(['demo'], { cwd, packageRoot });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^3\. synth {6}skipped: it needs stacks\/main\.ts/m);
    expect(stdout).toContain('4. plan');
    expect(readdirSync(join(cwd, 'demo-output')).sort()).toEqual([
      ...['old-waf.tfstate', 'plan.json', 'plan.sh', 'stacks'],
    ]);
  });

  it.each([
    ['a file stands in the way', 'file'],
    ['a file stands above it', 'file/x'],
  ])('fails with a clear error when %s', async (_, out) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'file'), '');
    const ran = await runCli(['demo', '--out', out, '--json'], { cwd });
    expect([ran.code, errorOf(ran).code]).toEqual([1, 'FILE_UNWRITABLE']);
  });
});
