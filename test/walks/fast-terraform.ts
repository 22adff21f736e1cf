import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parse } from '@cdktf/hcl2json';
import { exampleCredentials } from '../../src/emulator/world';
import { CloudflareHttp } from '../support/provider/http/cloudflare-http';
import { majorOf, providerOf } from '../support/provider/majors/majors';
import { type Provider, Refusal } from '../support/provider/resource';
import { blockFields, type Fields, type SchemaJson } from '../support/provider/schema/field';
import { type ProcessRun } from '../support/run-process';
import { instancesOf, type RawState } from './world';

type Environment = Readonly<Record<string, string | undefined>>;
type Block = Record<string, any>;

/** An error that Terraform reports. */
class Failed extends Error {}

/** The blocks of a folder and its modules. Resources are listed by address, one for each instance. */
interface Configuration {
  resources: Map<string, { type: string; body: Block }>;
  data: { type: string; body: Block }[];
  removed: Set<string>;
  imports: Map<string, string>;
  outputs: Record<string, string>;
  aliases: Set<string>;
  version: string;
  backend: { type: 'local' | 'http'; config: Block };
}

interface Change {
  address: string;
  action: 'create' | 'update' | 'replace' | 'delete' | 'forget' | 'import' | 'no-op';
  instance?: object;
  importId?: string;
}

const LEGACY = /^cloudflare_waf_/;
const ignored =
  /^-(input|lock|lock-timeout|no-color|refresh|detailed-exitcode|upgrade|reconfigure|auto-approve|json|ignore-remote-version)\b/;

/**
 * The parts of Terraform that walks use: state commands, import, plan, show and apply with local and http states. The
 * emulated provider runs in the same process. The walks with the real Terraform verify this code.
 */
export async function fastTerraform(
  args: string[],
  dir: string,
  environment: Environment,
): Promise<ProcessRun> {
  let stdout = '';
  try {
    const flags = args.filter((word) => word.startsWith('-'));
    const words = args.filter((word) => !word.startsWith('-'));
    const run = new Run(dir, environment, flags, (text) => (stdout += text));
    const code = await run.start(words);
    return { code, stdout, stderr: '' };
  } catch (error) {
    // an error in this file, not a failure of Terraform
    if (!(error instanceof Error) || error instanceof TypeError) throw error;
    const text = error instanceof Refusal ? `${error.summary}\n\n${error.detail}` : error.message;
    return { code: 1, stdout, stderr: `\nError: ${text}\n\n` };
  }
}

class Run {
  constructor(
    private readonly dir: string,
    private readonly environment: Environment,
    private readonly flags: string[],
    private readonly print: (text: string) => void,
  ) {
    const unknown = flags.find(
      (flag) => !ignored.test(flag) && !/^-(out=|target=|dry-run)/.test(flag),
    );
    if (unknown !== undefined) throw new TypeError(`the fast Terraform knows no ${unknown}`);
  }

  async start([command, ...words]: string[]): Promise<number> {
    switch (command) {
      case 'version':
        this.print('Terraform v1.11.4\non linux_amd64\n');
        return 0;
      case 'workspace':
        this.print(`${this.workspace()}\n`);
        return 0;
      case 'init':
        return this.init();
      case 'state':
        return this.state(words);
      case 'import':
        return this.locked(() => this.import(words[0]!, words[1]!));
      case 'plan':
        return this.locked(() => this.plan());
      case 'show':
        this.print(readFileSync(resolve(this.dir, words[0]!), 'utf8'));
        return 0;
      case 'apply':
        return this.locked(() => this.apply(words[0]));
      default:
        throw new TypeError(`the fast Terraform knows no ${command ?? ''}`);
    }
  }

  private async init(): Promise<number> {
    const { version, backend } = await readConfiguration(this.dir);
    const locked = this.lockedVersion();
    if (locked !== undefined && locked !== version && !this.flags.includes('-upgrade'))
      throw new Failed(
        'Failed to query available provider packages\n\nlocked provider registry.terraform.io/cloudflare/cloudflare does not match configured version constraint; must use terraform init -upgrade',
      );
    const source = 'registry.terraform.io/cloudflare/cloudflare';
    this.write(
      '.terraform.lock.hcl',
      `provider "${source}" {\n  version     = "${version}"\n  constraints = "${version}"\n}\n`,
    );
    this.write(
      `.terraform/providers/${source}/${version}/linux_amd64/terraform-provider-cloudflare_v${version}`,
      '',
    );
    const { type, config } = backend;
    const own = { path: null, workspace_dir: null, ...config };
    this.write(
      '.terraform/terraform.tfstate',
      JSON.stringify({ version: 3, backend: { type, config: own, hash: 1 } }),
    );
    return 0;
  }

