import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Emulator, startEmulator } from '../../src/emulator/emulator';
import { type CliOverOptions, cliOver, errorOf, jsonOf } from './cli-over';
import { type CliRun } from './run-cli';
import { temporaryFolder } from './temporary-folder';
import { ENTERPRISE, idOf } from './zones';

/** Name of the zone of the scenario `enterprise`. */
export const NAME = 'shop.example.com';
export const FINISH = `finish --zone ${ENTERPRISE} --confirm ${NAME} --json`;
export const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
export const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f';
export const CREDENTIALS = 'c2e184081120413c86c3ab7e14069605';

/** An emulator, a folder, and command lines that run against both. */
export class Lab {
  private constructor(
    readonly emulator: Emulator,
    readonly cwd: string,
  ) {}

  static async of(scenario: string | object, clock?: () => Date): Promise<Lab> {
    const options = { scenario, ...(clock === undefined ? {} : { clock }) };
    return new Lab(await startEmulator(options), temporaryFolder());
  }

  cli(line: string | string[], options: CliOverOptions = {}): Promise<CliRun> {
    return cliOver(this.emulator)(line, { cwd: this.cwd, ...options });
  }

  /** The calls that replaced an entry point. */
  puts(): { readonly query: string; readonly status: number; readonly body: any }[] {
    return this.emulator
      .requests()
      .filter(({ method }) => method === 'PUT')
      .map(({ query, status, body }) => ({ query, status, body }));
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

  /** What the service proposes, also saved as `config.json`. */
  async config(zone = ENTERPRISE): Promise<any> {
    await this.cli(`fetch-config --zone ${zone} --out config.json --force`);
    return JSON.parse(this.read('config.json')).result;
  }
}

/** The codes of the blockers that a command failed with. */
export function blockersOf(run: CliRun): string[] {
  const { findings = [] } = errorOf(run);
  return findings
    .filter(({ severity }: any) => severity === 'blocker')
    .map(({ code }: any) => code);
}

/** The rule that deploys the Cloudflare Managed Ruleset. */
export function managedOf(rules: any[]): any {
  return rules.find((rule) => rule.action === 'execute' && rule.action_parameters.id === MANAGED);
}

/** An entry point for a scenario. */
export function entryPoint(...rules: object[]): object {
  return {
    id: idOf('9', 1),
    name: 'zone',
    description: '',
    kind: 'zone',
    phase: 'http_request_firewall_managed',
    version: '1',
    last_updated: '2024-01-01T00:00:00Z',
    rules,
  };
}

/** A rule of an entry point for a scenario, off by default. */
export function deploy(ruleset: string, rest: object = {}): object {
  return {
    id: idOf('8', 1),
    ref: 'ours',
    version: '1',
    action: 'execute',
    expression: 'true',
    enabled: false,
    action_parameters: { id: ruleset },
    ...rest,
  };
}
