import * as z from 'zod';
import { type Fields } from '../expression/evaluate';
import { accept } from '../body';
import { refusal } from '../refusal';
import { type SecurityEvent, type World, type Zone } from '../world';
import { filterMatches, runLegacyWaf } from './legacy-waf';
import { runNewWaf } from './new-waf';
import {
  fieldsOf,
  matchSignatures,
  type SampleRequest,
  sampleRequestSchema,
  terminates,
  uriOf,
  type Verdict,
} from './sample-request';

/** The error code of malformed traffic. The Cloudflare API has no such code. */
const INVALID_TRAFFIC = 1;

/** Sample requests to one zone. */
const trafficSchema = z.strictObject({
  zone: z.string(),
  requests: z.array(sampleRequestSchema).min(1),
});

/** Traffic as a caller writes it; every field of a request has a default. */
export type Traffic = z.input<typeof trafficSchema>;

/**
 * Sends sample requests through the zone in `zone`.
 * @returns the security events, in the order in which they happened
 * @throws Refusal 400 when the traffic is malformed
 */
export function sendTraffic(body: unknown, world: World): SecurityEvent[] {
  const { zone: id, requests } = accept(trafficSchema, body, INVALID_TRAFFIC);
  const zone = world.zones.get(id);
  if (zone === undefined) {
    throw refusal(400, INVALID_TRAFFIC, `there is no zone ${id}`, '/zone');
  }
  if (zone.legacyWaf.overrides.length > 0 && zone.migration.state !== 'complete') {
    const message = `the effect of URI-based overrides is not emulated: delete those of zone ${id} first`;
    throw refusal(400, INVALID_TRAFFIC, message, '/zone');
  }
  const events = requests.flatMap((sample) => {
    const request = { ...sample, host: sample.host ?? zone.name };
    return securityEvents(request, verdictsOf(zone, request), world.mint.nextRay(), world.now());
  });
  world.events.set(id, [...(world.events.get(id) ?? []), ...events]);
  return events;
}

/**
 * The verdicts for a request. In validation mode the new WAF runs first (spec), so one of its rules
 * can terminate the request before the legacy WAF sees it.
 */
function verdictsOf(zone: Zone, request: SampleRequest): Verdict[] {
  const fields = fieldsOf(request);
  const matches = matchSignatures(request);
  const firewall = runFirewallRules(zone, fields);
  if (firewall.some(terminates)) return firewall;
  const fresh = runNewWaf(zone, fields, matches);
  const done = zone.migration.state === 'complete' || fresh.some(terminates);
  const legacy = done ? [] : runLegacyWaf(zone, request, fields, matches);
  return [...firewall, ...fresh, ...legacy];
}

/** Runs a request through the firewall rules, which precede both WAFs. */
function runFirewallRules(zone: Zone, fields: Fields): Verdict[] {
  const verdicts: Verdict[] = [];
  const rules = [...zone.firewallRules].sort(
    (one, other) =>
      (one.priority ?? Number.MAX_SAFE_INTEGER) - (other.priority ?? Number.MAX_SAFE_INTEGER),
  );
  for (const rule of rules.filter((one) => filterMatches(zone, one, fields))) {
    const { id: ruleId, action, ref = '', description = '' } = rule;
    verdicts.push({ action, source: 'firewallrules', ruleId, ref, description, metadata: {} });
    if (action === 'allow' || terminates(rule)) break;
  }
  return verdicts;
}

/** The events of one request, first match first. */
function securityEvents(
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
