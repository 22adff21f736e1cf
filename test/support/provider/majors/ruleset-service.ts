import { resultOf } from '../http/cloudflare-go';
import { type CloudflareHttp } from '../http/cloudflare-http';
import { type ObjectValue, textOf } from '../protocol/value';
import { isRecord } from '../schema/conform';

export type RulesetJson = Record<string, unknown>;

/** The Rulesets API of one zone or account, as the client of providers 3 and 4 calls it. */
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
  update = (id: string, body: object) => this.call('PUT', `/rulesets/${id}`, body);

  /** @throws {ClientError} */
  private async call(method: string, path: string, body?: unknown): Promise<RulesetJson> {
    const result = resultOf(await this.http.send(method, this.base + path, body));
    return isRecord(result) ? result : {};
  }
}
