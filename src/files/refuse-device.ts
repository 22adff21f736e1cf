import { statSync } from 'node:fs';

/**
 * A device may never end, as `/dev/zero`: to read it whole takes all memory, and while it is read no signal is
 * heard. Files and pipes are read; `/dev/null` is as good as an empty file, also where `/dev/stdin` leads to it.
 * @throws Error where the path is a device, or not there
 */
export function refuseDevice(path: string): void {
  const stats = statSync(path);
  if (!stats.isCharacterDevice() && !stats.isBlockDevice()) return;
  const nothing = statSync('/dev/null', { throwIfNoEntry: false });
  if (stats.rdev !== nothing?.rdev) throw new Error('it is a device, not a file');
}
