import { join } from 'node:path';
import { type ProviderMajor } from '../../core/provider-majors';
import { dialects } from '../dialects/registry';
import { type FlavorName, flavors } from '../flavor';
import { projectFiles } from '../project/project-files';
import { type FileToWrite } from '../../files/write-files';

/** The files of a new CDKTF project in a folder, without its stacks: they lie in `stacks` below it. */
export function projectFilesOf(
  dir: string,
  provider: ProviderMajor,
  flavor: FlavorName,
): FileToWrite[] {
  return projectFiles({ dialect: dialects[provider], flavor: flavors[flavor] }).map(
    ({ path, text }) => ({ path: join(dir, path), text }),
  );
}
