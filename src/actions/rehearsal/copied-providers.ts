import { mkdirSync, readdirSync, realpathSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tried } from '../../model/tried';
import { FolderCopy } from './copy-folder';

/** Below the folder of the providers: host, namespace, type, version, platform. */
const LEVELS = 5;

/**
 * The installed providers, which are hundreds of megabytes: copied once for all states. A link leads to that
 * copy, never to the original: Terraform writes through it where it installs the same version again.
 */
export class CopiedProviders {
  private readonly copies = new Map<string, string>();

  /** @param store where the copies lie */
  constructor(private readonly store: string) {}

  /** @throws MigrationError as `FolderCopy` */
  add(from: string, to: string, levels = LEVELS): void {
    if (levels === 0) {
      if (statSync(from, { throwIfNoEntry: false })?.isDirectory() !== true) return;
      mkdirSync(dirname(to), { recursive: true });
      // a junction: on Windows anybody may make one, and a symbolic link only who was allowed to
      symlinkSync(this.copyOf(realpathSync(from)), to, 'junction');
      return;
    }
    // none where nothing was installed
    for (const name of tried(() => readdirSync(from)) ?? []) {
      this.add(join(from, name), join(to, name), levels - 1);
    }
  }

  private copyOf(original: string): string {
    const known = this.copies.get(original);
    if (known !== undefined) return known;
    const copy = join(this.store, String(this.copies.size));
    mkdirSync(copy, { recursive: true });
    new FolderCopy(() => false).addFolder(original, copy);
    this.copies.set(original, copy);
    return copy;
  }
}
