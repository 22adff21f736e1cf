import catalogue from '../../src/emulator/scenarios/old-waf.json';
import { type HttpBackend, startHttpBackend } from './backend/http-backend';
import { canonicalScenario } from './canonical';
import { inLab, type Lab } from './lab';
import { oldResources, type LegacyResource } from './legacy-resources';
import { type Major } from './provider/schema/load-schema';
import { type LegacySettings, scenarioZone, stateFile } from './zones';

export interface WorldOptions extends LegacySettings {
  /** The number of identical zones; default 1. */
  zones?: number;
  plan?: 'pro' | 'business' | 'enterprise';
  /** Whether the zones, or a zone, have migrated: the legacy API is gone, and there is a ruleset. */
  migrated?: boolean | ((at: number) => boolean);
  gone?: '403/10000' | '404' | '400/1002' | '410' | 'html';
  /** The attached provider; default 3, because only that supports legacy resources. */
  major?: Major;
  /** The number of rules of the entry points; default seven special cases. */
  rulesOfEntryPoint?: number;
  /** The backend of the state; default `local`. */
  backend?: 'local' | 'http';
  /** Whether the caller runs `terraform init`. */
  isInstalled?: boolean;
}

export interface World {
  lab: Lab;
  zoneIds: string[];
  /** The entry point of each zone, in the order of the zones; none before the migration. */
  rulesetIds: string[];
  /** The legacy resources, as in configuration and state. */
  resources: LegacyResource[];
  addresses: string[];
  state: string;
  http: HttpBackend | null;
}

/**
 * Creates zones with legacy settings, their configuration, the state that provider 3.35 would have written, and a
 * backend. Removes them at the end.
 *
 * @example
 * await inWorld({ rules: { '100000': 'disable' }, backend: 'http' }, async ({ lab, http }) => {
 *   expect((await lab.plan()).outcome).toBe('error'); // the legacy API is gone
 *   expect(http?.writes()).toBe(0);
 * });
 */
export function inWorld<T>(options: WorldOptions, use: (world: World) => Promise<T>): Promise<T> {
  const { migrated = true, major = 3, zones: count = 1, backend = 'local' } = options;
  const [ruleset] = canonicalScenario(({ rules }) => {
    rules.splice(options.rulesOfEntryPoint ?? rules.length);
  }).zones[0]!.rulesets;
  const hasMigrated = (at: number): boolean =>
    typeof migrated === 'function' ? migrated(at) : migrated;
  const zones = Array.from({ length: count }, (_, at) => ({
    ...scenarioZone(at, options, hasMigrated(at) ? ruleset : undefined),
    plan: options.plan ?? 'enterprise',
    migration: { state: hasMigrated(at) ? 'complete' : 'start' },
  }));
  const scenario = {
    name: 'world',
    settings: { ...(options.gone !== undefined && { gone: options.gone }) },
    packages: catalogue.packages,
    zones,
  };
  const resources = zones.flatMap((zone) => oldResources(zone, catalogue.packages));
  const state = stateOf(resources);
  return inLab({ major, scenario }, async (lab) => {
    lab.write('provider.tf', providerBlock);
    lab.write('main.tf', resources.map(({ block }) => block).join('\n'));
    const http = backend === 'http' ? await startHttpBackend(state) : null;
    if (http === null) lab.write('terraform.tfstate', state);
    else {
      lab.write('backend.tf.json', http.config);
      if (!options.isInstalled) await lab.terraform('init');
      http.clearLog();
    }
    try {
      return await use({
        lab,
        zoneIds: zones.map(({ id }) => id),
        rulesetIds: zones.flatMap(({ rulesets }) => rulesets.map(({ id }) => id)),
        resources,
        addresses: resources.map(({ address }) => address),
        state,
        http,
      });
    } finally {
      await http?.stop();
    }
  });
}

const providerBlock = `terraform {
  required_providers {
    cloudflare = {
      source = "cloudflare/cloudflare"
    }
  }
}

provider "cloudflare" {}
`;

/** The lock file of a folder with provider 3.35.0. */
export const LOCK_FILE = `provider "registry.terraform.io/cloudflare/cloudflare" {
  version = "3.35.0"
}
`;

export const ofZone = ({ resources }: World, zoneId: string): LegacyResource[] =>
  resources.filter(({ attributes }) => attributes['zone_id'] === zoneId);

/**
 * The state of these resources, as provider 3.35 would have written it.
 * @param at number of the state, for its lineage
 * @param module of the resources
 */
export function stateOf(resources: LegacyResource[], at = 0, module?: string): string {
  const held = resources.map(({ type, name, attributes }) => ({
    ...(module !== undefined && { module }),
    ...{ mode: 'managed', type, name },
    provider: 'provider["registry.terraform.io/cloudflare/cloudflare"]',
    instances: [{ schema_version: 0, attributes, sensitive_attributes: [], private: 'bnVsbA==' }],
  }));
  return stateFile(held, `5c9b2d9e-0000-4000-8000-${String(at + 1).padStart(12, '0')}`);
}
