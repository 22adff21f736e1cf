import { type SampleRequest, uriOf } from './sample-request';
import { terminates, type Verdict } from './verdict';

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
