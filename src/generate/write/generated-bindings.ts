import { dirname, join, relative } from 'node:path';
import { posixPath } from '../../core/posix-quote';
import { flavors } from '../flavor';
import { cdktfProvider, packagesOf, readObject } from '../../project/cdktf-project';

/**
 * Where a program in a folder imports the bindings from that its CDKTF project generates for itself (`cdktf
 * get`): `../.gen/providers/cloudflare`, with `ruleset` and `provider` below. Told by the nearest `cdktf.json`
 * at or above the folder. The package, where the project has one; undefined where it has no bindings.
 */
export async function generatedBindings(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const manifest = await readObject(join(at, 'cdktf.json'));
    if (manifest !== undefined) {
      const packages = await packagesOf(at);
      const packaged = Object.values(flavors).find(({ bindings }) => packages.has(bindings));
      if (packaged !== undefined) return `${packaged.bindings}/lib`;
      const provider = cdktfProvider(manifest);
      if (provider === undefined) return undefined;
      const { codeMakerOutput: output } = manifest;
      const own = join(
        at,
        typeof output === 'string' ? output : '.gen',
        'providers',
        provider.name,
      );
      const path = posixPath(relative(folder, own));
      return path.startsWith('../') ? path : `./${path}`;
    }
    if (dirname(at) === at) return undefined;
  }
}
