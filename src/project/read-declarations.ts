import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FormatName, isProgram } from '../core/format-names';
import {
  type ConfigObject,
  type ProviderBlock,
  type ProviderRequirement,
} from '../tfconfig/config';
import { isOverrideFile } from '../tfconfig/config-source';
import { parseConfig, readModule } from '../tfconfig/read-project';
import { type EntryPoint, entryPointOf, namedValues } from './declared-rulesets';
import { configNames } from './read-configuration';
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
  /** Those of them that are, or may be, the entry point of a zone. */
  readonly entryPoints: readonly EntryPoint[];
}

/**
 * Looks at the files of a folder among which a stack is to be put, none when it does not exist; in order.
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
  // what an argument refers to may be in another file
  const values = new Map(found.flatMap((one) => [...one.values]));
  return found.map(({ declared, bodies }) => ({
    ...declared,
    entryPoints: bodies
      .flatMap(([name, body]) => entryPointOf(name, body, values) ?? [])
      .filter(({ zone }) => !zone.isFixed || zone.text !== undefined),
  }));
}

interface Found {
  readonly declared: Omit<Declarations, 'entryPoints'>;
  readonly bodies: readonly (readonly [name: string, body: ConfigObject])[];
  readonly values: ReturnType<typeof namedValues>;
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
  try {
    if (bytes === undefined) throw new Error('not readable');
    return await readDeclared({ path: file, bytes });
  } catch {
    const declared = { ...nothing, file, text, isUnread: true };
    return { declared, bodies: [], values: new Map() };
  }
}

async function readDeclared(source: { path: string; bytes: Buffer }): Promise<Found> {
  const file = await parseConfig(source);
  const { resources, requirements, providers, others } = readModule('.', [file]);
  const rulesets = resources.filter(
    ({ mode, type }) => mode === 'managed' && type === 'cloudflare_ruleset',
  );
  const found: Found = {
    declared: {
      file: file.path,
      text: file.text,
      isUnread: false,
      blocks: file.blocks.length,
      requiresProviders: file.blocks.some(
        ({ type, body }) => type === 'terraform' && body.has('required_providers'),
      ),
      requirements: requirements.map(({ name, source: of, version }) => ({
        ...{ name, source: of, version },
      })),
      providers: providers.map(({ name, alias }) => ({ name, alias })),
      rulesets: rulesets.map(({ name }) => name),
    },
    bodies: rulesets.map(({ name, block }) => [name, block.body]),
    values: namedValues(others),
  };
  // its tree is outside of the memory that is collected, and a folder can hold a thousand
  file.close();
  return found;
}
