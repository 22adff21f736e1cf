import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { type ConfigProject } from '../../blocks/config-project';

/** A call that reads a file whose name is written out, but for the folder in front of it. */
const READS =
  /\b(?:templatefile|file(?:base64|md5|sha1|sha256|sha512|base64sha256|base64sha512)?)\(\s*"(?:\$\{path\.(module|root|cwd)\}\/)?([^"$%\\]+)"/g;

/**
 * The files that a configuration reads by `file("../policies/one.json")` and the like, wherever they lie. A name
 * that is put together is known to Terraform alone.
 *
 * @param folder to which the modules of the project are relative
 * @param root the folder that Terraform runs in: from there it reckons
 */
export function filesRead({ modules }: ConfigProject, folder: string, root: string): string[] {
  const paths = [...modules].flatMap(([dir, { files }]) =>
    files.flatMap(({ text }) =>
      [...text.matchAll(READS)].flatMap(([, base, name = '']) =>
        base === undefined && (isAbsolute(name) || name.startsWith('~'))
          ? []
          : [resolve(base === 'module' ? resolve(folder, dir) : root, `./${name}`)],
      ),
    ),
  );
  return [...new Set(paths)].filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}
