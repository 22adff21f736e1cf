import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FormatName, isProgram } from '../core/format-names';
import { compareTexts } from '../core/lists';
import { MANAGED_PHASE } from '../core/ruleset';
import { type ConfigFile, type ProviderBlock, type ProviderRequirement } from '../tfconfig/config';
import { readModule } from '../tfconfig/read-project';
import {
  type Argument,
  type EntryPoint,
  entryPointOf,
  type NamedValues,
  namedValues,
} from './declared-rulesets';
import { readConfiguration } from './read-configuration';

/** What one file of a folder declares, as far as a generated stack can collide with it. */
export interface Declarations {
  /** Relative to the folder. */
  readonly file: string;
  readonly text: string;
  /** Whether it is Terraform's and cannot be read, so that nothing is known of it. */
  readonly isUnread: boolean;
  /** How many blocks there are. */
  readonly blocks: number;
  /** Whether it has the `required_providers` block, of which a module has only one. */
  readonly requiresProviders: boolean;
  /** The entries of that block. */
  readonly requirements: readonly ProviderRequirement[];
  /** The provider configurations, of all providers. */
  readonly providers: readonly ProviderBlock[];
  /** Names of the `cloudflare_ruleset` resources. */
  readonly rulesets: readonly string[];
  /** Those of them that are, or may be, the entry point of a zone. */
  readonly entryPoints: readonly EntryPoint[];
}

/**
 * What the files of a folder declare, in order: none when it does not exist. Override files are left out: they
 * declare again on purpose.
 */
export async function readDeclarations(
  folder: string,
  format: FormatName,
): Promise<Declarations[]> {
  if (isProgram(format)) return readPrograms(folder);
  const project = (await readConfiguration('.', folder))?.project;
  if (project === undefined) return [];
  const { rootModule, unreadFiles } = project;
  const unread = unreadFiles.filter(({ file }) => !file.includes('/'));
  // what an argument refers to may be in another file
  const values = namedValues(rootModule);
  return [
    ...rootModule.files
      .filter(({ override }) => !override)
      .map((file) => declarationsOf(file, values)),
    ...unread.map(({ file }) => ({ ...nothing, file, text: '', isUnread: true })),
  ];
}

const nothing = {
  isUnread: false,
  blocks: 0,
  requiresProviders: false,
  ...{ requirements: [], providers: [], rulesets: [], entryPoints: [] },
};

function declarationsOf(file: ConfigFile, values: NamedValues): Declarations {
  const { resources, requirements, providers } = readModule('.', [file]);
  const rulesets = resources.filter(
    ({ mode, type }) => mode === 'managed' && type === 'cloudflare_ruleset',
  );
  return {
    file: file.path,
    text: file.text,
    isUnread: false,
    blocks: file.blocks.length,
    requiresProviders: file.blocks.some(
      ({ type, body }) => type === 'terraform' && body.has('required_providers'),
    ),
    ...{ requirements, providers },
    rulesets: rulesets.map(({ name }) => name),
    entryPoints: rulesets
      .flatMap(({ name, block }) => entryPointOf(name, block.body, values) ?? [])
      .filter(({ zone }) => !zone.isFixed || zone.text !== undefined),
  };
}

/**
 * The `.ts` files of a folder. They are read by their words: generated stacks have literals, and where a stack has an
 * expression instead, zone and phase are not known.
 */
async function readPrograms(folder: string): Promise<Declarations[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile() && /\.[mc]?ts$/.test(entry.name));
  const read = names.map(async ({ name: file }) => {
    const text = await readFile(join(folder, file), 'utf8').catch(() => '');
    return { ...nothing, file, text, entryPoints: entryPointsIn(text) };
  });
  return (await Promise.all(read)).sort((one, other) => compareTexts(one.file, other.file));
}

const STRING = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[^]|[^`\\])*`/.source;
const COMMENT = /\/\/.*|\/\*[^]*?\*\//.source;

function entryPointsIn(text: string): EntryPoint[] {
  const code = text.replace(new RegExp(`(${STRING})|${COMMENT}`, 'g'), '$1 ');
  const constructs = outsideStrings(code, String.raw`\bnew\s+(?:\w+\.)*Ruleset\s*\(`);
  return [...constructs].flatMap((found) => {
    const construct = untilClosed(code.slice(found.index + found[0].length));
    const [zone, phase] = [readProperty(construct, 'zoneId'), readProperty(construct, 'phase')];
    if (phase.isFixed && phase.text !== MANAGED_PHASE) return [];
    const isOfAccount = zone === MISSING && readProperty(construct, 'accountId') !== MISSING;
    if (isOfAccount) return [];
    const [, quoted, word] = /^\s*\w+\s*,\s*(?:["'`]([^"'`]*)|([\w.]+))/.exec(construct) ?? [];
    return [{ name: quoted ?? word ?? '?', zone, isManaged: phase.text === MANAGED_PHASE }];
  });
}

/** Up to the parenthesis that closes what was opened before. */
function untilClosed(code: string): string {
  let depth = 1;
  for (const { 0: mark, index } of outsideStrings(code, '[()]')) {
    depth += mark === '(' ? 1 : -1;
    if (depth === 0) return code.slice(0, index);
  }
  return code;
}

/** A property that is not written out may come with an object from elsewhere. */
const MISSING: Argument = { text: undefined, isFixed: false };

/** The first property of a name, whose value is known where it is a string. */
function readProperty(construct: string, name: string): Argument {
  const literal = /\s*:\s*["'`](\w+)["'`]\s*(?=[,}])/.source;
  const [property] = outsideStrings(construct, `\\b${name}\\b(?:${literal})?`);
  if (property === undefined) return MISSING;
  const text = property[2];
  return { text, isFixed: text !== undefined };
}

/** Where code matches, and not what a string says; found as it is asked for, as a file can hold a thousand stacks. */
function* outsideStrings(code: string, pattern: string): Generator<RegExpExecArray> {
  for (const found of code.matchAll(new RegExp(`${STRING}|(${pattern})`, 'g'))) {
    if (found[1] !== undefined) yield found;
  }
}
