import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { parseJson } from '../../src/core/json';
import { type Emulator, startEmulator } from '../../src/emulator/emulator';
import catalogue from '../../src/emulator/scenarios/old-waf.json';
import { Edit } from '../e2e/provider/table/edit';
import { type HttpBackend, startHttpBackend } from '../support/backend/http-backend';
import { canonicalScenario, instanceIn, measuredState } from '../support/canonical';
import { oldResources, type LegacyResource } from '../support/legacy-resources';
import { CloudflareHttp } from '../support/provider/http/cloudflare-http';
import { majorOf } from '../support/provider/majors/majors';
import { identifier, type LegacySettings, scenarioZone, stateFile } from '../support/zones';
import { type ProcessRun } from '../support/run-process';
import { type Fault, type Layer, type ToolRun } from './layer';

/** A zone with its migration status and its resources in Terraform. Plain data, as in the corpus. */
export interface ZoneSpec {
  plan: 'pro' | 'enterprise';
  stage: 'legacy' | 'validation' | 'migrated';
  settings: number;
  /** Whether its ruleset is declared and in the state already. */
  imported: boolean;
}

/** A Terraform folder and the form in which it declares the legacy resources. */
export interface FolderSpec {
  form: 'hcl' | 'json' | 'count' | 'each' | 'module' | 'alias' | 'cdktf';
  backend: 'local' | 'http';
  workspace: boolean;
  /** `firewall`: a filter and a firewall rule. A CDKTF stack has neither. */
  extras: ('data' | 'output' | 'firewall')[];
}

/** The start of a walk. Folder `i % folders` declares zone `i`. No folder declares the last zone. */
export interface WorldSpec {
  provider: '3.27.0' | '3.35.0' | '4.52.8' | '5.22.0';
  gone: '403/10000' | '404' | '400/1002' | '410' | 'html';
  zones: ZoneSpec[];
  folders: FolderSpec[];
}

const zoneSpecs = fc.record<ZoneSpec>({
  plan: fc.constantFrom('enterprise', 'pro'),
  stage: fc.oneof(
    { arbitrary: fc.constant('migrated' as const), weight: 4 },
    fc.constantFrom('legacy' as const, 'validation' as const),
  ),
  settings: fc.nat(3),
  imported: fc.oneof({ arbitrary: fc.constant(false), weight: 4 }, fc.constant(true)),
});
const folderSpecs = fc.record<FolderSpec>({
  form: fc.constantFrom('hcl', 'json', 'count', 'each', 'module', 'alias', 'cdktf'),
  backend: fc.constantFrom('local', 'http'),
  workspace: fc.oneof({ arbitrary: fc.constant(false), weight: 4 }, fc.constant(true)),
  extras: fc.subarray(['data', 'output', 'firewall'], { maxLength: 1 }),
});

/** All initial worlds. The first of each choice is the simplest, to which a failure shrinks. */
export const worldSpecs: fc.Arbitrary<WorldSpec> = fc.record<WorldSpec>({
  provider: fc.constantFrom('3.35.0', '4.52.8', '5.22.0', '3.27.0'),
  gone: fc.constantFrom('403/10000', '404', '400/1002', '410', 'html'),
  zones: fc.array(zoneSpecs, { minLength: 2, maxLength: 4 }),
  folders: fc.array(folderSpecs, { minLength: 1, maxLength: 3 }),
});

/** Legacy settings that a zone can have. */
const settings: LegacySettings[] = [
  { rules: { '100000': 'simulate' } },
  { rules: { '100000': 'simulate', '100001': 'disable' } },
  {
    packages: { c504870194831cd12c3fc0284f294abb: { sensitivity: 'low', action_mode: 'simulate' } },
    rules: { '100001': 'disable' },
  },
  {
    rules: { '100000': 'disable' },
    overrides: [{ urls: ['shop.example.com/*'], rules: { '100001': 'disable' } }],
  },
];

