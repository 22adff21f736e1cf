import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ConfigFile,
  type ProviderBlock,
  type ProviderRequirement,
  type ConfigObject,
} from '../tfconfig/config';
import { isOverrideFile } from '../tfconfig/config-source';
import { loadHclGrammar } from '../tfconfig/hcl-grammar';
import { parseConfig } from '../tfconfig/parse-config';
import { readBody } from '../tfconfig/read-body';
import { readModule } from '../tfconfig/read-project';
import { type FormatName, isProgram } from '../core/format-names';
import { configNames } from './read-configuration';
import { type EntryPoint, entryPointsOf, type NamedValues, namedValues } from './entry-points';
import { readStackFiles } from './stack-files';

/** What one file of a folder declares, as far as a generated stack can collide with it. */
export interface Declarations {
  /** Relative to the folder. */
  readonly file: string;
  readonly text: string;
  /** Whether it is Terraform's and cannot be read, so that nothing is known of it. */
  readonly isUnread: boolean;
  /** How many blocks there are. */
  readonly blocks: number;
  /** Whether it has the `required_providers` block, of which a module can have one alone. */
  readonly requiresProviders: boolean;
  /** What is in that block. */
  readonly requirements: readonly Pick<ProviderRequirement, 'name' | 'source' | 'version'>[];
  /** The provider configurations, of all providers. */
  readonly providers: readonly Pick<ProviderBlock, 'name' | 'alias'>[];
  /** Names of the `cloudflare_ruleset` resources. */
  readonly rulesets: readonly string[];
  /** Those of them that are of the managed phase, or may be. */
  readonly entryPoints: readonly EntryPoint[];
}

/**
 * Looks at the files of a folder among which a stack is to be put, none when it is not there; in order.
 * Override files are left out: they declare again on purpose.
 */
export async function readDeclarations(
  folder: string,
  format: FormatName,
): Promise<Declarations[]> {
  if (isProgram(format)) {
    const stacks = await readStackFiles(folder);
    return stacks.map((stack) => ({ ...nothing, ...stack }));
  }
  const names = (await configNames(folder)) ?? [];
  const found: Found[] = [];
  for (const file of names.filter((name) => !isOverrideFile(name))) {
    found.push(await readOne(folder, file));
  }
  // what an argument refers to may stand in another file
  const values = new Map(found.flatMap((one) => [...one.values]));
  return found.map(({ bodies, declared }) => ({
    ...declared,
    entryPoints: bodies.flatMap(([name, body]) => entryPointsOf(name, body, values)),
  }));
}

interface Found {
  readonly declared: Omit<Declarations, 'entryPoints'>;
  readonly bodies: readonly (readonly [name: string, body: ConfigObject])[];
  readonly values: NamedValues;
}

const nothing = {
  isUnread: false,
  blocks: 0,
  requiresProviders: false,
  requirements: [],
  providers: [],
  rulesets: [],
};

async function readOne(folder: string, file: string): Promise<Found> {
  const bytes = await readFile(join(folder, file)).catch(() => undefined);
  const text = bytes?.toString('utf8') ?? '';
  const unread: Found = {
    declared: { ...nothing, file, text, isUnread: true },
    bodies: [],
    values: new Map(),
  };
  if (bytes === undefined) return unread;
  let parsed: ConfigFile | undefined;
  try {
    parsed = parseConfig({ path: file, bytes }, await loadHclGrammar());
    return inFile(parsed);
  } catch {
    return unread;
  } finally {
    // outside of the memory that is collected, and a folder can hold a thousand
    if (parsed?.syntax === 'hcl') parsed.tree.delete();
  }
}

function inFile(file: ConfigFile): Found {
  const { resources, requirements, providers } = readModule('.', [file]);
  const rulesets = resources.filter(
    ({ mode, type }) => mode === 'managed' && type === 'cloudflare_ruleset',
  );
  return {
    declared: {
      file: file.path,
      text: file.text,
      isUnread: false,
      blocks: file.blocks.length,
      requiresProviders: file.blocks.some(
        (block) => block.type === 'terraform' && readBody(file, block).has('required_providers'),
      ),
      requirements: requirements.map(({ name, source, version }) => ({ name, source, version })),
      providers: providers.map(({ name, alias }) => ({ name, alias })),
      rulesets: rulesets.map(({ name }) => name),
    },
    bodies: rulesets.map(({ name, block }) => [name, readBody(file, block)] as const),
    values: namedValues(file),
  };
}
