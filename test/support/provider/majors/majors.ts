import { type Provider, Refusal } from '../resource';
import { type Major } from '../schema/load-schema';
import { providerV3 } from './v3';
import { providerV4 } from './v4';
import { providerV5 } from './v5';

const majors: Record<Major, () => Provider> = { 3: providerV3, 4: providerV4, 5: providerV5 };

/** The major of a version. @throws {Error} for a version that is not emulated */
export function majorOf(version: string): Major {
  const major = Number(version.split('.')[0]);
  if (major === 3 || major === 4 || major === 5) return major;
  throw new Error(`provider ${version} is not imitated`);
}

/**
 * The provider of a version. Every version of a major behaves as the measured one, except that versions before 3.29
 * cannot import a ruleset.
 */
export function providerOf(version: string): Provider {
  const major = majorOf(version);
  const provider = majors[major]();
  const [, minor = 0] = version.split('.').map(Number);
  if (major !== 3 || minor >= 29) return provider;
  const importState = () => Promise.reject(new Refusal('Import is not yet supported for Rulesets'));
  const ruleset = { ...provider.resources['cloudflare_ruleset']!, importState };
  return { ...provider, resources: { ...provider.resources, cloudflare_ruleset: ruleset } };
}