/** The fields of a raw Terraform state that the model reads. */
export interface RawState {
  lineage: string;
  serial: number;
  outputs: Record<string, unknown>;
  resources: RawResource[];
}
interface RawResource {
  module?: string;
  mode: string;
  type: string;
  name: string;
  provider: string;
  instances: {
    index_key?: string | number;
    attributes: Record<string, any>;
    [field: string]: unknown;
  }[];
}

/** What Terraform and the user see between two commands, without the tool's own files. */
export interface Snapshot {
  /** Configurations and lock files by path. */
  files: Record<string, string>;
  /** Raw states by folder. */
  states: Record<string, string>;
}

export interface Zone extends Omit<ZoneSpec, 'settings'> {
  id: string;
  name: string;
  oldWaf: object;
  rulesets: { id: string }[];
  filters: { id: string; expression: string }[];
  firewallRules: { id: string; filter: string; action: string }[];
  resources: LegacyResource[];
}

/** A folder of a world. `dir` is relative to its root. */
export interface Folder extends FolderSpec {
  dir: string;
  /** The version of the provider that it requires. */
  version: string;
  zones: Zone[];
  http: HttpBackend | null;
}

/** Zones in an emulator, Terraform folders with matching states, and the tool to run on both. */
export class World {
  readonly planFile = 'plan.json';
  private readonly http: CloudflareHttp;

  private constructor(
    readonly spec: WorldSpec,
    readonly layer: Layer,
    readonly root: string,
    readonly emulator: Emulator,
    readonly zones: Zone[],
    readonly folders: Folder[],
  ) {
    const headers = { authorization: `Bearer ${emulator.credentials.token}` };
    this.http = new CloudflareHttp({ baseUrl: emulator.baseUrl, headers });
  }

  static async open(spec: WorldSpec, layer: Layer): Promise<World> {
    const zones = spec.zones.map(zoneOf);
    const emulator = await startEmulator({ scenario: scenarioOf(spec, zones) });
    const root = mkdtempSync(join(tmpdir(), 'walk-'));
    const declared = zones.slice(0, -1);
    const folders = spec.folders.map((folder, at): Folder => ({
      ...folder,
      // the http backend does not support workspaces
      workspace: folder.workspace && folder.backend === 'local',
      extras: folder.extras.filter(
        (extra) => folder.form !== 'cdktf' && (extra !== 'firewall' || majorOf(spec.provider) < 5),
      ),
      dir: spec.folders.length === 1 ? '.' : `folder-${at + 1}`,
      zones: declared.filter((_, index) => index % spec.folders.length === at),
      version: spec.provider,
      http: null,
    }));
    const world = new World(spec, layer, root, emulator, zones, folders);
    for (const [at, folder] of folders.entries()) await world.fill(folder, at);
    return world;
  }

  async close(): Promise<void> {
    this.http.close();
    await this.emulator.stop();
    rmSync(this.root, { recursive: true, force: true });
  }

  /** Variables that point Terraform and the tool to the emulator. */
  get environment(): Record<string, string> {
    return {
      ...this.layer.environment,
      CLOUDFLARE_BASE_URL: this.emulator.baseUrl,
      CLOUDFLARE_API_TOKEN: this.emulator.credentials.token,
    };
  }

  /** Runs the tool in the root of the world. */
  cli(args: string[], fault?: Fault): Promise<ToolRun> {
    return this.layer.cli(args, { cwd: this.root, environment: this.environment }, fault);
  }

