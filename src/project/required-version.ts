import { join } from 'node:path';
import { type ProviderRequirement } from '../tfconfig/config-module';
import { cdktfProvider, isCloudflareSource } from './cdktf-provider';
import { readConfiguration } from './read-configuration';
import { readJsonFile } from '../files/read-json-file';

/** Who asks for which versions of the Cloudflare provider. */
export interface RequiredVersion {
  /** `required_providers`, or the name of a file. */
  readonly place: string;
  readonly constraint: string;
}

/** Whether an entry of `required_providers` is Cloudflare's; one without a source is told by its name. */
export function isCloudflareRequirement({
  name,
  source,
}: Pick<ProviderRequirement, 'name' | 'source'>): boolean {
  return isCloudflareSource(source ?? `${name}/${name}`);
}

/** The version constraint of a folder's project; a broken one says nothing. */
export async function requiredVersion(folder: string): Promise<RequiredVersion | undefined> {
  const ofCdktf = await cdktfConstraint(folder);
  if (ofCdktf !== undefined) return { place: 'cdktf.json', constraint: ofCdktf };
  const configuration = await readConfiguration('.', folder).catch(() => undefined);
  const modules = [...(configuration?.project.modules.values() ?? [])];
  const constraints = modules
    .flatMap(({ requirements }) => requirements)
    .filter(isCloudflareRequirement)
    .flatMap(({ version }) => version ?? []);
  if (constraints.length === 0) return undefined;
  return { place: 'required_providers', constraint: [...new Set(constraints)].join(', ') };
}

/** Of a provider that CDKTF generates the bindings of. */
async function cdktfConstraint(folder: string): Promise<string | undefined> {
  const manifest = await readJsonFile(join(folder, 'cdktf.json')).catch(() => undefined);
  return cdktfProvider(manifest)?.version;
}
