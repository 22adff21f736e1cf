import { join } from 'node:path';
import { sha256 } from '../../blocks/config-source';
import { backupFile } from '../../plan/backup-file';
import { writeStateBackup } from '../write-backup';
import { writeFiles } from '../write-files';
import { type FaultPoint } from '../apply/fault-points';
import { type FileToRestore } from './files-to-restore';
import { fileCopyPath } from '../journal/journal';
import { type StateToRestore } from './state-to-restore';

/** A copy of what a rollback overwrites. */
export interface SavedCopy {
  readonly of: string;
  /** Relative to the folder of the plan. */
  readonly file: string;
}

/**
 * Copies each state before it is overwritten, and each file that was changed since the plan edited it, for its owner
 * alone. No comparison tells every change of another process from what a provider rewrites: nothing is lost either way.
 */
export function saveOverwritten(
  files: readonly FileToRestore[],
  states: readonly StateToRestore[],
  folder: string,
  fault: (point: FaultPoint) => void,
): SavedCopy[] {
  const ofFiles = files.flatMap(({ file, foreign: bytes }) =>
    bytes === undefined ? [] : [{ of: file, file: fileCopyPath(sha256(bytes)), bytes }],
  );
  writeFiles(
    ofFiles.map(({ file, bytes }) => ({ path: join(folder, file), text: bytes })),
    { force: true, mode: 0o600 },
  );
  fault('rollback-saved');
  const ofStates = states.flatMap(({ planned, text, live }) => {
    if (text === undefined || live.bytes.length === 0) return [];
    const name = backupFile(planned, live.serial, 'overwritten.tfstate');
    const file = writeStateBackup(folder, name, live.bytes);
    fault('rollback-saved');
    return [{ of: `state ${planned.name}`, file }];
  });
  return [...ofFiles.map(({ of, file }) => ({ of, file })), ...ofStates];
}