  /** Runs Terraform as the user does. */
  terraform({ dir }: Folder, line: string): Promise<ProcessRun> {
    return this.layer.terraform(join(this.root, dir), line.split(' '), this.environment);
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  exists(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true });
  }

  stateText({ dir, workspace, http }: Folder): string {
    if (http !== null) return http.state() ?? '';
    const path = join(dir, workspace ? 'terraform.tfstate.d/prod' : '.', 'terraform.tfstate');
    return this.exists(path) ? this.read(path) : '';
  }

  putState(folder: Folder, change: (state: RawState) => void): void {
    const state: RawState = JSON.parse(this.stateText(folder));
    change(state);
    state.serial += 1;
    this.storeState(folder, `${JSON.stringify(state, null, 2)}\n`);
  }

  look(): Snapshot {
    const own =
      /(^|\/)(\.terraform|cf-waf-migrate-\w+|out|plans|reports)\/|\.tfstate|^plan\.json$|\.lock\.info$/;
    return {
      files: this.texts((path) => !own.test(path)),
      states: Object.fromEntries(
        this.folders.map((folder) => [folder.dir, this.stateText(folder)]),
      ),
    };
  }

  /** The states in the backup folder. */
  backups(): RawState[] {
    return this.backupTexts().map((text) => JSON.parse(text));
  }

  /** The latest backup of a folder's state. */
  lastBackup(folder: Folder): string | undefined {
    const lineage = lineageOf(this.folders.indexOf(folder));
    const serial = (text: string): number => JSON.parse(text).serial;
    return this.backupTexts()
      .filter((text) => JSON.parse(text).lineage === lineage)
      .sort((one, other) => serial(one) - serial(other))
      .at(-1);
  }

  private backupTexts(): string[] {
    const texts = this.texts((path) => /(^|\/)cf-waf-migrate-backup\//.test(path));
    return Object.values(texts).filter(
      (text) => text !== '' && !isTorn(text) && Array.isArray(JSON.parse(text).resources),
    );
  }

  /** Write requests since the last call. */
  writes(): string[] {
    const all = this.emulator
      .requests()
      .filter(({ method, path }) => method !== 'GET' && path !== '/graphql');
    this.emulator.clearRequests();
    return all.map(({ method, path }) => `${method} ${path}`);
  }

  /** The number of active WAFs for each zone. */
  async protection(): Promise<number[]> {
    return Promise.all(
      this.zones.map(async (zone) => {
        const { old, now } = await this.activeWafs(zone);
        return Number(old) + Number(now);
      }),
    );
  }

  /** Reads the stage and the ruleset of each zone again, after a command that migrates zones. */
  async moved(): Promise<void> {
    for (const zone of this.zones) {
      const { old, now } = await this.activeWafs(zone);
      if (!now) continue;
      const path = `/zones/${zone.id}/rulesets/phases/http_request_firewall_managed/entrypoint`;
      const { result } = await this.api('GET', path);
      Object.assign(zone, { stage: old ? 'validation' : 'migrated', rulesets: [result] });
    }
  }

  private async activeWafs({ id }: Zone): Promise<{ old: boolean; now: boolean }> {
    const { result } = await this.api('GET', `/zones/${id}/waf_migration/status`);
    const { old_waf_status: old, new_waf_status: now } = result;
    return { old: old === 'enabled', now: now === 'enabled' };
  }

  /** An API call of the user. */
  async api(method: string, path: string, body?: object): Promise<any> {
    const send = () => this.http.send(method, path, body);
    // retries once, because the emulator closes idle connections
    return (await send().catch(send)).json;
  }

  /** Declares the legacy resources of a zone in the form of the folder. */
  declare(folder: Folder, zone: Zone): void {
    const { form, dir } = folder;
    if (form === 'cdktf') {
      this.synthesise(folder, ({ resource }) => {
        merge(resource, nested(zone.resources));
      });
      return;
    }
    const place = form === 'module' ? join(dir, 'waf') : dir;
    const file = join(
      place,
      `zone_${this.zones.indexOf(zone)}.tf${form === 'json' ? '.json' : ''}`,
    );
    const meta = {
      count: '  count = 1\n',
      each: '  for_each = toset(["a key"])\n',
      alias: '  provider = cloudflare.second\n',
    };
    this.write(
      file,
      form === 'json'
        ? JSON.stringify({ resource: nested(zone.resources) }, null, 2)
        : zone.resources
            .map(({ block }) =>
              block.replace(
                '{\n',
                () => `{\n${form in meta ? meta[form as keyof typeof meta] : ''}`,
              ),
            )
            .join('\n'),
    );
  }

  /** Declares the ruleset that a migrated zone has at the start. */
  declareRuleset(folder: Folder, zone: Zone, name: string): void {
    const { resource } = new Edit(majorOf(folder.version));
    const cloudflare_ruleset = { [name]: { ...resource, zone_id: zone.id } };
    if (folder.form === 'cdktf')
      this.synthesise(folder, ({ resource: all }) => {
        merge(all, { cloudflare_ruleset });
      });
    else
      this.write(
        join(folder.dir, `ruleset_${this.zones.indexOf(zone)}.tf.json`),
        JSON.stringify({ resource: { cloudflare_ruleset } }, null, 2),
      );
  }

  /** Sets the version constraint of the provider. */
  require(folder: Folder, version: string): void {
    const { dir, form } = folder;
    folder.version = version;
    if (form === 'cdktf') {
      this.synthesise(folder, ({ terraform }) => {
        terraform.required_providers.cloudflare.version = version;
      });
      return;
    }
    this.write(join(dir, 'provider.tf'), providerText(version, form === 'alias'));
    if (form === 'module')
      this.write(
        join(dir, 'waf/provider.tf'),
        providerText(version, false).split('\nprovider')[0]!,
      );
  }

  /** Changes the program of a CDKTF stack and synthesises its only file. */
  synthesise({ dir }: Folder, change: (stack: any) => void): void {
    const file = join(dir, 'cdk.tf.json');
    const stack = this.exists(file) ? JSON.parse(this.read(file)) : structuredClone(emptyStack);
    stack.resource ??= {};
    change(stack);
    if (Object.keys(stack.resource).length === 0) delete stack.resource;
    this.write(file, JSON.stringify(stack, null, 2));
  }

  /** The texts of the files below the root whose path matches. */
  private texts(choose: (path: string) => boolean): Record<string, string> {
    const files = filesBelow(this.root).filter(choose).sort();
    return Object.fromEntries(files.map((path) => [path, this.read(path)]));
  }

  private async fill(folder: Folder, at: number): Promise<void> {
    const { dir, zones, extras, form, workspace } = folder;
    const { provider } = this.spec;
    this.require(folder, provider);
    if (form === 'module')
      this.write(join(dir, 'main.tf'), 'module "waf" {\n  source = "./waf"\n}\n');
    for (const zone of zones) {
      this.declare(folder, zone);
      if (isImported(zone)) this.declareRuleset(folder, zone, nameOf(this.zones.indexOf(zone)));
    }
    const [first] = zones.flatMap(({ resources }) => resources);
    if (extras.includes('data') && zones[0] !== undefined)
      this.write(
        join(dir, 'data.tf'),
        `data "cloudflare_waf_packages" "all" {\n  zone_id = "${zones[0].id}"\n}\n`,
      );
    if (extras.includes('firewall') && zones[0] !== undefined)
      this.write(join(dir, 'firewall.tf.json'), JSON.stringify({ resource: firewallOf(zones[0]) }));
    const hasOutput =
      extras.includes('output') && first !== undefined && (form === 'hcl' || form === 'json');
    if (hasOutput)
      this.write(join(dir, 'outputs.tf'), `output "legacy" {\n  value = ${first.address}.id\n}\n`);
    if (folder.backend === 'http') {
      folder.http = await pooledBackend(at);
      this.write(join(dir, 'backend.tf.json'), JSON.stringify(folder.http.config));
    }
    await this.layer.init(join(this.root, dir), this.environment);
    if (workspace) this.write(join(dir, '.terraform/environment'), 'prod');
    const outputs = hasOutput ? { legacy: { value: first.attributes['id'], type: 'string' } } : {};
    this.storeState(folder, stateOf(folder, provider, outputs, at));
  }

  storeState({ dir, workspace, http }: Folder, text: string): void {
    if (http !== null) http.put(text);
    else
      this.write(
        join(dir, workspace ? 'terraform.tfstate.d/prod' : '.', 'terraform.tfstate'),
        text,
      );
  }
}

