import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli } from '../support/run-cli';

const text = readFileSync(join(__dirname, '../../docs/command-line.md'), 'utf8');
const commands = [
  'check',
  'status',
  'fetch-config',
  'generate',
  'plan',
  'report',
  'rehearse',
  'apply',
  'verify',
  'start-validation',
  'review',
  'emulator',
  'demo',
];

it.each(commands)('docs/command-line.md names every flag of %s', async (name) => {
  const { stdout } = await runCli([name, '--help']);
  const flags = stdout.match(/^ {2}(?:-\w, )?(--[a-z-]+)/gm) ?? [];
  const long = flags.map((flag) => flag.replace(/^.*--/, '--')).filter((flag) => flag !== '--help');
  expect(long.length).toBeGreaterThan(0);
  expect(text).toContain(`\`${name} `);
  expect(long.filter((flag) => !text.includes(flag))).toEqual([]);
});
