import * as z from 'zod';
import { accept } from '../accept';
import { settleMigration } from '../migration';
import { refusal } from '../refusal';
import { type World } from '../world';
import { type Zone } from '../zone';
import { runFirewallRules } from './firewall-rules';
import { runNewWaf } from './new-waf';
import { runOldWaf } from './old-waf';
import { fieldsOf, type SampleRequest, sampleRequestSchema } from './sample-request';
import { type SecurityEvent, securityEvents } from './security-event';
import { matchSignatures } from './signatures';
import { terminates, type Verdict } from './verdict';

/** The code of malformed traffic, which is no part of the service. */
const INVALID_TRAFFIC = 1;

/** Sample requests to one zone. */
const trafficSchema = z.strictObject({
  zone: z.string(),
  requests: z.array(sampleRequestSchema).min(1),
});

/** Traffic as a caller writes it; every field of a request has a default. */
export type Traffic = z.input<typeof trafficSchema>;

/**
 * Sends traffic through the zone that it names. @throws Refusal 400 when it is malformed
 */
export function sendTraffic(body: unknown, world: World): SecurityEvent[] {
  const { zone: id, requests } = accept(trafficSchema, body, INVALID_TRAFFIC);
  const zone = world.zones.get(id);
  if (zone !== undefined) {
    const events = runTraffic(zone, requests, world);
    world.events.set(id, [...(world.events.get(id) ?? []), ...events]);
    return events;
  }
  throw refusal(400, INVALID_TRAFFIC, `there is no zone ${id}`, '/zone');
}

/**
 * Sends sample requests through a zone and gives the security events, in the order in which they
 * happened. In validation mode the new WAF runs first (spec), so that a rule of it that terminates
 * hides what the previous one would have done.
 */
function runTraffic(
  zone: Zone,
  requests: z.infer<typeof trafficSchema>['requests'],
  world: World,
): SecurityEvent[] {
  settleMigration(zone, world);
  return requests.flatMap((sample) => {
    const request = { ...sample, host: sample.host ?? zone.name };
    return securityEvents(request, verdictsOf(zone, request), world.mint.nextRay(), world.now());
  });
}

function verdictsOf(zone: Zone, request: SampleRequest): Verdict[] {
  const fields = fieldsOf(request);
  const matches = matchSignatures(request);
  const firewall = runFirewallRules(zone, fields);
  if (firewall.some(terminates)) return firewall;
  const fresh = runNewWaf(zone, fields, matches);
  const done = zone.migration.state === 'complete' || fresh.some(terminates);
  const old = done ? [] : runOldWaf(zone, request, fields, matches);
  return [...firewall, ...fresh, ...old];
}