/** A managed resource of a state. */
export interface Entry {
  type: string;
  provider: string;
  instance: RawResource['instances'][0];
}

/** Whether a state is truncated. Terraform writes local states in place. */
export function isTorn(text: string): boolean {
  return text !== '' && parseJson(text) === undefined;
}

/** The instances of a state. Empty if Terraform cannot read it. */
export function instancesOf(text: string): Map<string, Entry> {
  if (text === '' || isTorn(text)) return new Map();
  const { resources } = JSON.parse(text) as RawState;
  const entries = resources
    .filter(({ mode }) => mode === 'managed')
    .flatMap(({ module, type, name, provider, instances }) =>
      instances.map((instance): [string, Entry] => {
        const { index_key: key } = instance;
        const index = key === undefined ? '' : `[${JSON.stringify(key)}]`;
        const place = module === undefined ? '' : `${module}.`;
        return [`${place}${type}.${name}${index}`, { type, provider, instance }];
      }),
    );
  return new Map(entries);
}

const pool = new Map<number, HttpBackend>();

/** Reuses backends between walks, so that their addresses still match the result of `terraform init`. */
async function pooledBackend(at: number): Promise<HttpBackend> {
  const backend = pool.get(at) ?? (await startHttpBackend());
  pool.set(at, backend);
  backend.release();
  backend.refusePush(null);
  return backend;
}

