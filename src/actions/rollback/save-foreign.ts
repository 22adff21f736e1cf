import { join } from 'node:path';
import { sha256 } from '../../blocks/decode-config';
import { backupFile } from '../../plan/backup-file';
import { writeStateBackup } from '../write-backup';
import { writeFiles } from '../write-files';
import { type FaultPoint } from '../apply/fault-points';
import { type FileToRestore } from './files-to-restore';
import { fileCopyPath } from '../journal/journal-path';
import { type StateToRestore } from './state-to-restore';

/** A copy of what somebody else has written and a rollback overwrites. */
export interface SavedCopy {
  readonly of: string;
  /** Relative to the folder of the plan. */
  readonly file: string;
}

/** Copies what somebody else has written, for its owner alone, before it is overwritten. */
export function saveForeign(
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
  const ofStates = states.flatMap(({ planned, foreign }) => {
    if (foreign === undefined) return [];
    const name = backupFile(planned, foreign.serial, 'overwritten.tfstate');
    const file = writeStateBackup(folder, name, foreign.bytes);
    fault('rollback-saved');
    return [{ of: `state ${planned.name}`, file }];
  });
  return [...ofFiles.map(({ of, file }) => ({ of, file })), ...ofStates];
}
