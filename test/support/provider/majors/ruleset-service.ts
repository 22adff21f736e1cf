import { resultOf } from '../http/cloudflare-go';
import { type CloudflareHttp } from '../http/cloudflare-http';
import { type ObjectValue, textOf } from '../protocol/value';
import { isRecord } from '../schema/conform';

/** What is sent to create a ruleset. */
export interface NewRuleset {
  name: string;
  description: string;
  kind: string;
  phase: string;
  rules?: unknown[];
}

export type RulesetJson = Record<string, unknown>;

/** The Rulesets interface, as the client of provider 3 and 4 calls it for one zone or account. */
export class RulesetService {
  private readonly base: string;

  constructor(
    private readonly http: CloudflareHttp,
    scope: ObjectValue,
  ) {
    const zone = textOf(scope['zone_id']);
    this.base = zone === '' ? `/accounts/${textOf(scope['account_id'])}` : `/zones/${zone}`;
  }

  get = (id: string) => this.call('GET', `/rulesets/${id}`);
  create = (ruleset: NewRuleset) => this.call('POST', '/rulesets', ruleset);
  update = (id: string, body: object) => this.call('PUT', `/rulesets/${id}`, body);
  entryPoint = (phase: string) => this.call('GET', `/rulesets/phases/${phase}/entrypoint`);
  updateEntryPoint = (phase: string, body: object) =>
    this.call('PUT', `/rulesets/phases/${phase}/entrypoint`, body);

  async destroy(id: string): Promise<void> {
    resultOf(await this.http.send('DELETE', `${this.base}/rulesets/${id}`));
  }

  /** @throws {ClientError} */
  private async call(method: string, path: string, body?: unknown): Promise<RulesetJson> {
    const result = resultOf(await this.http.send(method, this.base + path, body));
    return isRecord(result) ? result : {};
  }
}

/**
 * Creates a ruleset as provider 3 and 4 do: an entry point that has rules is never overwritten; one
 * that is empty and has no description is deleted first, as the dashboard leaves such behind.
 *
 * @param guardEveryKind provider 3 does not ask whether the found one is of the same kind
 * @param refuse what to throw when there are rules already
 */
export async function createRuleset(
  service: RulesetService,
  wanted: NewRuleset,
  guardEveryKind: boolean,
  refuse: () => Error,
): Promise<RulesetJson> {
  const found = await service.entryPoint(wanted.phase).catch(() => null);
  if (found !== null && (guardEveryKind || found['kind'] === wanted.kind)) {
    const rules = Array.isArray(found['rules']) ? found['rules'] : [];
    if (rules.length > 0) throw refuse();
    if ((found['description'] ?? '') === '') await service.destroy(String(found['id']));
  }
  const { rules = null, description } = wanted;
  const created = await service.create(wanted);
  if (wanted.kind === 'custom') return created;
  return service.updateEntryPoint(wanted.phase, { description, rules });
}
