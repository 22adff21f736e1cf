import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  applySplices,
  type ConfigBlock,
  type ConfigFile,
  type ConfigProject,
} from '../../src/tfconfig/config';
import { type ConfigSource } from '../../src/tfconfig/config-source';
import { findBlocksOfTypes } from '../../src/tfconfig/find-blocks';
import { legacyWafTypes } from '../../src/tfstate/legacy-waf-types';
import { findReferences, type Reference } from '../../src/tfconfig/find-references';
import { parseConfig, readProject, requireWhole } from '../../src/tfconfig/read-project';

export const projectsFolder = join(__dirname, '../fixtures/projects');

/** A project out of texts by path, or a folder of the corpus. */
export async function openProject(
  files: string | Readonly<Record<string, string>>,
  root = '.',
): Promise<ConfigProject> {
  const read = typeof files === 'string' ? fromDisk(files) : fromTexts(files);
  const project = await readProject(root, (dir) => {
    const sources = read(dir);
    return Promise.resolve(sources && { sources, unreadFiles: [] });
  });
  if (project === undefined) throw new Error('no configuration');
  return requireWhole(project);
}

function fromDisk(name: string) {
  return (dir: string): ConfigSource[] | undefined => {
    const folder = join(projectsFolder, name, dir);
    if (!existsSync(folder)) return undefined;
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => ({
        path: dir === '.' ? entry.name : `${dir}/${entry.name}`,
        bytes: readFileSync(join(folder, entry.name)),
      }));
  };
}

function fromTexts(files: Readonly<Record<string, string>>) {
  return (dir: string): ConfigSource[] | undefined => {
    const inside = Object.entries(files).filter(
      ([path]) => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '.') === dir,
    );
    if (inside.length === 0) return undefined;
    return inside.map(([path, text]) => ({ path, bytes: Buffer.from(text) }));
  };
}

export async function parseText(text: string, path = 'main.tf'): Promise<ConfigFile> {
  return parseConfig({ path, bytes: Buffer.from(text) });
}

/** The text of a file without some of its blocks. */
export function removeBlocks(file: ConfigFile, blocks: readonly ConfigBlock[]): string {
  return applySplices(file.text, file.cuts(new Set(blocks)));
}

export function filesOf(project: ConfigProject): ConfigFile[] {
  return [...project.modules.values()].flatMap(({ files }) => [...files]);
}

export function legacyBlocks(project: ConfigProject): Set<ConfigBlock> {
  return new Set(findBlocksOfTypes(project, legacyWafTypes).map(({ block }) => block));
}

/** Who refers to the old blocks of a project, as `file:line from → address (breaks)`. */
export async function referencesIn(
  files: string | Readonly<Record<string, string>>,
): Promise<string[]> {
  const project = await openProject(files);
  return findReferences(project, legacyBlocks(project)).map(line);
}

function line({ file, line: number, from, address }: Reference): string {
  return `${file}:${number} ${from} → ${address} (breaks)`;
}
