import { type Fields } from '../expression/evaluate';
import { type SecurityEvent, type World, type Zone } from '../world';
import { filterMatches, runLegacyWaf } from './legacy-waf';
import { runNewWaf } from './new-waf';
import {
  fieldsOf,
  matchSignatures,
  type SampleRequest,
  terminates,
  uriOf,
  type Verdict,
} from './sample-request';

/** Sample requests to one zone; every field of a request has a default. */
export interface Traffic {
  readonly zone: string;
  readonly requests: readonly Partial<SampleRequest>[];
}

const PLAIN_REQUEST: SampleRequest = {
  path: '/',
  query: '',
  userAgent: 'Mozilla/5.0',
  clientIP: '198.51.100.7',
};

/**
 * Sends sample requests through the zone in `zone`.
 * @returns the security events, in the order in which they happened
 * @throws Error when the zone does not exist, or has what the emulator does not evaluate
 */
export function sendTraffic({ zone: id, requests }: Traffic, world: World): SecurityEvent[] {
  const zone = world.zones.get(id);
  if (zone === undefined) throw new Error(`there is no zone ${id}`);
  if (zone.legacyWaf.overrides.length > 0 && zone.migration.state !== 'complete') {
    throw new Error('the effect of URI-based overrides is not emulated: delete them first');
  }
  const events = requests.flatMap((sample) => {
    const request = { ...PLAIN_REQUEST, ...sample };
    const verdicts = verdictsOf(zone, request);
    return securityEvents(zone, request, verdicts, world.mint.nextRay(), world.now());
  });
  world.events.set(id, [...(world.events.get(id) ?? []), ...events]);
  return events;
}

/**
 * The verdicts for a request. In validation mode the new WAF runs first (spec), so one of its rules
 * can terminate the request before the legacy WAF sees it.
 */
function verdictsOf(zone: Zone, request: SampleRequest): Verdict[] {
  const fields = fieldsOf(request, zone.name);
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
  zone: Zone,
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
    ClientASN: 64_496,
    ClientCountry: 'us',
    ClientIP: request.clientIP,
    ClientRequestHost: zone.name,
    ClientRequestMethod: 'GET',
    ClientRequestPath: request.path,
    ClientRequestProtocol: 'HTTP/1.1',
    ClientRequestQuery: uriOf(request).slice(request.path.length),
    ClientRequestScheme: 'https',
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
