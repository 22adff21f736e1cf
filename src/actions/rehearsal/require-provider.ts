import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConfigModule } from '../../blocks/config-module';
import { allowedMajors } from '../../model/allowed-majors';
import { majorOf } from '../../plan/provider-version';
import { isCloudflareRequirement } from '../required-version';

/** Of the files that override others the last counts: `~` is behind every letter. */
const FILE = '~~cf_waf_migrate_provider_override.tf.json';

/**
 * Makes the copy of a module require a version of the Cloudflare provider, unless it allows that major alone.
 * @returns whether it had to
 */
export function requireProvider(dir: string, module: ConfigModule, version: string): boolean {
  const others = module.requirements
    .filter(isCloudflareRequirement)
    .filter((one) => allowedMajors(one.version ?? '').join() !== String(majorOf(version)));
  if (others.length === 0) return false;
  // an override replaces the whole entry
  const required = others.map(({ name, source, aliases }) => {
    const entry = { ...(source !== undefined && { source }), version };
    const withAliases = aliases.length > 0 && { configuration_aliases: aliases };
    return [name, { ...entry, ...withAliases }] as const;
  });
  const terraform = { required_providers: Object.fromEntries(required) };
  writeFileSync(join(dir, FILE), JSON.stringify({ terraform }));
  return true;
}
