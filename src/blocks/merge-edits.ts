import { type ConfigFile } from './config-file';
import { type FileEdit } from './file-edit';
import { groupBy } from './group-by';
import { locateBlocks } from './locate-blocks';
import { planEdit } from './plan-edit';

/**
 * One edit for each file, by whichever name, where several were planned for the file as it is now. What takes nothing out
 * comes first: a `removed` block beside the block that it is about has Terraform refuse to plan, until
 * the others follow; a block that is gone without one has it plan to destroy.
 *
 * @param files that the edits were planned for
 * @param placeOf where a file really is, whose name may be that of a link
 */
export function mergeEdits(
  edits: readonly FileEdit[],
  files: readonly ConfigFile[],
  placeOf: (file: string) => string,
): FileEdit[] {
  const merged = [...groupBy(edits, ({ file }) => placeOf(file)).values()].flatMap((same) => {
    const [first, ...others] = same;
    if (others.every(({ sha256After }) => sha256After === first.sha256After)) return first;
    const file = files.find(({ path, sha256 }) => path === first.file && sha256 === first.sha256);
    return (file && mergeFile(file, same)) ?? same;
  });
  return [
    ...merged.filter(({ remove }) => remove.length === 0),
    ...merged.filter(({ remove }) => remove.length > 0),
  ];
}

function mergeFile(file: ConfigFile, edits: readonly FileEdit[]): FileEdit | undefined {
  const blocks = new Set(edits.flatMap(({ remove }) => locateBlocks(file, remove)));
  const inserts = new Set(edits.flatMap(({ insert }) => insert ?? []));
  return planEdit(file, [...blocks], inserts.size === 0 ? undefined : [...inserts].join('\n'));
}
