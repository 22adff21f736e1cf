import { buildHostedMirror, type Mirror } from './provider/mirror';
import { temporaryFolder } from './temporary-folder';

/** A mirror of provider versions, which is there when the tests of the file run. */
export function hostedMirror(versions: string[], folder = temporaryFolder()): Mirror {
  const mirror: Mirror = { env: {} };
  beforeAll(async () => {
    Object.assign(mirror, await buildHostedMirror(folder, versions));
  });
  return mirror;
}