  private async state([subcommand, ...words]: string[]): Promise<number> {
    // Terraform reads the backend from the configuration, and refuses one that is invalid
    await readConfiguration(this.dir);
    if (subcommand === 'pull') {
      this.print(await this.read());
      return 0;
    }
    if (subcommand === 'push')
      return this.locked(async () => {
        const [pushed, now] = [
          readFileSync(resolve(this.dir, words[0]!), 'utf8'),
          await this.read(),
        ];
        const [one, other] = [pushed, now === '' ? pushed : now].map(
          (text) => JSON.parse(text) as RawState,
        );
        if (one!.lineage !== other!.lineage)
          throw new Failed('cannot import state with lineage of another');
        if (one!.serial < other!.serial)
          throw new Failed('cannot import state with serial, which is older');
        await this.store(one!);
        return 0;
      });
    if (subcommand !== 'rm')
      throw new TypeError(`the fast Terraform knows no state ${subcommand ?? ''}`);
    return this.locked(async () => {
      const text = await this.read();
      const known = [...instancesOf(text).keys()];
      const chosen = new Set(
        words.flatMap((word) => {
          const found = known.filter(
            (address) => address === word || address.startsWith(`${word}[`),
          );
          if (found.length === 0)
            throw new Failed('Invalid target address\n\nNo matching objects found.');
          return found;
        }),
      );
      for (const address of chosen)
        this.print(`${this.flags.includes('-dry-run') ? 'Would remove' : 'Removed'} ${address}\n`);
      if (!this.flags.includes('-dry-run')) await this.store(without(JSON.parse(text), chosen));
      return 0;
    });
  }

  private async import(address: string, id: string): Promise<number> {
    const configuration = await this.configuration();
    const resource = configuration.resources.get(address);
    if (resource === undefined)
      throw new Failed(`resource address "${address}" does not exist in the configuration.`);
    const state: RawState = JSON.parse(await this.read());
    const { provider, http } = this.provider();
    await this.readData(configuration, provider, http);
    this.upgrade(state, provider);
    if (instancesOf(JSON.stringify(state)).has(address))
      throw new Failed('Resource already managed by Terraform');
    add(state, address, await imported(provider, http, resource.type, id));
    // Terraform 1.11 also writes the outputs of the configuration (measured)
    state.outputs = configuration.outputs;
    await this.store(state);
    return 0;
  }

  private async plan(): Promise<number> {
    const changes = await this.changes();
    const [out] = this.flags.flatMap((flag) => (flag.startsWith('-out=') ? [flag.slice(5)] : []));
    if (out !== undefined) this.write(out, JSON.stringify(planDocument(changes)));
    for (const { address, action } of changes.filter((one) => one.action !== 'no-op')) {
      if (this.flags.includes('-json'))
        this.print(
          `${JSON.stringify({ type: 'planned_change', change: { resource: { addr: address }, action } })}\n`,
        );
      else this.print(`  # ${address} will be: ${action}\n`);
    }
    return this.flags.includes('-detailed-exitcode') &&
      changes.some(({ action }) => action !== 'no-op')
      ? 2
      : 0;
  }

  /** Applies imports, forgets, and the outputs of a saved plan. Declines other changes, as the user would. */
  private async apply(file: string | undefined): Promise<number> {
    const changes =
      file === undefined
        ? await this.changes()
        : (JSON.parse(readFileSync(resolve(this.dir, file), 'utf8')).changes as Change[]);
    const isOutput = ({ address }: Change): boolean => address.startsWith('output.');
    const others = changes.filter(
      (one) =>
        !['no-op', 'import', 'forget'].includes(one.action) &&
        !(file !== undefined && isOutput(one)),
    );
    if (others.length > 0)
      throw new Failed(`declined: ${others.map(({ address }) => address).join(', ')}`);
    const state: RawState = JSON.parse(await this.read());
    const chosen = (action: Change['action']) => changes.filter((one) => one.action === action);
    const kept = without(state, new Set(chosen('forget').map(({ address }) => address)));
    for (const { address, instance } of chosen('import')) add(kept, address, instance as never);
    const outputs = changes.filter(isOutput);
    if (outputs.length > 0) kept.outputs = (await this.configuration()).outputs;
    if (outputs.length + chosen('forget').length + chosen('import').length > 0)
      await this.store(kept);
    return 0;
  }