export async function stopBackends(): Promise<void> {
  for (const backend of pool.values()) await backend.stop();
  pool.clear();
}

function zoneOf({ settings: set, ...spec }: ZoneSpec, at: number): Zone {
  const [ruleset] = canonicalScenario().zones[0]!.rulesets;
  const zone = scenarioZone(at, settings[set] ?? {}, spec.stage === 'legacy' ? undefined : ruleset);
  const filter = identifier(`filter ${at}`);
  return {
    ...spec,
    ...zone,
    // only enterprise has a validation mode
    plan: spec.stage === 'validation' ? 'enterprise' : spec.plan,
    filters: [{ id: filter, expression: 'ip.src eq 192.0.2.9' }],
    firewallRules: [{ id: identifier(`rule ${at}`), filter, action: 'block' }],
    resources: oldResources(zone, catalogue.packages),
  };
}

function scenarioOf({ gone }: WorldSpec, zones: Zone[]): object {
  const states = { legacy: 'start', validation: 'validation', migrated: 'complete' };
  return {
    name: 'walk',
    settings: { gone },
    packages: catalogue.packages,
    zones: zones.map(({ id, name, plan, stage, oldWaf, rulesets, filters, firewallRules }) => ({
      ...{ id, name, plan, oldWaf, rulesets, filters, firewallRules },
      migration: { state: states[stage] },
    })),
  };
}

function providerText(version: string, alias: boolean): string {
  const second = alias ? '\nprovider "cloudflare" {\n  alias = "second"\n}\n' : '';
  return `terraform {
  required_providers {
    cloudflare = {
      source  = "cloudflare/cloudflare"
      version = "${version}"
    }
  }
}

provider "cloudflare" {}
${second}`;
}

function nested(resources: readonly LegacyResource[]): object {
  const types: Record<string, Record<string, object>> = {};
  for (const { type, name, configured } of resources) (types[type] ??= {})[name] = configured;
  return types;
}

function merge(into: any, from: any): void {
  for (const [type, named] of Object.entries<object>(from))
    Object.assign((into[type] ??= {}), named);
}

