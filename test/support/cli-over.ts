import { type Emulator } from '../../src/emulator/emulator';
import { type CliRun, runCli } from './run-cli';

/** How to run a command line: what the user answers, where, and with which credentials. */
export interface CliOverOptions {
  answers?: string[];
  cwd?: string;
  environment?: Record<string, string>;
}

/** The environment that leads the command line to an emulator. */
export function environmentOf({ baseUrl, credentials }: Emulator): Record<string, string> {
  return { CLOUDFLARE_BASE_URL: baseUrl, CLOUDFLARE_API_TOKEN: credentials.token };
}

/** Runs command lines against an emulator. */
export function cliOver(emulator: Emulator) {
  return (line: string | string[], options: CliOverOptions = {}): Promise<CliRun> =>
    runCli(typeof line === 'string' ? line.split(' ') : line, {
      environment: options.environment ?? environmentOf(emulator),
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.answers === undefined ? {} : { answers: options.answers }),
    });
}

/** The document that a command printed with `--json`. */
export function jsonOf({ stdout }: CliRun): any {
  return JSON.parse(stdout);
}

/** The error that a command printed with `--json`; notices may stand before it. */
export function errorOf({ stderr }: { stderr: string }): any {
  const line = stderr.trim().split('\n').at(-1) ?? '';
  return JSON.parse(line).error;
}

/** Credentials that an emulator refuses, each in its own way. */
export function wrongCredentials(emulator: Emulator): Record<string, Record<string, string>> {
  const { email, key } = emulator.credentials;
  const base = { CLOUDFLARE_BASE_URL: emulator.baseUrl };
  return {
    'a wrong token': { ...base, CLOUDFLARE_API_TOKEN: 'x'.repeat(40) },
    'a key sent as token': { ...base, CLOUDFLARE_API_TOKEN: key },
    'a wrong key': { ...base, CLOUDFLARE_EMAIL: email, CLOUDFLARE_API_KEY: '0'.repeat(37) },
    'a key of somebody else': {
      ...base,
      CLOUDFLARE_EMAIL: 'other@example.com',
      CLOUDFLARE_API_KEY: key,
    },
  };
}
