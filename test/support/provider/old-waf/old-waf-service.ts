import { ClientError, resultOf, type CloudflareHttp } from '../http/cloudflare-http';

export type Json = Record<string, unknown>;

/** The legacy API, as the client of provider 3.35 calls it. */
export class OldWafService {
  private readonly base: string;

  constructor(
    private readonly http: CloudflareHttp,
    zone: string,
  ) {
    this.base = `/zones/${zone}/firewall/waf`;
  }

  packages = () => this.list('/packages');
  groups = (pkg: string) => this.list(`/packages/${pkg}/groups`);
  rules = (pkg: string) => this.list(`/packages/${pkg}/rules`);

  package = (pkg: string) => this.call('GET', `/packages/${pkg}`);
  group = (pkg: string, id: string) => this.call('GET', `/packages/${pkg}/groups/${id}`);
  rule = (pkg: string, id: string) => this.call('GET', `/packages/${pkg}/rules/${id}`);
  override = (id: string) => this.call('GET', `/overrides/${id}`);

  setPackage = (pkg: string, body: Json) => this.call('PATCH', `/packages/${pkg}`, body);
  setGroup = (pkg: string, id: string, mode: string) =>
    this.call('PATCH', `/packages/${pkg}/groups/${id}`, { mode });
  setRule = (pkg: string, id: string, mode: string) =>
    this.call('PATCH', `/packages/${pkg}/rules/${id}`, { mode });

  createOverride = (body: Json) => this.call('POST', '/overrides', body);

  /** @throws {ClientError} */
  private async call(method: string, path: string, body?: unknown): Promise<Json> {
    return (resultOf(await this.http.send(method, this.base + path, body)) ?? {}) as Json;
  }

  /** All pages of a list. */
  private async list(path: string): Promise<Json[]> {
    const all: Json[] = [];
    for (let page = 1; ; page += 1) {
      const answer = await this.http.send('GET', `${this.base}${path}?page=${page}&per_page=100`);
      all.push(...((resultOf(answer) ?? []) as Json[]));
      if (page >= (answer.json?.result_info?.total_pages ?? 1)) return all;
    }
  }
}

/**
 * Whether provider 3.35 treats an error as "gone": by its code, and only for a status without an error class. A
 * 404 never counts.
 */
export function isGone(error: unknown, ...codes: number[]): boolean {
  return (
    error instanceof ClientError &&
    error.kind === 'request' &&
    codes.some((code) => error.codes.includes(code))
  );
}

/**
 * Looks for an object in the named package, otherwise in each package of the zone.
 *
 * @returns the package and the object; null if no package has it
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
