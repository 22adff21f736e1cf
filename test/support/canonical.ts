import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import scenario from '../../src/emulator/scenarios/canonical.json';
import { type Major } from './provider/schema/load-schema';

/** The folder of configurations that were measured with the real providers. */
export const canonicalFolder = join(__dirname, '../fixtures/terraform/canonical');

const read = (...path: string[]) => readFileSync(join(canonicalFolder, ...path), 'utf8');

/** A ruleset as the API returns it, with a loose type, because test cases change it. */
export type RulesetAnswer = Record<string, any> & { rules: Record<string, any>[] };

/** The scenario of the seven awkward rules, with its ruleset changed. */
export function canonicalScenario(change: (ruleset: RulesetAnswer) => void = () => undefined) {
  const copy = structuredClone(scenario);
  const ruleset = copy.zones[0]?.rulesets[0];
  if (ruleset === undefined) throw new Error('the canonical scenario has no ruleset');
  change(ruleset);
  return copy;
}

export const canonicalZone = '0123456789abcdef0123456789abcdef';
export const canonicalRuleset = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
export const canonicalAddress = 'cloudflare_ruleset.waf';

export function canonicalImportId(major: Major): string {
  return read(`v${major}`, 'IMPORT_ID.txt').trim();
}

/** The resource of the canonical configuration, in the dialect of a major. */
export type RulesetConfig = Record<string, any> & { rules: Record<string, any>[] };

/** The canonical configuration as Terraform JSON, and the resource in it. */
export function canonicalConfig(major: Major): { file: object; resource: RulesetConfig } {
  const file = JSON.parse(read(`v${major}`, 'tfjson', 'main.tf.json')) as {
    resource: { cloudflare_ruleset: { waf: RulesetConfig } };
  };
  return { file, resource: file.resource.cloudflare_ruleset.waf };
}

interface StateFile {
  resources: { instances: object[] }[];
}

export function instanceIn(state: string): object | undefined {
  return (JSON.parse(state) as StateFile).resources[0]?.instances[0];
}

/** What was measured in state after the import of the canonical ruleset. */
export function measuredState(major: Major): string {
  return read(`v${major}`, 'state-after-import.tfstate');
}
