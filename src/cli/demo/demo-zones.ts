import { generate, type GenerateResult } from '../../actions/generate';
import { plan } from '../../actions/plan';
import { readSource } from '../../actions/read-source';
import { readStateBytes } from '../../actions/read-state';
import { type Client } from '../../cloudflare/client';
import { readZone } from '../../cloudflare/zones';
import { type Plan } from '../../plan/plan';
import state from './old-waf-state.json';

/** The zone that has not moved yet. */
export const NOT_MOVED = 'e0000000000000000000000000000001';
/** The zone that has moved while a state still holds its old WAF. */
export const MOVED = '0123456789abcdef0123456789abcdef';
/** The other zones of the same state. */
const NEIGHBOURS = [
  'fedcba9876543210fedcba9876543210',
  '11111111111111111111111111111111',
  '22222222222222222222222222222222',
  '33333333333333333333333333333333',
];

/** The state of the demo: a real one, which provider 3.35 wrote. */
export const STATE_TEXT = `${JSON.stringify(state, null, 2)}\n`;

/** Generates the CDKTF stack of a zone for provider 5. */
export async function generateZone(
  client: Client,
  zoneId: string,
  out: string,
): Promise<GenerateResult> {
  const { name } = await readZone(client, zoneId);
  return generate({
    zone: { id: zoneId, name },
    source: await readSource(client, zoneId, 'auto'),
    provider: 5,
    format: 'cdktf',
    resourceName: 'managed_rules',
    out,
    force: true,
  });
}

/** Plans the way of {@link STATE_TEXT} to provider 5. */
export function planZones(client: Client): Promise<Plan> {
  return plan({
    zones: [MOVED, ...NEIGHBOURS],
    rulesetIds: new Map(),
    states: [readStateBytes(Buffer.from(STATE_TEXT), 'default', { to: '5.22.0' })],
    address: 'cloudflare_ruleset.managed_rules',
    client: () => client,
  });
}
