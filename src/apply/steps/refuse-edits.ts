import { join, posix } from 'node:path';
import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { partsBefore, withoutKeys } from '../../core/resource-address';
import { inspectTarget } from '../../files/write-files';
import { unplanned } from '../../plan/parse-saved-plan';
import { type Plan, plannedState, type Step } from '../../plan/plan-schema';
import { onlyState } from '../../project/declared-rulesets';
import { requireConfiguration } from '../../project/read-configuration';
import {
  type ConfigBlock,
  type ConfigFile,
  type ConfigModule,
  type ConfigObject,
  type ConfigValue,
  Expression,
  isList,
  isObject,
  objectsOf,
  type StateBlock,
  textOfBlock,
} from '../../tfconfig/config';
import { findBlocks } from '../../tfconfig/find-blocks';
import { type FileEdit, localAddress } from '../../tfconfig/file-edit';
import { parseConfig, readModule } from '../../tfconfig/read-project';
import { renderHclBlocks, startsOf } from '../../tfconfig/state-blocks';
import { isLegacyWafAddress } from '../../tfstate/legacy-waf-types';
import { type ApplyContext } from '../apply-context';

/**
 * Refuses to remove blocks while a state has their resources, because the next apply would destroy the resources and
 * restore the defaults. With method blocks, the same edit adds a `removed` block.
 * @throws MigrationError `CONFIG_EDIT_REFUSED`
 */
export async function requireRemovedFromState(step: Step, context: ApplyContext): Promise<void> {
  const { edits = [] } = step;
  if (edits.every(({ remove }) => remove.length === 0)) return;
  for (const [name, { addresses }] of context.live) {
    const { dir } = plannedState(context.plan, name);
    const orphan = await findOrphan(edits, addresses, dir, context.folder);
    if (orphan === undefined) continue;
    throw new MigrationError(
      'CONFIG_EDIT_REFUSED',
      `state ${printable(name, 80)} still has ${printable(orphan, 200)}: without its block, the next apply would destroy it`,
      {
        hint: 'run `apply` without --only: it runs the earlier steps first. If that stops here too, the resource can have another address: run `plan --out plan.json`, and apply that plan',
      },
    );
  }
}

/** A resource of a state whose block the edits remove without a `removed` block. A block with the same name may stay. */
async function findOrphan(
  edits: readonly FileEdit[],
  addresses: ReadonlySet<string>,
  dir: string,
  folder: string,
): Promise<string | undefined> {
  const removed = edits.flatMap(({ file, remove }) =>
    remove.map(({ address }) => ({ file, address: localAddress(address) })),
  );
  const names = new Set(removed.map(({ address }) => address));
  const forgotten = await forgottenBy(edits, dir);
  const candidates = [...addresses].filter((address) => {
    const block = withoutKeys(address);
    const name = localAddress(block);
    // Terraform destroys no data source
    return names.has(name) && !name.startsWith('data.') && !forgotten.has(block);
  });
  // reading the configuration is slow
  const configuration = candidates.length > 0 && (await requireConfiguration(dir, folder));
  if (!configuration) return undefined;
  const { project } = configuration;
  const before = new Set(startsOf(project, 'removed'));
  const keyOf = (file: string, address: string): string =>
    `${inspectTarget(join(folder, file)).path} ${address}`;
  const keys = new Set(removed.map(({ file, address }) => keyOf(file, address)));
  return candidates.find((address) => {
    const block = withoutKeys(address);
    if (partsBefore(block).some((part) => before.has(part))) return false;
    return findBlocks(project, block).some((one) =>
      keys.has(keyOf(one.file.path, one.block.address)),
    );
  });
}

/** The addresses that edits of a folder tell Terraform to forget. */
async function forgottenBy(edits: readonly FileEdit[], dir: string): Promise<Set<string>> {
  const forgotten = new Set<string>();
  for (const edit of edits.filter(({ file }) => posix.dirname(file) === dir)) {
    const { stateBlocks } = await readInserted(edit);
    for (const { from = '', isDestroyFalse } of stateBlocks)
      if (isDestroyFalse) forgotten.add(from);
  }
  return forgotten;
}