function isImported({ imported, stage }: Zone): boolean {
  return imported && stage === 'migrated';
}

function nameOf(at: number): string {
  return `zone_${at}`;
}

const emptyStack = {
  '//': { metadata: { backend: 'local', stackName: 'waf', version: '0.21.0' }, outputs: {} },
  provider: { cloudflare: [{}] },
  terraform: {
    required_providers: { cloudflare: { source: 'cloudflare/cloudflare', version: '' } },
  },
};

/** A filter and a firewall rule of a zone in a configuration. */
function firewallOf({ id: zone_id, filters: [filter], firewallRules: [rule] }: Zone): object {
  const { expression } = filter!;
  return {
    cloudflare_filter: { a: { zone_id, expression } },
    cloudflare_firewall_rule: { a: { zone_id, filter_id: filter!.id, action: rule!.action } },
  };
}

/** The same resources in a state (3.35 and 4.52.8, measured). */
function firewallEntries({
  id: zone_id,
  filters: [filter],
  firewallRules: [rule],
}: Zone): object[] {
  const common = { description: '', paused: false, zone_id };
  const { id, expression } = filter!;
  const { id: ruleId, action } = rule!;
  const ofFilter = { ...common, expression, id, ref: '' };
  const ofRule = { ...common, action, filter_id: id, id: ruleId, priority: 0, products: null };
  return [
    managed('cloudflare_filter', 'a', instanceOf(ofFilter)),
    managed('cloudflare_firewall_rule', 'a', instanceOf(ofRule)),
  ];
}

function managed(type: string, name: string, instance: RawResource['instances'][0]): RawResource {
  return { mode: 'managed', type, name, provider: source, instances: [instance] };
}

function instanceOf(attributes: object): RawResource['instances'][0] {
  return { schema_version: 0, attributes, sensitive_attributes: [], private: 'bnVsbA==' };
}

const source = 'provider["registry.terraform.io/cloudflare/cloudflare"]';

/** The legacy resources of a zone in the state of a folder. */
export function entriesOf({ form }: FolderSpec, { resources }: Zone): RawResource[] {
  const key = { count: { index_key: 0 }, each: { index_key: 'a key' } };
  return resources.map(({ type, name, attributes }) => ({
    ...(form === 'module' && { module: 'module.waf' }),
    mode: 'managed',
    type,
    name,
    provider: form === 'alias' ? `${source}.second` : source,
    instances: [
      { ...(form in key ? key[form as keyof typeof key] : {}), ...instanceOf(attributes) },
    ],
  }));
}

function lineageOf(at: number): string {
  return `5c9b2d9e-0000-4000-8000-00000000000${at}`;
}

function stateOf(folder: Folder, provider: string, outputs: object, at: number): string {
  const rulesets = folder.zones.filter(isImported).map(({ id, rulesets: [ruleset], name }) => {
    const instance: any = structuredClone(instanceIn(measuredState(majorOf(provider))));
    Object.assign(instance.attributes, { id: ruleset?.id, zone_id: id });
    return managed('cloudflare_ruleset', nameOf(Number(/\d+/.exec(name)![0]) - 1), instance);
  });
  const legacy = folder.zones.flatMap((zone) => entriesOf(folder, zone));
  const [first] = folder.zones;
  const firewall =
    folder.extras.includes('firewall') && first !== undefined ? firewallEntries(first) : [];
  return stateFile([...legacy, ...rulesets, ...firewall], lineageOf(at), { outputs });
}

function filesBelow(root: string, below = ''): string[] {
  return readdirSync(join(root, below), { withFileTypes: true }).flatMap((one) => {
    const path = join(below, one.name);
    // files that Terraform installs are not part of a world
    if (one.isDirectory()) return one.name === '.terraform' ? [] : filesBelow(root, path);
    return one.isFile() ? [path] : [];
  });
}
