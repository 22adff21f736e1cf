import { type LegacyResource, parseProviderAddress } from '../../../src/tfstate/parse-state';
import { type Configuration } from '../../../src/project/read-configuration';
import { type StateFacts, type PlannedZone } from '../../../src/plan/facts/facts';
import { type Method, type Plan } from '../../../src/plan/plan-schema';
import { planMigration } from '../../../src/plan/plan-migration';
import { type FileEdit } from '../../../src/tfconfig/file-edit';
import { openProject } from '../../tfconfig/open-project';

export const ZONE = '0123456789abcdef0123456789abcdef';
export const OTHER_ZONE = 'f'.repeat(32);
export const RULESET = 'a'.repeat(32);

/** The zone that is asked for, and how its ruleset is declared. */
export const zone: PlannedZone = {
  zoneId: ZONE,
  rulesetId: RULESET,
  address: 'cloudflare_ruleset.waf',
};
export const declaredZone: PlannedZone = {
  ...zone,
  declare: () => ({
    path: 'waf.tf',
    text: 'resource "cloudflare_ruleset" "waf" {\n  kind = "zone"\n  lifecycle {\n    prevent_destroy = true\n  }\n}\n',
  }),
};

export function boundTo(text: string): Pick<LegacyResource, 'provider'> {
  const provider = parseProviderAddress(text);
  if (provider === undefined) throw new Error(`${text} is no provider configuration`);
  return { provider };
}

const ROOT = 'provider["registry.terraform.io/cloudflare/cloudflare"]';

/** An old resource by its address; the rest of it does not matter to a plan. */
export function legacyResource(
  address: string,
  changes: Partial<LegacyResource> = {},
): LegacyResource {
  const [type = ''] = address.replace(/^(module\.\w+\.)*(data\.)?/, '').split('.');
  return {
    address,
    mode: /(^|\.)data\./.test(address) ? 'data' : 'managed',
    type,
    zoneId: ZONE,
    ...boundTo(ROOT),
    attributes: {},
    ...changes,
  };
}

/** What provider 5 no longer knows. */
export const firewallRule = 'cloudflare_firewall_rule.r';

/** A state with one old package and one old rule, under provider 3, unless something else is said. */
export function stateFacts(changes: Partial<StateFacts> = {}): StateFacts {
  return {
    name: 'main',
    dir: '.',
    workspace: 'default',
    lineage: 'a-lineage',
    serial: 7,
    terraformVersion: '1.11.4',
    legacyResources: [
      legacyResource('cloudflare_waf_package.owasp'),
      legacyResource('cloudflare_waf_rule.one["a"]'),
    ],
    dataDir: undefined,
    exists: true,
    isEmpty: changes.exists === false,
    rulesets: [],
    retired: [],
    configuration: undefined,
    declared: [],
    pendingMoves: [],
    unsetVariables: [],
    binary: undefined,
    installed: '3.35.0',
    wanted: undefined,
    ...changes,
  };
}

/** What the files of a folder, and of the modules that it calls, say, by path. */
export async function configuration(
  files: Readonly<Record<string, string>>,
  root = '.',
): Promise<Configuration> {
  return { project: await openProject(files, root) };
}

/** The blocks of {@link stateFacts}. */
export const OLD_BLOCKS = `resource "cloudflare_waf_package" "owasp" {
  zone_id = var.zone
}

resource "cloudflare_waf_rule" "one" {
  for_each = toset(["a"])
  zone_id  = var.zone
}
`;

/** The plan of {@link declaredZone} for {@link stateFacts} in a folder with these files. */
export async function planFiles(
  files: Readonly<Record<string, string>>,
  changes: Partial<StateFacts> = {},
  method: Method = 'commands',
): Promise<Plan> {
  const read = await configuration(files, changes.dir);
  return planMigration([declaredZone], [stateFacts({ configuration: read, ...changes })], method);
}

/** The codes of the findings of a plan. */
export const codesOf = ({ findings }: Plan): string[] => findings.map(({ code }) => code);
/** The kinds of its steps. */
export const kindsOf = ({ steps }: Plan): string[] => steps.map(({ kind }) => kind);
/** Its edits. */
export const editsOf = ({ steps }: Plan): FileEdit[] => steps.flatMap(({ edits = [] }) => edits);
/** The addresses of the blocks that its edits remove. */
export const removedBlocks = (plan: Plan): string[] =>
  editsOf(plan).flatMap(({ remove }) => remove.map(({ address }) => address));
/** The addresses of its manual steps. */
export const byHand = ({ steps }: Plan): (readonly string[])[] =>
  steps.flatMap(({ kind, addresses = [] }) => (kind === 'manual' ? [addresses] : []));
