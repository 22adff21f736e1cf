import { type SecurityEvent } from '../traffic/security-event';

/** The fields of `firewallEventsAdaptive` (public documentation), from the fields of the export. */
export const eventFields: Readonly<Record<string, (event: SecurityEvent) => unknown>> = {
  // seen in both spellings; the one that a careless client misses
  source: ({ Source }) => (Source === 'firewallmanaged' ? 'firewallManaged' : Source),
  action: ({ Action }) => (Action === 'managedchallenge' ? 'managed_challenge' : Action),
  ruleId: ({ RuleID }) => RuleID,
  rayName: ({ RayID }) => RayID,
  matchIndex: ({ MatchIndex }) => MatchIndex,
  clientIP: ({ ClientIP }) => ClientIP,
  clientAsn: ({ ClientASN }) => String(ClientASN),
  clientCountryName: ({ ClientCountry }) => ClientCountry.toUpperCase(),
  clientRequestHTTPHost: ({ ClientRequestHost }) => ClientRequestHost,
  clientRequestHTTPMethodName: ({ ClientRequestMethod }) => ClientRequestMethod,
  clientRequestHTTPProtocol: ({ ClientRequestProtocol }) => ClientRequestProtocol,
  clientRequestPath: ({ ClientRequestPath }) => ClientRequestPath,
  clientRequestQuery: ({ ClientRequestQuery }) => ClientRequestQuery,
  clientRequestScheme: ({ ClientRequestScheme }) => ClientRequestScheme,
  userAgent: ({ ClientRequestUserAgent }) => ClientRequestUserAgent,
  datetime: ({ Datetime }) => toSecond(Datetime),
  edgeResponseStatus: ({ EdgeResponseStatus }) => EdgeResponseStatus,
  originResponseStatus: ({ OriginResponseStatus }) => OriginResponseStatus,
  kind: ({ Kind }) => Kind,
  sampleInterval: () => 1,
};

/** Times of the interface have no fraction (public documentation). */
export const toSecond = (time: string): string => `${time.slice(0, 19)}Z`;
