import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type Finding } from '../../model/finding';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type Plan, type PlanState } from '../../plan/plan';
import { folderAbove } from '../plan-folder';
import { type ApplyRequest } from '../apply/apply-request';
import { type CalledModule, calledModules } from './called-modules';
import { FolderCopy } from './copy-folder';
import { filesRead } from './files-read';
import { type Part } from './part';
import { requireProvider } from './require-provider';
import { statesRead } from './states-read';
import { variableFiles } from './variable-files';

/** The copy of what the states of a plan are configured by. */
interface ConfigurationCopy {
  /** The copy of the folder of the plan. */
  readonly folder: string;
  /**
   * Copies the states that the configuration reads in files, but for those that are there: to be called when the
   * states of the plan are. Before that, `terraform init` would take some for states of its own.
   */
  readonly addStatesRead: () => void;
  readonly findings: readonly Finding[];
}

/** What there is to copy for a state of the plan. */
interface Parts {
  readonly state: PlanState;
  readonly modules: readonly CalledModule[];
  readonly folders: readonly Part[];
  readonly files: readonly Part[];
  readonly states: readonly Part[];
}

/**
 * Copies every folder that the configurations are made of, as deep below each other as they are, and the files that
 * they read elsewhere or that `-var-file` names. A folder that is a link is where it leads to: from there Terraform
 * reckons `../modules`. In the copy that lies beside it all the same.
 *
 * @param root of the copy: nothing is written elsewhere
 * @throws MigrationError as `FolderCopy`, `calledModules`, `filesRead`, `statesRead`; `FILE_UNREADABLE`
 */
export async function copyConfigurations(
  { plan, folder }: Pick<ApplyRequest, 'plan' | 'folder'>,
  root: string,
): Promise<ConfigurationCopy> {
  const all: Parts[] = [];
  for (const state of plan.states) all.push(await partsOf(plan, state, folder));
  const folders = distinct(all.flatMap((parts) => parts.folders));
  const files = distinct(all.flatMap((parts) => parts.files));
  const states = distinct(all.flatMap((parts) => parts.states));
  const places = [
    ...folders.map(({ place }) => place),
    ...[...files, ...states].map(({ place }) => dirname(place)),
  ];
  const top = folderAbove([resolve(folder), ...places]);
  const copied = (path: string): string => join(root, relative(top, path));
  const copy = new FolderCopy(leftOut);
  mkdirSync(copied(resolve(folder)), { recursive: true });
  for (const { from, place } of folders) copy.addFolder(from, copied(place));
  for (const { from, place } of files) copy.addFile(from, copied(place));
  const addStatesRead = (): void => {
    for (const { from, place } of states)
      if (!existsSync(copied(place))) copy.addFile(from, copied(place), 0o600);
  };
  const findings = plan.steps.flatMap(({ kind, state, provider = '' }) => {
    if (kind !== 'upgrade-provider') return [];
    const dirs = all
      .flatMap((parts) => (parts.state.name === state ? parts.modules : []))
      .filter(({ place, module }) => requireProvider(copied(place), module, provider))
      .map(({ module }) => module.dir);
    return dirs.length === 0 ? [] : [constraintSet(provider, state, dirs)];
  });
  return { folder: copied(resolve(folder)), addStatesRead, findings };
}

async function partsOf(plan: Plan, state: PlanState, folder: string): Promise<Parts> {
  const place = resolve(folder, state.dir);
  const root = { from: realFolder(place), place };
  const modules = await calledModules(root, realFolder(folder));
  const { files, folders } = filesRead(modules, root, state.workspace);
  return {
    state,
    modules,
    folders: [root, ...modules, ...folders],
    files: [...files, ...variableFiles(plan, state, root)],
    states: statesRead(modules, root, state.workspace),
  };
}

function constraintSet(version: string, state: string, dirs: readonly string[]): Finding {
  return {
    code: 'CONSTRAINT_SET_ON_COPY',
    severity: 'info',
    subject: state,
    message: `the copy requires provider ${version} in required_providers of: ${dirs.join(', ')}`,
    remedy: 'set the same constraint before the step that upgrades the provider',
  };
}

function distinct(parts: readonly Part[]): Part[] {
  return [...new Map(parts.map((part) => [`${part.place}\0${part.from}`, part])).values()];
}

/** @throws MigrationError `FILE_UNREADABLE` */
function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw new MigrationError('FILE_UNREADABLE', `${printable(path)} is not there`, { cause });
  }
}

/**
 * What is not of the configuration: states are copied apart, and so is the data of Terraform. Copies of rehearsals lie
 * in it where `TMPDIR` does, this one too.
 */
function leftOut(name: string): boolean {
  return /^(\.git|\.terraform|node_modules|cf-waf-migrate-backup|cf-waf-migrate-rehearsal-\w{6}|terraform\.tfstate\.d|.*\.tfstate(\..*)?)$/.test(
    name,
  );
}
