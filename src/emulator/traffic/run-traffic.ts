import * as z from 'zod';
import { type Fields } from '../expression/evaluate';
import { type FirewallRule } from '../firewall';
import { settleMigration } from '../migration';
import { accept, refusal } from '../refusal';
import { type World } from '../world';
import { type Zone } from '../zone';
import { runNewWaf } from './new-waf';
import { filterMatches, runOldWaf } from './old-waf';
import {
  fieldsOf,
  matchSignatures,
  type SampleRequest,
  sampleRequestSchema,
} from './sample-request';
import { type SecurityEvent, securityEvents, terminates, type Verdict } from './security-event';

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

/** Runs a request through the firewall rules, which come before any WAF. */
function runFirewallRules(zone: Zone, fields: Fields): Verdict[] {
  const verdicts: Verdict[] = [];
  const order = (rule: FirewallRule): number => rule.priority ?? Infinity;
  const rules = [...zone.firewallRules].sort((one, other) =>
    order(one) === order(other) ? 0 : order(one) - order(other),
  );
  for (const rule of rules) {
    if (!filterMatches(zone, rule, fields)) continue;
    verdicts.push({
      action: rule.action,
      source: 'firewallrules',
      ruleId: rule.id,
      ref: rule.ref ?? '',
      description: rule.description ?? '',
      metadata: {},
    });
    if (rule.action === 'allow' || terminates(rule)) break;
  }
  return verdicts;
}
