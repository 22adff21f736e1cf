import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonArray, isJsonObject, type JsonValue } from '../model/json';

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
  const blocks = code.matchAll(/\bresource\s+"cloudflare_ruleset"\s+"([^"]*)"/g);
  const configured = [...code.matchAll(/\bprovider\s+"cloudflare"\s*\{([^{}]*)/g)];
  return {
    requiresProviders: requirements !== undefined,
    requiresCloudflare: /\bcloudflare\s*=\s*["{]/.test(requirements ?? ''),
    configuresCloudflare: configured.some(([, body = '']) => !/\balias\s*=/.test(body)),
    rulesets: [...blocks].map(([, name = '']) => name),
  };
}

function inJson(text: string): Found {
  const document = parse(text);
  const required = at(at(document, 'terraform'), 'required_providers');
  const configured = items(at(at(document, 'provider'), 'cloudflare'));
  return {
    requiresProviders: required.length > 0,
    requiresCloudflare: at(required, 'cloudflare').length > 0,
    configuresCloudflare: configured.some((one) => !('alias' in one)),
    rulesets: items(at(at(document, 'resource'), 'cloudflare_ruleset')).flatMap(Object.keys),
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