  private async changes(): Promise<Change[]> {
    const configuration = await this.configuration();
    const { provider, http } = this.provider();
    await this.readData(configuration, provider, http);
    const text = await this.read();
    const state: RawState = text === '' ? { resources: [], outputs: {} } : JSON.parse(text);
    this.upgrade(state, provider);
    const entries = instancesOf(JSON.stringify(state));
    const { resources, removed, imports, outputs } = configuration;
    for (const [, { provider: bound }] of entries) {
      const [, alias] = /\]\.(\w+)$/.exec(bound) ?? [];
      if (alias !== undefined && !configuration.aliases.has(alias))
        throw new Failed('Provider configuration not present');
    }
    for (const address of removed)
      if (resources.has(address)) throw new Failed('Removed resource still exists');
    for (const address of imports.keys())
      if (!resources.has(address) && !entries.has(address))
        throw new Failed('Configuration for import target does not exist');
    const targets = this.flags.flatMap((flag) =>
      flag.startsWith('-target=') ? [flag.slice(8)] : [],
    );
    const isMeant = (address: string): boolean => targets.length === 0 || targets.includes(address);
    const refreshes = !this.flags.includes('-refresh=false');
    const changes: Change[] = [];
    for (const [address, { type, instance }] of entries) {
      if (!isMeant(address)) continue;
      if (removed.has(address.replace(/\[[^\]]*\]$/, '')) && !resources.has(address)) {
        changes.push({ address, action: 'forget' });
        continue;
      }
      const declared = resources.get(address);
      const behaviour = provider.resources[type];
      const prior = instance.attributes;
      const now =
        behaviour === undefined || !refreshes ? prior : (await behaviour.read(prior, http)).state;
      if (declared === undefined) changes.push({ address, action: 'delete' });
      else if (now === null) changes.push({ address, action: 'create' });
      else if (type !== 'cloudflare_ruleset' || fits(declared.body, now))
        changes.push({ address, action: 'no-op' });
      else
        changes.push({
          address,
          action: fits(declared.body['name'], now['name']) ? 'update' : 'replace',
        });
    }
    for (const [address, { type, body }] of resources) {
      if (entries.has(address) || !isMeant(address)) continue;
      const id = imports.get(address);
      if (id === undefined) changes.push({ address, action: 'create' });
      else {
        const instance = await imported(provider, http, type, id);
        changes.push({
          address,
          action: fits(body, instance.attributes) ? 'import' : 'update',
          instance,
          importId: id,
        });
      }
    }
    // with targets, Terraform does not change the outputs
    if (targets.length > 0) return changes;
    const hasOther = Object.keys({ ...outputs, ...state.outputs }).some(
      (name) => !(name in outputs && name in state.outputs),
    );
    const action = Object.keys(outputs).length === 0 ? 'delete' : 'update';
    if (hasOther) changes.push({ address: 'output.legacy', action });
    return changes;
  }

  private async configuration(): Promise<Configuration> {
    const configuration = await readConfiguration(this.dir);
    const locked = this.lockedVersion();
    if (locked !== configuration.version)
      throw new Failed('Inconsistent dependency lock file\n\nrun terraform init -upgrade');
    const { resources, data, outputs } = configuration;
    const unknown = [...resources.values(), ...data].find(
      ({ type }) => LEGACY.test(type) && majorOf(locked) > 3,
    );
    if (unknown !== undefined)
      throw new Failed(
        `Invalid resource type\n\nThe provider does not support resource type "${unknown.type}".`,
      );
    const { provider } = this.provider();
    for (const [address, { type, body }] of resources) {
      const schema = provider.resources[type]?.schema;
      const wrong = schema && misfit(fieldsOf(schema), body);
      if (wrong !== undefined) throw new Failed(`Unsupported argument\n\n${wrong} of ${address}`);
    }
    for (const value of Object.values(outputs)) {
      const [, address] = /(cloudflare_\w+\.\w+)/.exec(value) ?? [];
      if (address !== undefined && !resources.has(address))
        throw new Failed('Reference to undeclared resource');
    }
    return configuration;
  }

  /** Terraform reads every data source, even with `-refresh=false`. */
  private async readData(
    { data }: Configuration,
    provider: Provider,
    http: CloudflareHttp,
  ): Promise<void> {
    for (const { type, body } of data) await provider.dataSources[type]?.read(body, http);
  }

  /** Upgrades the state as the provider does. */
  private upgrade(state: RawState, provider: Provider): void {
    for (const { mode, type, instances } of state.resources) {
      if (mode !== 'managed' || !type.startsWith('cloudflare_')) continue;
      const behaviour = provider.resources[type];
      if (behaviour === undefined)
        throw new Failed(
          `no schema available for ${type} while reading state; this is a bug in Terraform`,
        );
      for (const instance of instances) {
        if (Number(instance['schema_version']) > behaviour.schema.version)
          throw new Failed('Resource instance managed by newer provider version');
        instance.attributes = behaviour.upgrade(
          Number(instance['schema_version']),
          instance.attributes,
        );
        instance['schema_version'] = behaviour.schema.version;
      }
    }
  }

  private provider(): { provider: Provider; http: CloudflareHttp } {
    const {
      CLOUDFLARE_BASE_URL: baseUrl = '',
      CLOUDFLARE_API_TOKEN: token = exampleCredentials.token,
    } = this.environment;
    const headers = { authorization: `Bearer ${token}` };
    const version = this.lockedVersion() ?? '';
    const provider = (providers[version] ??= providerOf(version));
    if (connection?.baseUrl !== baseUrl) {
      connection?.http.close();
      const http = new CloudflareHttp({ baseUrl, headers });
      connection = { baseUrl, http };
    }
    return { provider, http: connection.http };
  }

  private lockedVersion(): string | undefined {
    const path = join(this.dir, '.terraform.lock.hcl');
    return existsSync(path)
      ? /version\s+= "([^"]+)"/.exec(readFileSync(path, 'utf8'))?.[1]
      : undefined;
  }

  private workspace(): string {
    const path = join(this.dir, '.terraform/environment');
    return (
      this.environment['TF_WORKSPACE'] ??
      (existsSync(path) ? readFileSync(path, 'utf8') : 'default')
    );
  }

  private backend(): { type: string; config: Block } {
    const path = join(this.dir, '.terraform/terraform.tfstate');
    return JSON.parse(readFileSync(path, 'utf8')).backend;
  }

  private statePath(): string {
    const folder: string = this.backend().config['workspace_dir'] ?? 'terraform.tfstate.d';
    const workspace = this.workspace();
    return join(
      this.dir,
      workspace === 'default' ? '' : join(folder, workspace),
      'terraform.tfstate',
    );
  }

  private async read(): Promise<string> {
    const { type, config } = this.backend();
    if (type !== 'http')
      return existsSync(this.statePath()) ? readFileSync(this.statePath(), 'utf8') : '';
    const answer = await fetch(config['address']);
    return answer.status === 404 ? '' : answer.text();
  }

  private async store(state: RawState): Promise<void> {
    const now = await this.read();
    const serial = now === '' ? state.serial : (JSON.parse(now) as RawState).serial + 1;
    const text = `${JSON.stringify({ ...state, serial }, null, 2)}\n`;
    const { type, config } = this.backend();
    if (type !== 'http') {
      writeFileSync(this.statePath(), text);
      return;
    }
    const answer = await fetch(`${config['address']}?ID=${LOCK}`, { method: 'POST', body: text });
    if (answer.status !== 200)
      throw new Failed(`Failed to save state\n\nHTTP error: ${answer.status}`);
  }

  private async locked(run: () => Promise<number>): Promise<number> {
    const { type, config } = this.backend();
    if (type !== 'http' || this.flags.includes('-lock=false')) return run();
    const body = JSON.stringify({ ID: LOCK, Operation: 'walk', Who: 'fast' });
    const answer = await fetch(config['lock_address'], { method: 'LOCK', body });
    if (answer.status !== 200)
      throw new Failed(`Error acquiring the state lock\n\n${await answer.text()}`);
    try {
      return await run();
    } finally {
      await fetch(config['unlock_address'], { method: 'UNLOCK', body });
    }
  }

  private write(path: string, text: string): void {
    const full = resolve(this.dir, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
  }
}

