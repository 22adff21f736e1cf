import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Emulator, startEmulator } from '../../src/emulator/emulator';
import { type CliOptions, type CliRun, type Line, runCli } from './run-cli';
import { type RunningProvider, startProvider, type StartOptions } from './provider/start';
import { quickTerraform, runIn, terraform } from './terraform';
import { type EndedProcess, type ProcessRun } from './run-process';
import { type SpawnOptions, spawnCli } from './spawn-cli';

/** The meaning of a plan, independent of its text. */
export type Outcome = 'empty' | 'diff' | 'replace' | 'error';

export interface Verdict {
  outcome: Outcome;
  text: string;
}

export type LabOptions = Omit<StartOptions, 'baseUrl'> & {
  /** The emulator's scenario: a name, or a scenario as JSON. */
  scenario: string | object;
};

export async function inLab<T>(options: LabOptions, use: (lab: Lab) => Promise<T>): Promise<T> {
  const lab = await Lab.open(options);
  try {
    return await use(lab);
  } finally {
    await lab.close();
  }
}

/** One emulator, one provider and one folder, for one test. */
export class Lab {
  private constructor(
    readonly dir: string,
    readonly emulator: Emulator,
    private provider: RunningProvider,
  ) {}

  static async open({ scenario, ...options }: LabOptions): Promise<Lab> {
    const emulator = await startEmulator({ scenario });
    const provider = await startProvider({ ...options, baseUrl: emulator.baseUrl });
    return new Lab(mkdtempSync(join(tmpdir(), 'lab-')), emulator, provider);
  }

  /** Another provider for the same folder and emulator: an upgrade, without `terraform init`. */
  async use(options: Omit<StartOptions, 'baseUrl'>): Promise<void> {
    await this.provider.stop();
    this.provider = await startProvider({ ...options, baseUrl: this.emulator.baseUrl });
  }

  async close(): Promise<void> {
    await this.provider.stop();
    await this.emulator.stop();
    rmSync(this.dir, { recursive: true });
  }

  write(file: string, content: string | object): void {
    const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
    writeFileSync(join(this.dir, file), text);
  }

  /** The text of a file of the folder; "" when there is none. */
  read(file: string): string {
    try {
      return readFileSync(join(this.dir, file), 'utf8');
    } catch (error) {
      // also if another process removes it meanwhile
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    }
  }

  /** The environment that points Terraform and the tool to this provider and emulator. */
  get environment(): Record<string, string> {
    return { ...quickTerraform, ...this.provider.env };
  }

  cli(line: Line, { environment, ...options }: CliOptions = {}): Promise<CliRun> {
    const own = { ...this.environment, ...environment };
    return runCli(line, { cwd: this.dir, environment: own, ...options });
  }

  spawn(args: string[], options: Partial<SpawnOptions> = {}): Promise<EndedProcess> {
    const environment = { ...this.environment, ...options.environment };
    return spawnCli(args, { cwd: this.dir, ...options, environment });
  }

  async killAt(point: string, args: string[]): Promise<void> {
    const killed = await this.spawn([...args, '--yes'], {
      environment: { CF_WAF_MIGRATE_KILL_AT: point },
    });
    expect([point, killed.signal, killed.stderr]).toEqual([
      point,
      'SIGKILL',
      expect.not.stringContaining('error'),
    ]);
  }

  /** The addresses in the state of a folder; empty if there is no state yet. */
  async stateList(dir = '.'): Promise<string[]> {
    const { stdout } = await this.terraform(`-chdir=${dir}`, 'state', 'list');
    return stdout.split('\n').filter((line) => line !== '');
  }

  terraform(...args: string[]): Promise<ProcessRun> {
    return terraform(this.dir, args, this.provider.env);
  }

  /** Runs another program, as {@link terraform} runs Terraform. */
  run(program: string, args: string[]): Promise<ProcessRun> {
    return runIn(this.dir, program, args, this.provider.env);
  }

  async plan(...args: string[]): Promise<Verdict> {
    const { code, stdout, stderr } = await this.terraform('plan', '-detailed-exitcode', ...args);
    const text = stdout + stderr;
    const changed = text.includes('must be replaced') ? 'replace' : 'diff';
    return { outcome: code === 0 ? 'empty' : code === 2 ? changed : 'error', text };
  }

  /** `GET /zones/…` for each request since the last call. */
  asked(): string[] {
    const lines = this.emulator.requests().map(({ method, path }) => `${method} ${path}`);
    this.emulator.clearRequests();
    return lines;
  }

  /** The bodies of the writes since the last call of `asked`. */
  sent(): { method: string; path: string; body?: any }[] {
    return this.emulator.requests().filter(({ method }) => method !== 'GET');
  }
}
