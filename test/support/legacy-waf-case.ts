import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import scenario from '../../src/emulator/scenarios/old-waf.json';
import { type Lab } from './lab';

const folder = join(__dirname, '../fixtures/terraform/states');

/** The state of the five zones, as provider 3.35 wrote it. */
export function oldWafState(): string {
  return readFileSync(join(folder, 'old-waf-3.35.tfstate'), 'utf8');
}

interface StateResource {
  module?: string;
  mode: 'managed' | 'data';
  type: string;
  name: string;
  instances: { index_key?: string | number; attributes: Record<string, any> }[];
}

export function resourcesIn(state: string): StateResource[] {
  return (JSON.parse(state) as { resources: StateResource[] }).resources;
}

export interface OldWafWorld {
  /** Whether the legacy API still answers; otherwise every zone has migrated. */
  alive: boolean;
  gone?: '403/10000' | '404' | '400/1002' | '410' | 'html';
  /** The zones have no legacy settings yet. */
  fresh?: boolean;
}

export function oldWafScenario({ alive, gone, fresh = false }: OldWafWorld): object {
  const zones = scenario.zones.map((zone) => ({
    ...zone,
    migration: { state: alive ? 'start' : 'complete' },
    ...(alive && { rulesets: [] }),
    ...(fresh && { oldWaf: {}, filters: [], firewallRules: [] }),
  }));
  return { ...scenario, zones, settings: { ...(gone && { gone }) } };
}

const provider = `
terraform {
  required_providers {
    cloudflare = {
      source = "cloudflare/cloudflare"
    }
  }
}
provider "cloudflare" {}
variable "zone_id" {
  default = "0123456789abcdef0123456789abcdef"
}
`;

/** The configuration of the five zones, initialised. */
export async function writeOldWaf(lab: Lab): Promise<void> {
  cpSync(join(folder, 'old-waf-3.35'), lab.dir, { recursive: true });
  lab.write('provider.tf', provider);
  const run = await lab.terraform('init');
  if (run.code !== 0) throw new Error(run.stderr);
}

/** The configuration of the five zones, without data sources and what uses them. */
export function withoutData(lab: Lab): void {
  const blocks = lab.read('main.tf').split(/^(?=(?:resource|data|module|locals)\b)/m);
  lab.write('main.tf', blocks.filter((block) => !/data\.?\s*"?cloudflare_/.test(block)).join(''));
}