const LOCK = 'fast-terraform';
const providers: Record<string, Provider> = {};
/** Reused between runs, because a new connection takes longer than most requests. */
let connection: { baseUrl: string; http: CloudflareHttp } | undefined;
const parsed = new Map<string, Promise<Block>>();

/** Parses each text only once. */
function blocksOf(path: string): Promise<Block> {
  const text = readFileSync(path, 'utf8');
  if (path.endsWith('.json')) return Promise.resolve(JSON.parse(text));
  const known = parsed.get(text) ?? parse('file.tf', text);
  parsed.set(text, known);
  return known.catch(() => {
    throw new Failed('Invalid block definition');
  });
}

async function readConfiguration(dir: string): Promise<Configuration> {
  const configuration: Configuration = {
    resources: new Map(),
    data: [],
    removed: new Set(),
    imports: new Map(),
    outputs: {},
    aliases: new Set(),
    version: '',
    backend: { type: 'local', config: {} },
  };
  await addFolder(dir, '', configuration);
  return configuration;
}

async function addFolder(dir: string, prefix: string, to: Configuration): Promise<void> {
  const names = readdirSync(dir).filter((name) => /\.tf(\.json)?$/.test(name));
  // override files come last
  names.sort(
    (one, other) =>
      Number(one.includes('_override.')) - Number(other.includes('_override.')) ||
      (one < other ? -1 : 1),
  );
  for (const name of names) {
    const blocks = await blocksOf(join(dir, name));
    for (const { required_providers: required, backend } of listOf(blocks['terraform'])) {
      const version = listOf(required)[0]?.['cloudflare']?.version;
      if (version !== undefined && prefix === '') to.version = version;
      for (const [type, config] of Object.entries<any>(listOf(backend)[0] ?? {}))
        to.backend = { type: type as 'http', config: listOf(config)[0] ?? {} };
    }
    for (const body of listOf(blocks['provider']?.cloudflare))
      if (body['alias'] !== undefined) to.aliases.add(body['alias']);
    for (const [type, named] of Object.entries<any>(blocks['resource'] ?? {}))
      for (const [own, bodies] of Object.entries<any>(named))
        for (const [key, body] of expanded(listOf(bodies)[0]!)) {
          const address = `${prefix}${type}.${own}${key}`;
          if (to.resources.has(address))
            throw new Failed(
              `Duplicate resource "${type}" configuration\n\n  on ${name} line 1, in resource "${type}":`,
            );
          to.resources.set(address, { type, body });
        }
    for (const [type, named] of Object.entries<any>(blocks['data'] ?? {}))
      for (const bodies of Object.values<any>(named))
        to.data.push({ type, body: listOf(bodies)[0]! });
    for (const { from } of listOf(blocks['removed'])) to.removed.add(prefix + unwrapped(from));
    for (const { to: address, id } of listOf(blocks['import']))
      to.imports.set(unwrapped(address), id);
    for (const [own, bodies] of Object.entries<any>(blocks['output'] ?? {}))
      to.outputs[own] = String(listOf(bodies)[0]?.['value']);
    for (const [own, bodies] of Object.entries<any>(blocks['module'] ?? {}))
      await addFolder(join(dir, listOf(bodies)[0]!['source']), `${prefix}module.${own}.`, to);
  }
}

