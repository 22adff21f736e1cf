import { isAbsolute } from 'node:path';

/** A path of a configuration, as far as it can be told without Terraform. */
export interface WrittenPath {
  /** Whether it is seen from the folder of the module; else from the folder that Terraform runs in. */
  readonly isOfModule: boolean;
  /** Up to the first part that only Terraform knows. */
  readonly text: string;
  /** Whether that is all of it. */
  readonly isWhole: boolean;
}

const FOLDER = /^\$\{\s*path\.(module|root|cwd)\s*\}(?:\/|$)/;
const PLAIN = /^(?:[^$%\\]|[$%](?!\{))*/;

/**
 * Reads a template such as `${path.module}/../policies/${each.key}.json`, without quotes.
 * @returns undefined for an absolute path: it leads to the same place from everywhere
 */
export function writtenPath(template: string): WrittenPath | undefined {
  const [front = '', folder] = FOLDER.exec(template) ?? [];
  const rest = template.slice(front.length);
  const [text = ''] = PLAIN.exec(rest) ?? [];
  if (folder === undefined && (isAbsolute(text) || text.startsWith('~'))) return undefined;
  return { isOfModule: folder === 'module', text: `./${text}`, isWhole: text === rest };
}

/** A template with the name of the workspace in the place of `${terraform.workspace}`. */
export function withWorkspace(template: string, workspace: string): string {
  return template.replace(/\$\{\s*terraform\.workspace\s*\}/g, () => workspace);
}
