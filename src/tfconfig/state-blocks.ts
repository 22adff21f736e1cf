import { type JsonObject } from '../core/json';
import { MigrationError } from '../core/migration-error';
import { printable } from '../core/printable';
import { parseAddress, withoutKeys } from '../core/resource-address';
import { type ConfigProject, type StateBlock } from './config';
import { inModule, modulePaths } from './find-blocks';
import { isStackFile } from './synthesised';

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

/**
 * The blocks as HCL, formatted as `terraform fmt` leaves it.
 *
 * @throws MigrationError `ADDRESS_INVALID`
 */
export function renderHclBlocks(blocks: StateBlocks): string {
  const { imports, removed } = check(blocks);
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
  const { imports, removed } = check(blocks);
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

function check({ imports, removed }: StateBlocks): StateBlocks {
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
 * list of a stack (measured), so a comment says if the stack has one.
 *
 * @param project the synthesised configuration, if known
 * @throws MigrationError `ADDRESS_INVALID`
 */
export function renderOverrides(blocks: StateBlocks, project?: ConfigProject): string {
  const files = project?.rootModule.files.filter(isStackFile) ?? [];
  const types = new Set(files.flatMap((file) => file.blocks.map(({ type }) => type)));
  return Object.entries(jsonStateBlocks(blocks))
    .map(([name, own]) => {
      const note = types.has(name)
        ? `// replaces all ${name} blocks of this stack: add those that you still need\n`
        : '';
      return `${note}stack.addOverride('${name}', ${JSON.stringify(own, null, 2)});\n`;
    })
    .join('');
}

/**
 * The addresses in `from` of `removed` blocks that destroy nothing, or of `moved` blocks, without keys: resources, and
 * modules with all that is in them.
 */
export function startsOf(
  project: ConfigProject,
  wanted: Exclude<StateBlock['kind'], 'import'>,
): readonly string[] {
  return [...project.modules.values()].flatMap((module) => {
    const starts = module.stateBlocks.flatMap(({ kind, keeps, from }) =>
      kind === wanted && (keeps || kind === 'moved') && from !== undefined ? [from] : [],
    );
    const paths = modulePaths(project, module);
    return starts.flatMap((from) => paths.map((path) => inModule(path, from)));
  });
}