/** Instances of a block with their index. */
function expanded(block: Block): [string, Block][] {
  const { count, for_each: each, ...rest } = block;
  const meta = ['lifecycle', 'provider'];
  const body = Object.fromEntries(Object.entries(rest).filter(([name]) => !meta.includes(name)));
  if (count !== undefined) {
    return Array.from({ length: Number(count) }, (_, at) => [`[${at}]`, body]);
  }
  if (each === undefined) return [['', body]];
  const keys = [...String(each).matchAll(/"((?:[^"\\]|\\.)*)"/g)];
  return keys.map(([, key]) => [`["${key ?? ''}"]`, body]);
}

function listOf(blocks: unknown): Block[] {
  return blocks === undefined ? [] : Array.isArray(blocks) ? blocks : [blocks as Block];
}

/** Unwraps an address that HCL wraps in an expression. */
function unwrapped(text: string): string {
  return /^\$\{(.*)\}$/s.exec(text)?.[1] ?? text;
}

const fields = new WeakMap<SchemaJson, Fields>();

function fieldsOf(schema: SchemaJson): Fields {
  const known = fields.get(schema) ?? blockFields(schema.block);
  fields.set(schema, known);
  return known;
}

/** The first name that a schema does not have, or that has a list instead of one object. */
function misfit(known: Fields, body: Block): string | undefined {
  for (const [name, value] of Object.entries(body)) {
    const field = known[name];
    if (field === undefined) return name;
    if (field.kind === 'leaf' || value === null || typeof value !== 'object') continue;
    const isOne = field.kind === 'nested' && field.nesting === 'single';
    if (isOne && Array.isArray(value)) return name;
    for (const one of field.nesting === 'map' ? Object.values<Block>(value) : listOf(value)) {
      const wrong = misfit(field.fields, one);
      if (wrong !== undefined) return wrong;
    }
  }
  return undefined;
}

