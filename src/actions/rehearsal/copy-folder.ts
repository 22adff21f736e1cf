import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { tried } from '../../model/tried';

/** Links may lead anywhere: more files than these behind them are no configuration. */
const MOST_LINKED = 10_000;

/** Copies folders into another: contents alone, so that nothing written there reaches the originals. */
export class FolderCopy {
  /** Each file and folder that was copied: what it is a copy of. */
  private readonly originals = new Map<string, string>();
  private linked = 0;

  /** @param leftOut names of files and folders that are not copied */
  constructor(private readonly leftOut: (name: string) => boolean) {}

  /**
   * Links are followed, but for those that lead to a folder above themselves. What cannot be read, and
   * what is neither file nor folder, is left out: Terraform cannot read it either.
   *
   * @throws MigrationError `REHEARSAL_IMPOSSIBLE`, `FILE_UNWRITABLE`
   */
  addFolder(from: string, to: string): void {
    this.add(from, to, [], false);
  }

  /**
   * A file, which can be read.
   * @param mode that of the original when it is left out
   * @throws MigrationError as `addFolder`
   */
  addFile(from: string, to: string, mode?: number): void {
    const original = realpathSync(from);
    if (this.isKnown(to, original)) return;
    writing(from, () => {
      mkdirSync(dirname(to), { recursive: true });
      copyFileSync(original, to, constants.COPYFILE_FICLONE);
      if (mode !== undefined) chmodSync(to, mode);
    });
    this.originals.set(to, original);
  }

  private isKnown(to: string, original: string): boolean {
    const known = this.originals.get(to);
    if (known === undefined || known === original) return known === original;
    const both = `${printable(known)} and ${printable(original)}`;
    throw new MigrationError(
      'REHEARSAL_IMPOSSIBLE',
      `by their links ${both} would be one in a copy`,
    );
  }

  private add(from: string, to: string, above: readonly string[], isLinkedAbove: boolean): void {
    // what cannot be read is left out: a dangling link, a loop of links, no permission
    const real = tried(() => realpathSync(from));
    const names = tried(() => readdirSync(from));
    if (real === undefined || names === undefined) return;
    if (above.some((one) => isWithin(real, one))) return;
    const [parent] = above;
    const isLinked = isLinkedAbove || (parent !== undefined && dirname(real) !== parent);
    if (isLinked) this.countLinked(from, names.length);
    if (!this.isKnown(to, real)) {
      writing(from, () => mkdirSync(to, { recursive: true }));
      this.originals.set(to, real);
    }
    for (const name of names.filter((one) => !this.leftOut(one))) {
      const path = join(from, name);
      const stats = tried(() => statSync(path));
      if (stats?.isDirectory()) this.add(path, join(to, name), [real, ...above], isLinked);
      else if (stats?.isFile() && isReadable(path)) this.addFile(path, join(to, name));
    }
  }

  private countLinked(from: string, count: number): void {
    this.linked += count;
    if (this.linked <= MOST_LINKED) return;
    const message = `links lead to more than ${MOST_LINKED} files, the last in ${printable(from)}`;
    throw new MigrationError('REHEARSAL_IMPOSSIBLE', message, {
      hint: 'take the link to a folder that is not of the configuration out of the project',
    });
  }
}

/** Whether a path is a folder itself or lies in it; both are real paths. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || join(path) === way);
}

function isReadable(path: string): boolean {
  return tried(() => (accessSync(path, constants.R_OK), true)) === true;
}

function writing(from: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    const message = `cannot copy ${printable(from)} for the rehearsal`;
    const hint = 'check that TMPDIR (on Windows TEMP) is writable and has space';
    throw new MigrationError('FILE_UNWRITABLE', message, { cause, hint });
  }
}
