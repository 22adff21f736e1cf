import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { objectOf, textOf } from '../core/json';
import { readObject } from '../files/read-files';

const OF_TERRAFORM = /\.tf(\.json)?$|^\.terraform$|^terraform\.tfstate$|^terragrunt\.hcl$/;

/** Whether Terraform has been used in a folder, or has a configuration there. */
function isTerraformFolder(folder: string): boolean {
  return readdirSync(folder).some((name) => OF_TERRAFORM.test(name));
}

/** A folder itself, and the stacks that the CDKTF project there has synthesised. */
export function foldersOfTerraform(cwd: string): string[] {
  return [...(isTerraformFolder(cwd) ? ['.'] : []), ...synthesisedStacks(cwd)];
}

/** The folders of the stacks that the CDKTF project in a folder has synthesised, relative to it. */
export function synthesisedStacks(project: string): string[] {
  const stacks = stacksFolder(project);
  if (stacks === undefined || !existsSync(resolve(project, stacks))) return [];
  const listed = listedStacks(resolve(project, stacks, '../manifest.json'));
  return readdirSync(resolve(project, stacks))
    .filter((name) => listed?.has(name) !== false)
    .sort()
    .map((name) => join(stacks, name));
}

/**
 * The folders of the stacks of the last synthesis: CDKTF keeps those of earlier stacks, which its manifest does not list.
 * @returns undefined without a manifest
 */
function listedStacks(path: string): ReadonlySet<string> | undefined {
  if (!existsSync(path)) return undefined;
  const { stacks } = objectOf(readObject(path));
  const folders = Object.values(objectOf(stacks)).map((stack) =>
    basename(textOf(objectOf(stack)['workingDirectory'])),
  );
  return new Set(folders);
}

/** Where the CDKTF project in a folder has its synthesised stacks, relative to it. */
export function stacksFolder(cwd: string): string | undefined {
  const manifest = join(cwd, 'cdktf.json');
  if (!existsSync(manifest)) return undefined;
  const { output } = objectOf(readObject(manifest));
  return join(typeof output === 'string' ? output : 'cdktf.out', 'stacks');
}
