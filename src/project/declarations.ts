import { join, relative } from 'node:path';
import { type FormatName, isProgram } from '../core/format-names';
import { compareTexts } from '../core/lists';
import { posixPath } from '../core/posix-quote';
import { MANAGED_PHASE } from '../core/ruleset';
import { textOfFile } from '../files/read-files';
import { type ConfigFile, type ProviderBlock, type ProviderRequirement } from '../tfconfig/config';
import { readModule } from '../tfconfig/read-project';
import { cdktfFolder, programFiles, synthesisedStacks } from './cdktf-project';
import { type EntryPoint, entryPointOf, namedValues, type NamedValues } from './declared-rulesets';
import { readConfiguration } from './read-configuration';

/** The declarations of one file that a generated stack can collide with. */
export interface Declarations {
  readonly file: string;
  readonly text: string;
  readonly blocks: number;
  /** The entries of its `required_providers`, a block that a module can have only once. */
  readonly requirements: readonly ProviderRequirement[];
  readonly providers: readonly ProviderBlock[];
  readonly rulesets: readonly string[];
  /** The rulesets that are, or may be, the entry point of a zone. */
  readonly entryPoints: readonly EntryPoint[];
}

/** Whether a ruleset is the entry point of a zone; undefined if only Terraform can tell. */
export function isOfZone({ zone, isManaged }: EntryPoint, zoneId: string): boolean | undefined {
  const isSame = zone.text?.toLowerCase() === zoneId;
  if (isSame && isManaged) return true;
  return zone.isFixed && !isSame ? false : undefined;
}

/**
 * The declarations of the files of a folder, in order; empty if it does not exist. For a program, those of its whole
 * project; for a construct, also the providers of the synthesised stacks, one of which gets it.
 * @throws MigrationError of the first file that cannot be read, because its declarations are unknown
 */
export async function readDeclarations(
  folder: string,
  format: FormatName,
): Promise<Declarations[]> {
  if (format === 'construct') {
    return [...(await readPrograms(folder)), ...(await readStackProviders(cdktfFolder(folder)))];
  }
  if (isProgram(format)) return readPrograms(folder);
  const project = (await readConfiguration('.', folder))?.project;
  if (project === undefined) return [];
  const { rootModule, unreadFiles } = project;
  const unread = unreadFiles.find(({ file }) => !file.includes('/'));
  if (unread !== undefined) throw unread.error;
  // a reference may lead to another file
  const values = namedValues(rootModule);
  return rootModule.files.map((file) => declarationsOf(file, values));
}

function declarationsOf(file: ConfigFile, values: NamedValues): Declarations {
  const { resources, requirements, providers } = readModule('.', [file]);
  const rulesets = resources.filter(
    ({ mode, type }) => mode === 'managed' && type === 'cloudflare_ruleset',
  );
  return {
    file: file.path,
    text: file.text,
    blocks: file.blocks.length,
    requirements,
    providers,
    rulesets: rulesets.map(({ name }) => name),
    entryPoints: rulesets
      .flatMap(({ name, block }) => entryPointOf(name, block.body, values) ?? [])
      .filter(({ zone }) => !zone.isFixed || zone.text !== undefined),
  };
}

/**
 * The `.ts` files of a folder and of the project that it is in, searched as text for rulesets whose phase is a literal.
 */
async function readPrograms(folder: string): Promise<Declarations[]> {
  const project = cdktfFolder(folder);
  const pattern = project === undefined ? '*.{ts,mts,cts}' : '**/*.{ts,mts,cts}';
  const files = await programFiles(project ?? folder, [pattern]);
  return files
    .map((one) => {
      const path = join(project ?? folder, one);
      const text = textOfFile(path);
      const file = posixPath(relative(folder, path));
      return { ...NOTHING, file, text, entryPoints: entryPointsIn(text) };
    })
    .sort((one, other) => compareTexts(one.file, other.file));
}

const NOTHING = { blocks: 0, requirements: [], providers: [], rulesets: [], entryPoints: [] };

/** How each stack that a project has synthesised configures its providers. */
async function readStackProviders(project: string | undefined): Promise<Declarations[]> {
  if (project === undefined) return [];
  const read = synthesisedStacks(project).map(async (file) => {
    const stack = (await readConfiguration('.', join(project, file)))?.project.rootModule;
    return { ...NOTHING, file, text: '', providers: stack?.providers ?? [] };
  });
  return Promise.all(read);
}

/** A ruleset, with its properties up to the first nested object. */
const RULESET = /\bRuleset\(\s*\w+,\s*["'`]([\w-]+)["'`],\s*\{([^{}]*)/g;
const OF_PHASE = new RegExp(`\\bphase:\\s*["'\`]${MANAGED_PHASE}["'\`]`);

function entryPointsIn(text: string): EntryPoint[] {
  return [...text.matchAll(RULESET)]
    .filter(([, , properties = '']) => OF_PHASE.test(properties) && /\bzoneId\b/.test(properties))
    .map(([, name = '', properties = '']) => {
      const zone = /\bzoneId:\s*["'`]([0-9a-f]{32})["'`]/.exec(properties)?.[1];
      return { name, zone: { text: zone, isFixed: zone !== undefined }, isManaged: true };
    });
}
