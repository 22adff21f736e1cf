import { MigrationError } from '../model/migration-error';
import { printable } from '../model/printable';
import { type ConfigBlock, type ConfigFile } from './config-file';
import { type Removal } from './file-edit';
import { groupBy } from './group-by';

/**
 * The blocks of a file that an edit names.
 *
 * @throws MigrationError `CONFIG_EDIT_REFUSED` when one is not there, or two cannot be told apart
 * (JSON can hold several on one line)
 */
export function locateBlocks(file: ConfigFile, removals: readonly Removal[]): ConfigBlock[] {
  const places = groupBy(file.blocks, ({ address, range }) =>
    placeKey(address, range.startLine, range.endLine),
  );
  return removals.map(({ address, startLine, endLine }) => {
    const [block, another] = places.get(placeKey(localAddress(address), startLine, endLine)) ?? [];
    const what = `${printable(address)} in line ${startLine} of ${printable(file.path)}`;
    if (block === undefined) throw new MigrationError('CONFIG_EDIT_REFUSED', `there is no ${what}`);
    if (another !== undefined) {
      throw new MigrationError('CONFIG_EDIT_REFUSED', `there is more than one ${what}`);
    }
    return block;
  });
}

function placeKey(address: string, startLine: number, endLine: number): string {
  return `${startLine}-${endLine} ${address}`;
}

/** Without the path of the module; a module call has an address of that kind itself. */
export function localAddress(address: string): string {
  const parts = address.split('.');
  let module = 0;
  while (parts[module] === 'module' && parts.length - module > 2) module += 2;
  return parts.slice(module).join('.');
}
