import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type Plan, type PlanState } from '../../plan/plan';
import { folderAbove, planFolder } from '../plan-folder';
import { readConfiguration } from '../read-configuration';
import { type ApplyRequest } from '../apply/apply-request';
import { FolderCopy } from './copy-folder';
import { filesRead } from './files-read';

/** Something to copy: where it is, and where it lies as seen from the folder of the plan. */
interface Part {
  readonly from: string;
  readonly place: string;
}

/**
 * Copies every folder that the configurations are made of, as deep below each other as they are, and the
 * files that they read elsewhere or that `-var-file` names. A folder that is a link is where it leads to: from there Terraform
 * reckons `../modules`. In the copy that lies beside it all the same.
 *
 * @param root of the copy: nothing is written elsewhere
 * @returns the copy of the folder of the plan
 * @throws MigrationError as `FolderCopy`, `readConfiguration`; `FILE_UNREADABLE`
 */
export async function copyConfigurations(
  { plan, folder }: Pick<ApplyRequest, 'plan' | 'folder'>,
  root: string,
): Promise<string> {
  const folders: Part[] = [];
  const files: Part[] = [];
  for (const state of plan.states) {
    const place = resolve(folder, state.dir);
    const from = realFolder(place);
    const parts = await partsOf({ from, place }, realFolder(folder));
    folders.push(...parts.folders);
    files.push(...parts.files, ...variableFiles(plan, state, { from, place }));
  }
  const places = [...folders.map(({ place }) => place), ...files.map((one) => dirname(one.place))];
  const top = folderAbove([resolve(folder), ...places]);
  const copied = (path: string): string => join(root, relative(top, path));
  const copy = new FolderCopy(leftOut);
  mkdirSync(copied(resolve(folder)), { recursive: true });
  for (const { from, place } of folders) copy.addFolder(from, copied(place));
  for (const { from, place } of files) copy.addFile(from, copied(place));
  return copied(resolve(folder));
}

/** The folder of a state and those of its local modules; the files that these read elsewhere. */
async function partsOf(
  { from, place }: Part,
  folder: string,
): Promise<{ folders: Part[]; files: Part[] }> {
  const { project } = (await readConfiguration(planFolder(folder, from), folder)) ?? {};
  const modules = [...(project?.modules.keys() ?? [])].map((one) => resolve(folder, one));
  const partOf = (path: string): Part => ({
    from: path,
    place: resolve(place, relative(from, path)),
  });
  return {
    folders: [from, ...modules].map(partOf),
    files: (project === undefined ? [] : filesRead(project, folder, from)).map(partOf),
  };
}

/** @throws MigrationError `FILE_UNREADABLE` */
function variableFiles({ steps }: Plan, { name }: PlanState, { from, place }: Part): Part[] {
  const given = steps
    .filter(({ state }) => state === name)
    .flatMap(({ runs = [] }) => runs)
    .flatMap(({ argv }) => argv.flatMap((flag, at) => variableFile(flag, argv[at + 1])))
    .filter((file) => !isAbsolute(file));
  return [...new Set(given)].map((file) => {
    const path = resolve(from, file);
    if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
      throw new MigrationError(
        'FILE_UNREADABLE',
        `-var-file=${printable(file)} is not there, seen from ${printable(from)}`,
      );
    return { from: path, place: resolve(place, file) };
  });
}

function variableFile(flag: string, next = ''): string[] {
  const [name = '', ...joined] = flag.split('=');
  if (!/^--?var-file$/.test(name)) return [];
  return [joined.length === 0 ? next : joined.join('=')].filter((file) => file !== '');
}

/** @throws MigrationError `FILE_UNREADABLE` */
function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw new MigrationError('FILE_UNREADABLE', `${printable(path)} is not there`, { cause });
  }
}

/** What is not of the configuration: states are pulled, the data of Terraform is copied apart. */
function leftOut(name: string): boolean {
  return /^(\.git|\.terraform|node_modules|cf-waf-migrate-backup|terraform\.tfstate\.d|.*\.tfstate(\..*)?)$/.test(
    name,
  );
}
