import { statSync } from 'node:fs';

/**
 * A device may never end, as `/dev/zero`: to read it whole takes all memory, and while it is read no signal is
 * heard. Files and pipes are read; `/dev/null` is as good as an empty file.
 * @throws Error where the path is a device, or not there
 */
export function refuseDevice(path: string): void {
  const stats = statSync(path);
  const isDevice = stats.isCharacterDevice() || stats.isBlockDevice();
  if (isDevice && path !== '/dev/null') throw new Error('it is a device, not a file');
}
