import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Emulator, startEmulator } from '../../src/emulator/emulator';
import { type CliOptions, type CliRun, type Line, runCli, wordsOf } from './run-cli';
import { temporaryFolder, writeInto } from './temporary-folder';
import { ENTERPRISE } from './zones';

/** An emulator, a folder, and command lines that run against both. */
export class CliLab {
  constructor(
    readonly emulator: Emulator,
    readonly cwd: string = temporaryFolder(),
  ) {}

  static async of(scenario: string | object, clock?: () => Date): Promise<CliLab> {
    return new CliLab(await startEmulator({ scenario, ...(clock && { clock }) }));
  }

  cli(line: Line, options: CliOptions = {}): Promise<CliRun> {
    const environment = environmentOf(this.emulator);
    return runCli(line, { cwd: this.cwd, environment, ...options });
  }

  /** The calls that replaced an entry point. */
  puts(): { readonly query: string; readonly status: number; readonly body: any }[] {
    return this.emulator.requests().filter(({ method }) => method === 'PUT') as any;
  }

  async status(zone = ENTERPRISE): Promise<any> {
    const { zones, findings } = jsonOf(await this.cli(`status --zone ${zone} --json`));
    return { ...zones[0], findings };
  }

  save(name: string, document: unknown): void {
    writeFileSync(join(this.cwd, name), JSON.stringify(document));
  }

  read(name: string): string {
    return readFileSync(join(this.cwd, name), 'utf8');
  }

  /** What the API proposes, also saved as `config.json`. */
  async config(): Promise<any> {
    await this.cli(`fetch-config --zone ${ENTERPRISE} --out config.json --force`);
    return JSON.parse(this.read('config.json')).result;
  }
}

/**
 * Starts an emulator for each test of a file or `describe`. Commands run in a folder of the test, with the address
 * and the token of the emulator in their environment.
 * @param scenario a name, or a scenario as JSON
 */
export function cliWithEmulator(scenario: string | object = 'demo') {
  let lab: CliLab;
  beforeEach(async () => {
    lab = await CliLab.of(scenario);
  });
  afterEach(() => lab.emulator.stop());
  const run = (line: Line, options: CliOptions = {}): Promise<CliRun> => {
    const environment = { ...environmentOf(lab.emulator), ...options.environment };
    return lab.cli(line, { ...options, environment });
  };
  return {
    emulator: (): Emulator => lab.emulator,
    paths: (): string[] => lab.emulator.requests().map(({ path }) => path),
    /** The requests so far, as `GET /zones/…`. */
    requests: (): string[] =>
      lab.emulator.requests().map(({ method, path }) => `${method} ${path}`),
    cwd: (): string => lab.cwd,
    read: (name: string): string => lab.read(name),
    list: (folder = '.'): string[] => readdirSync(join(lab.cwd, folder)).sort(),
    write: (files: Readonly<Record<string, string | Buffer>>): void => {
      writeInto(lab.cwd, files);
    },
    run,
    /** The same without an API and credentials. */
    offline: (line: Line, options: CliOptions = {}): Promise<CliRun> => {
      const environment = { CLOUDFLARE_BASE_URL: 'http://127.0.0.1:1/' };
      return runCli(line, { cwd: lab.cwd, environment, ...options });
    },
    /** As `run`, its standard output parsed as the one document that it has to be. */
    json: async (line: Line, options?: CliOptions): Promise<CliRun & { document: any }> => {
      const ran = await run([...wordsOf(line), '--json'], options);
      return { ...ran, document: jsonOf(ran) };
    },
  };
}

export function environmentOf({ baseUrl, credentials }: Emulator): Record<string, string> {
  return { CLOUDFLARE_BASE_URL: baseUrl, CLOUDFLARE_API_TOKEN: credentials.token };
}

/** The document that a command printed with `--json`. */
export function jsonOf({ stdout }: CliRun): any {
  return JSON.parse(stdout);
}

/** The error that a command printed with `--json`, after any notices. A failed command prints no result. */
export function errorOf({ stdout = '', stderr }: { stdout?: string; stderr: string }): any {
  expect(stdout).toBe('');
  return JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error;
}

/** The codes of the blockers in the error of a command. */
export function blockersOf(run: CliRun): string[] {
  const { findings = [] } = errorOf(run);
  return findings
    .filter(({ severity }: any) => severity === 'blocker')
    .map(({ code }: any) => code);
}

/** Credentials that an emulator refuses, each with another error. */
export function wrongCredentials(emulator: Emulator): Record<string, Record<string, string>> {
  const { email, key } = emulator.credentials;
  const base = { CLOUDFLARE_BASE_URL: emulator.baseUrl };
  return {
    'a wrong token': { ...base, CLOUDFLARE_API_TOKEN: 'x'.repeat(40) },
    'a key sent as token': { ...base, CLOUDFLARE_API_TOKEN: key },
    'a wrong key': { ...base, CLOUDFLARE_EMAIL: email, CLOUDFLARE_API_KEY: '0'.repeat(37) },
    'a key of another user': {
      ...base,
      CLOUDFLARE_EMAIL: 'other@example.com',
      CLOUDFLARE_API_KEY: key,
    },
  };
}
