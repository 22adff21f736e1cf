#!/usr/bin/env node
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type CliContext } from './context';
import { run } from './run';

/** The process, as the commands see it: the only file that touches it. */
const context: CliContext = {
  version: readVersion(),
  environment: process.env,
  cwd: process.cwd(),
  node: process.execPath,
  stdout: (text) => process.stdout.write(process.stdout.isTTY ? escapeForTerminal(text) : text),
  stderr: (text) => process.stderr.write(text),
  readStdin: async () => {
    const chunks: Buffer[] = [];
    process.stdin.on('data', (chunk: Buffer) => chunks.push(chunk));
    await once(process.stdin, 'end');
    return Buffer.concat(chunks);
  },
  ask: process.stdin.isTTY && process.stderr.isTTY ? ask : null,
  untilInterrupted: () =>
    new Promise((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        process.once(signal, () => {
          resolve();
        });
      }
    }),
};

/** Ctrl-C and Ctrl-D are an answer too: none. */
function ask(question: string): Promise<string> {
  return new Promise((resolve) => {
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    terminal.once('SIGINT', () => {
      terminal.close();
    });
    terminal.once('close', () => {
      resolve('');
    });
    terminal.question(question, (answer) => {
      resolve(answer);
      terminal.close();
    });
  });
}

/** Read, not imported: package.json lies outside of what is compiled. */
function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '';
}

/** What a document holds must not drive the terminal; inside JSON these escapes mean the same. */
function escapeForTerminal(text: string): string {
  return text.replace(
    /[\u0080-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

// a reader that went away (`| head`) is no error
process.stdout.on('error', () => process.exit(0));
void run(process.argv.slice(2), context).then((code) => {
  process.exitCode = code;
});