/**
 * Checks that an edit inserts only what `plan` writes: rulesets of the plan, and `import` and `removed` blocks. Anyone
 * can compute the digest of a plan, and Terraform runs the programs that a configuration names.
 * @throws MigrationError `PLAN_INVALID`, `CONFIG_INVALID`
 */
export async function requirePlannedText(
  edit: FileEdit,
  { zones }: Pick<Plan, 'zones'>,
): Promise<void> {
  if (hasHeredoc(edit.insert)) throw unplanned(`a heredoc to ${printable(edit.file, 200)}`);
  const { files, stateBlocks } = await readInserted(edit);
  const found = new Map(stateBlocks.map((one) => [one.block, one]));
  const isPlanned = (block: ConfigBlock, file: ConfigFile): boolean => {
    const { type, address, body } = block;
    if (file.syntax === 'json') return false;
    if (type === 'resource')
      return zones.some((one) => withoutKeys(one.ruleset.address) === address) && isOfValues(body);
    const one = found.get(block);
    return one !== undefined && textOfBlock(file, block) === renderedBlock(one, zones);
  };
  for (const file of files) {
    const other = file.blocks.find((block) => !isPlanned(block, file));
    if (other === undefined) continue;
    throw unplanned(`${printable(other.address, 200)} to ${printable(edit.file, 200)}`);
  }
}

/** Parsers differ in where its text ends: for Terraform, the rest can be blocks. */
function hasHeredoc(text = ''): boolean {
  const lines = text.split(/[\n\r\u2028\u2029]/);
  return lines.some((line) => line.trimEnd().split(/[\s"]/).at(-1)?.includes('<<') === true);
}

/** How `plan` writes an `import` or `removed` block. Empty for one that it does not write. */
function renderedBlock(
  { kind, from = '', to = '', id = '' }: StateBlock,
  zones: Plan['zones'],
): string {
  const imports = zones.some(({ ruleset }) => ruleset.address === to && ruleset.importId === id)
    ? [{ to, id }]
    : [];
  const removed = isLegacyWafAddress(from) ? [from] : [];
  const blocks = kind === 'import' ? { imports, removed: [] } : { imports: [], removed };
  return renderHclBlocks(blocks).trimEnd();
}

/** Arguments and blocks that Terraform itself evaluates, and that `plan` does not write. */
const OF_TERRAFORM = ['provisioner', 'connection', 'for_each', 'depends_on'];

/** Whether a ruleset has only values, its guard, a provider, and a count that only selects its state. */
function isOfValues(body: ConfigObject): boolean {
  const isValue = (value: ConfigValue): boolean => {
    if (isObject(value)) {
      // a key can be an expression too
      return [...value].every(
        ([name, inner]) => /^[\w-]+$/.test(name) && name !== 'dynamic' && isValue(inner),
      );
    }
    return isList(value) ? value.every(isValue) : !(value instanceof Expression);
  };
  const rest = new Map([...body].filter(([name]) => name !== 'provider' && name !== 'count'));
  const guards = objectsOf(body.get('lifecycle')).flatMap((one) => [...one]);
  const isGuard = ([name, value]: [string, ConfigValue]): boolean =>
    name === 'prevent_destroy' && value === true;
  const isGuarded = guards.length > 0 && guards.every(isGuard);
  const isCounted = !body.has('count') || onlyState(body) !== undefined;
  const isOfTerraform = OF_TERRAFORM.some((name) => body.has(name));
  return isGuarded && isCounted && !isOfTerraform && isValue(rest);
}

async function readInserted({ file, insert = '' }: FileEdit): Promise<ConfigModule> {
  const inserted = insert.trim() === '' ? [] : [{ path: file, bytes: Buffer.from(insert) }];
  return readModule('.', await Promise.all(inserted.map(parseConfig)));
}
