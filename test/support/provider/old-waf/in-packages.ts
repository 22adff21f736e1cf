import { ClientError } from '../http/cloudflare-go';
import { type Json, type OldWafService } from './old-waf-service';

/**
 * Looks for something in the package that is named, or else in one after the other of the zone.
 *
 * @returns the package and what was found in it; null when it is in none
 */
export async function inPackages(
  waf: OldWafService,
  pkg: string,
  find: (pkg: string) => Promise<Json>,
): Promise<[string, Json] | null> {
  const candidates = pkg === '' ? (await waf.packages()).map(({ id }) => String(id)) : [pkg];
  for (const candidate of candidates) {
    try {
      return [candidate, await find(candidate)];
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
    }
  }
  return null;
}
