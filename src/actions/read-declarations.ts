import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonArray, isJsonObject, type JsonValue } from '../model/json';
import { MANAGED_PHASE } from '../model/ruleset';

/** What one file of a Terraform folder declares, as far as a generated stack can collide with it. */
export interface Declarations {
  /** Relative to the folder. */
  readonly file: string;
  readonly text: string;
  /** Whether it has the `required_providers` block, of which a module can have one alone. */
  readonly requiresProviders: boolean;
  /** Whether Cloudflare's provider is in that block. */
  readonly requiresCloudflare: boolean;
  /** Whether it configures Cloudflare's provider without an alias, which can be done once. */
  readonly configuresCloudflare: boolean;
  /** Names of the `cloudflare_ruleset` resources. */
  readonly rulesets: readonly string[];
  /** Those of the managed phase whose zone is written out: the entry points. */
  readonly entryPoints: readonly { readonly name: string; readonly zoneId: string }[];
}

/** Override files declare again on purpose. */
const OVERRIDE = /(^|_)override\.tf(\.json)?$/;

/** Looks at the `.tf` and `.tf.json` files of a folder, none when it is not there; in order. */
export async function readDeclarations(folder: string): Promise<Declarations[]> {
  const names = await readdir(folder).catch((): string[] => []);
  const found: Declarations[] = [];
  for (const file of names.sort()) {
    if (!/\.tf(\.json)?$/.test(file) || OVERRIDE.test(file)) continue;
    const text = await readFile(join(folder, file), 'utf8').catch(() => '');
    found.push({ file, text, ...(file.endsWith('.json') ? inJson(text) : inHcl(text)) });
  }
  return found;
}

type Found = Omit<Declarations, 'file' | 'text'>;

/** By its words, comments aside: to know of a collision no parser is needed. */
function inHcl(text: string): Found {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*(?:#|\/\/).*$/gm, '');
  const requirements = /\brequired_providers\s*\{([\s\S]*)/.exec(code)?.[1];
  const [, ...rulesets] = code.split(/\bresource\s+"cloudflare_ruleset"\s+(?=")/);
  const named = rulesets.map((block) => [/^"([^"]*)"/.exec(block)?.[1] ?? '', block] as const);
  const configured = [...code.matchAll(/\bprovider\s+"cloudflare"\s*\{([^{}]*)/g)];
  return {
    requiresProviders: requirements !== undefined,
    requiresCloudflare: /\bcloudflare\s*=\s*["{]/.test(requirements ?? ''),
    configuresCloudflare: configured.some(([, body = '']) => !/\balias\s*=/.test(body)),
    rulesets: named.map(([name]) => name),
    entryPoints: named.flatMap(([name, block]) => {
      const [body = ''] = block.split(/^\s*(?:resource|data|module|output|variable|locals)\b/m);
      return entryPoint(name, wordOf(body, 'zone_id'), wordOf(body, 'phase'));
    }),
  };
}

/** The first argument of a name, where it is a string without more in it. */
function wordOf(body: string, name: string): string | undefined {
  return new RegExp(`\\b${name}\\s*=\\s*"([^"$%\\\\]*)"`).exec(body)?.[1];
}

function entryPoint(name: string, zoneId: unknown, phase: unknown): Found['entryPoints'] {
  return typeof zoneId === 'string' && phase === MANAGED_PHASE ? [{ name, zoneId }] : [];
}

function inJson(text: string): Found {
  const document = parse(text);
  const required = at(at(document, 'terraform'), 'required_providers');
  const configured = items(at(at(document, 'provider'), 'cloudflare'));
  const rulesets = items(at(at(document, 'resource'), 'cloudflare_ruleset'));
  return {
    requiresProviders: required.length > 0,
    requiresCloudflare: at(required, 'cloudflare').length > 0,
    configuresCloudflare: configured.some((one) => !('alias' in one)),
    rulesets: rulesets.flatMap(Object.keys),
    entryPoints: rulesets
      .flatMap(Object.entries<JsonValue>)
      .flatMap(([name, value]) =>
        items([value]).flatMap(({ zone_id, phase }) => entryPoint(name, zone_id, phase)),
      ),
  };
}

/** The values of a key; each level of Terraform JSON can be an object or a list of objects. */
function at(values: readonly JsonValue[], key: string): JsonValue[] {
  return items(values).flatMap((one) => (key in one ? [one[key] ?? null] : []));
}

function items(values: readonly JsonValue[]) {
  return values.flatMap((one) => (isJsonArray(one) ? one : [one])).filter(isJsonObject);
}

function parse(text: string): JsonValue[] {
  try {
    const document: unknown = JSON.parse(text);
    return isJsonObject(document) ? [document] : [];
  } catch {
    return [];
  }
}
