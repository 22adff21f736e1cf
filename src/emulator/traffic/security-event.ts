import { type SampleRequest, uriOf } from './sample-request';

/** A security event, with the field names of the service's log export (`firewall_events`). */
export interface SecurityEvent {
  readonly Action: string;
  readonly ClientASN: number;
  readonly ClientCountry: string;
  readonly ClientIP: string;
  readonly ClientRequestHost: string;
  readonly ClientRequestMethod: string;
  readonly ClientRequestPath: string;
  readonly ClientRequestProtocol: string;
  readonly ClientRequestQuery: string;
  readonly ClientRequestScheme: string;
  readonly ClientRequestUserAgent: string;
  readonly Datetime: string;
  readonly Description: string;
  readonly EdgeColoCode: string;
  readonly EdgeResponseStatus: number;
  readonly Kind: 'firewall';
  /** 0 is the last match of a request, 1 the one before, and so on. */
  readonly MatchIndex: number;
  readonly Metadata: Readonly<Record<string, string>>;
  readonly OriginResponseStatus: number;
  readonly OriginatorRayID: string;
  readonly RayID: string;
  readonly Ref: string;
  readonly RuleID: string;
  readonly Source: string;
}

/** The events of one request, first match first. */
export function securityEvents(
  request: SampleRequest,
  verdicts: readonly Verdict[],
  ray: string,
  now: string,
): SecurityEvent[] {
  const stopped = verdicts.some(terminates);
  const [rayId = '', colo = ''] = ray.split('-');
  return verdicts.map((verdict, index) => ({
    // The export writes actions without underscores.
    Action: verdict.action.replaceAll('_', ''),
    ClientASN: request.asn,
    ClientCountry: request.country.toLowerCase(),
    ClientIP: request.clientIP,
    ClientRequestHost: request.host,
    ClientRequestMethod: request.method,
    ClientRequestPath: request.path,
    ClientRequestProtocol: 'HTTP/1.1',
    ClientRequestQuery: uriOf(request).slice(request.path.length),
    ClientRequestScheme: request.scheme,
    ClientRequestUserAgent: request.userAgent,
    Datetime: now,
    Description: verdict.description,
    EdgeColoCode: colo,
    EdgeResponseStatus: stopped ? 403 : 200,
    Kind: 'firewall',
    MatchIndex: verdicts.length - 1 - index,
    Metadata: verdict.metadata,
    OriginResponseStatus: stopped ? 0 : 200,
    OriginatorRayID: '00',
    RayID: rayId,
    Ref: verdict.ref,
    RuleID: verdict.ruleId,
    Source: verdict.source,
  }));
}

/** What one rule did to a request. */
export interface Verdict {
  /** In the words of the Rulesets interface: `block`, `managed_challenge`, `log`, `skip` … */
  readonly action: string;
  readonly source: 'waf' | 'firewallmanaged' | 'firewallrules';
  readonly ruleId: string;
  readonly ref: string;
  readonly description: string;
  readonly metadata: Readonly<Record<string, string>>;
}

const terminating = new Set(['block', 'challenge', 'js_challenge', 'managed_challenge']);

/** Whether nothing comes after it: `log`, `skip`, `allow` and `bypass` let a request go on. */
export function terminates({ action }: Pick<Verdict, 'action'>): boolean {
  return terminating.has(action);
}

/** The verdicts up to the first one that terminates. */
export function untilTerminated(verdicts: readonly Verdict[]): Verdict[] {
  const end = verdicts.findIndex(terminates);
  return end < 0 ? [...verdicts] : verdicts.slice(0, end + 1);
}