/** Whether a value matches its configuration. Ignores what the configuration omits. */
function fits(configured: unknown, now: unknown): boolean {
  if (configured === null || configured === undefined) return true;
  if (Array.isArray(configured) && !Array.isArray(now))
    return configured.length === 1 && fits(configured[0], now);
  if (Array.isArray(now) && !Array.isArray(configured))
    return now.length === 1 && fits(configured, now[0]);
  if (Array.isArray(configured) && Array.isArray(now)) {
    const sorted = (list: unknown[]) =>
      list.every((one) => typeof one === 'string') ? [...list].sort() : list;
    const [one, other] = [sorted(configured), sorted(now)];
    return one.length === other.length && one.every((item, at) => fits(item, other[at]));
  }
  if (typeof configured === 'object')
    return (
      typeof now === 'object' &&
      now !== null &&
      Object.entries(configured).every(([key, value]) => fits(value, (now as Block)[key]))
    );
  return plain(configured) === String(now);
}

/** A configuration escapes `${` as `$${`. */
function plain(value: unknown): string {
  return String(value).replace(/([$%])\1\{/g, (_, sign: string) => `${sign}{`);
}

async function imported(provider: Provider, http: CloudflareHttp, type: string, id: string) {
  const resource = provider.resources[type]!;
  const { state } = await resource.read(await resource.importState!(id, http), http);
  if (state === null) throw new Failed('Cannot import non-existent remote object');
  return { schema_version: resource.schema.version, attributes: state, sensitive_attributes: [] };
}

function without(state: RawState, addresses: ReadonlySet<string>): RawState {
  const resources = state.resources.flatMap((resource) => {
    const instances = resource.instances.filter((instance) => {
      const [address] = instancesOf(
        JSON.stringify({ resources: [{ ...resource, instances: [instance] }] }),
      ).keys();
      return address === undefined || !addresses.has(address);
    });
    return instances.length === 0 ? [] : [{ ...resource, instances }];
  });
  return { ...state, resources };
}

function add(
  state: RawState,
  address: string,
  instance: RawState['resources'][0]['instances'][0],
): void {
  const [type = '', name = ''] = address.split('.');
  const provider = 'provider["registry.terraform.io/cloudflare/cloudflare"]';
  state.resources.push({ mode: 'managed', type, name, provider, instances: [instance] });
}

/** The JSON of a plan, with everything that an apply needs. */
function planDocument(changes: Change[]): object {
  const actions = { replace: ['delete', 'create'], import: ['no-op'] } as Record<string, string[]>;
  return {
    format_version: '1.2',
    terraform_version: '1.11.4',
    planned_values: {},
    configuration: {},
    resource_changes: changes
      .filter(({ address }) => !address.startsWith('output.'))
      .map(({ address, action, importId }) => ({
        address,
        change: {
          actions: actions[action] ?? [action],
          before: {},
          after: {},
          ...(action === 'import' && { importing: { id: importId } }),
        },
      })),
    output_changes: Object.fromEntries(
      changes
        .filter(({ address }) => address.startsWith('output.'))
        .map(({ address, action }) => [address.slice(7), { actions: [action] }]),
    ),
    changes,
  };
}
