import { isDeepStrictEqual } from 'node:util';
import { type JsonObject, type JsonValue, objectOf, objectsOf, parseJson } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { parseAddress, withoutKeys } from '../core/resource-address';
import { type ConfigProject, type StateBlock } from './config';
import { inModule, isStackFile } from './find-blocks';

/** An object that Terraform imports with its next apply. */
export interface ImportBlock {
  /** The address of a resource instance, as `terraform state list` prints it. */
  readonly to: string;
  /** In the format of the provider: `zone/<zone>/<ruleset>`. */
  readonly id: string;
}

/** Blocks by which Terraform changes only its state (1.7 or later; `import` from 1.5 on). */
export interface StateBlocks {
  readonly imports: readonly ImportBlock[];
  /**
   * Addresses to remove from state without destroying anything. One block covers every instance: `removed` takes no
   * keys (1.11.4: "Resource instance keys not allowed").
   */
  readonly removed: readonly string[];
}

/** What {@link jsonStateBlocks} returns. */
export type JsonBlocks = ReturnType<typeof jsonStateBlocks>;

/**
 * The blocks as HCL, formatted as `terraform fmt` leaves it.
 *
 * @throws MigrationError `ADDRESS_INVALID`
 */
export function renderHclBlocks(blocks: StateBlocks): string {
  const { imports, removed } = validBlocks(blocks);
  return [
    ...imports.map(({ to, id }) => `import {\n  to = ${to}\n  id = "${id}"\n}\n`),
    // without `lifecycle` the block would destroy: the default of Terraform, not of OpenTofu
    ...removed.map(
      (from) => `removed {\n  from = ${from}\n\n  lifecycle {\n    destroy = false\n  }\n}\n`,
    ),
  ].join('\n');
}

/**
 * The blocks as Terraform JSON: for a separate file, or an override of a CDKTF stack. Addresses are not
 * templates there: they are written as in HCL (providers 3.35 to 5.22, measured).
 *
 * @throws MigrationError `ADDRESS_INVALID`
 */
export function jsonStateBlocks(
  blocks: StateBlocks,
): Readonly<Record<string, readonly JsonObject[]>> {
  const { imports, removed } = validBlocks(blocks);
  return {
    ...(imports.length === 0 ? {} : { import: imports.map(({ to, id }) => ({ to, id })) }),
    ...(removed.length === 0
      ? {}
      : { removed: removed.map((from) => ({ from, lifecycle: { destroy: false } })) }),
  };
}

/** As {@link jsonStateBlocks}, as the text of a `.tf.json` file. */
export function renderJsonBlocks(blocks: StateBlocks): string {
  return `${JSON.stringify(jsonStateBlocks(blocks), null, 2)}\n`;
}

function validBlocks({ imports, removed }: StateBlocks): StateBlocks {
  for (const { to, id } of imports) {
    parseAddress(to);
    if (!/^[\w./:-]+$/.test(id)) {
      throw new MigrationError('ADDRESS_INVALID', `"${printable(id, 200)}" is not an import id`, {
        hint: 'pass an id such as zone/<zone id>/<ruleset id>',
      });
    }
  }
  removed.forEach(parseAddress);
  return { imports, removed: [...new Set(removed.map(withoutKeys))] };
}

/**
 * The blocks as overrides of a CDKTF stack, in TypeScript: `importFrom()` would start Terraform once for
 * each resource at synth, and knows no `removed` (cdktf 0.21, measured). An override replaces the whole
 * list of a stack (measured), so the blocks of the stack come first.
 *
 * @param ofStack as of {@link blocksOfStack}
 * @throws MigrationError `ADDRESS_INVALID`
 */
export function renderOverrides(blocks: StateBlocks, ofStack: JsonBlocks = {}): string {
  return Object.entries(jsonStateBlocks(blocks))
    .map(([name, own]) => {
      const addresses = new Set(own.map(addressOf));
      const others = (ofStack[name] ?? []).filter((other) => !addresses.has(addressOf(other)));
      // one block a line
      const lines = [...others, ...own].map((one) =>
        JSON.stringify(one, null, 1).replace(/\n\s*/g, ' '),
      );
      const override = `stack.addOverride('${name}', [\n  ${lines.join(',\n  ')}\n]);\n`;
      return others.length === 0
        ? override
        : `// replaces the override of this stack, whose blocks come first\n${override}`;
    })
    .join('');
}

/** The address of a block; a `removed` block covers all instances. */
function addressOf({ from, to }: JsonObject): JsonValue | undefined {
  return typeof from === 'string' ? withoutKeys(from) : to;
}

/** The blocks that a CDKTF stack was synthesised with, in order. */
export function blocksOfStack({ rootModule }: ConfigProject): JsonBlocks {
  const stacks = rootModule.files.filter(isStackFile).map(({ text }) => objectOf(parseJson(text)));
  const ofType = (type: string) => stacks.flatMap((stack) => objectsOf([stack[type]].flat()));
  return harmless({ import: ofType('import'), removed: ofType('removed') });
}

const OVERRIDE = /stack\.addOverride\('(import|removed)', (\[[^]*?\n\])\);\n/g;

/** The blocks in the code of {@link renderOverrides}. */
export function blocksOfOverrides(code: string): JsonBlocks {
  const lists = [...code.matchAll(OVERRIDE)].map(
    ([, type = '', list = '']) => [type, objectsOf(parseJson(list))] as const,
  );
  return harmless(Object.fromEntries(lists));
}

/** Without the `removed` blocks that destroy: Terraform destroys such a resource also without the block. */
function harmless({ import: imports = [], removed = [] }: JsonBlocks): JsonBlocks {
  const destroysNothing = ({ lifecycle }: JsonObject): boolean =>
    isDeepStrictEqual([lifecycle].flat(), [{ destroy: false }]);
  return { import: imports, removed: removed.filter(destroysNothing) };
}

/**
 * The addresses in `from` of `removed` blocks that destroy nothing, or of `moved` blocks: resources, and modules with all
 * that is in them. Only `moved` blocks can have keys.
 */
export function startsOf(
  project: ConfigProject,
  ...wanted: readonly Exclude<StateBlock['kind'], 'import'>[]
): readonly string[] {
  return [...project.paths].flatMap(([path, { module }]) =>
    module.stateBlocks.flatMap(({ kind, isDestroyFalse, from }) => {
      const isWanted = kind !== 'import' && wanted.includes(kind);
      const isStart = isWanted && from !== undefined && (isDestroyFalse || kind === 'moved');
      return isStart ? inModule(path, from) : [];
    }),
  );
}
