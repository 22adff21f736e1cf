#!/usr/bin/env node
import { CommanderError } from 'commander';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MigrationError } from '../model/migration-error';
import { type CliContext } from './context';
import { createProgram, type Outcome } from './program';
import { renderErrorJson, renderErrorText } from './render-error';

const USAGE = 64;
const exitCodes: Partial<Record<string, number>> = { USAGE, DECLINED: 3 };

async function main(args: readonly string[]): Promise<number> {
  const outcome: Outcome = {};
  const program = createProgram(context(), version(), outcome);
  for (const command of [program, ...program.commands]) {
    command
      .exitOverride()
      .configureOutput({ writeOut: writeOut, writeErr: (text) => process.stderr.write(text) });
  }
  const wantsJson = args.includes('--json');
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
    process.stderr.write(wantsJson ? renderErrorJson(error) : renderErrorText(error));
    return error instanceof MigrationError ? (exitCodes[error.code] ?? 1) : 1;
  }
  const { result, options } = outcome;
  if (!result) return 0;
  if (result.document !== undefined) writeOut(result.document);
  else writeOut(options?.json ? `${JSON.stringify(result.json, null, 2)}\n` : `${result.text}\n`);
  return result.exitCode;
}

function writeOut(text: string): void {
  // a terminal must not be driven by what a document holds; in JSON the escapes mean the same
  const shown = process.stdout.isTTY
    ? text.replace(/[\u0080-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069]/g, escape)
    : text;
  process.stdout.write(shown);
}

function escape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Read, not imported: package.json lies outside of what is compiled. */
function version(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '';
}

function context(): CliContext {
  return {
    environment: process.env,
    cwd: process.cwd(),
    node: process.execPath,
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    readStdin: async () => {
      const chunks: Buffer[] = [];
      process.stdin.on('data', (chunk: Buffer) => chunks.push(chunk));
      await once(process.stdin, 'end');
      return Buffer.concat(chunks);
    },
    isTerminal: process.stderr.isTTY,
    untilInterrupted: () =>
      new Promise((resolve) => {
        process.once('SIGINT', () => {
          resolve();
        });
        process.once('SIGTERM', () => {
          resolve();
        });
      }),
  };
}

// a reader that went away (`| head`) is no error
process.stdout.on('error', () => process.exit(0));
void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
