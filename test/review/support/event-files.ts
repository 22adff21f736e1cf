import { type RawEvent } from './reference';

/** Five requests: two that both act on, one of each that only one does, one of another product. */
export const sample: readonly RawEvent[] = [
  event('1', 'firewallmanaged', 'log', 'a'.repeat(32), '/search'),
  event('1', 'waf', 'log', '100001', '/search'),
  event('2', 'firewallmanaged', 'block', 'a'.repeat(32), '/search'),
  event('2', 'waf', 'block', '100001', '/search'),
  event('3', 'waf', 'block', '100002', '/login'),
  event('4', 'firewallmanaged', 'log', 'b'.repeat(32), '/cart'),
  event('5', 'firewallcustom', 'block', 'c'.repeat(32), '/'),
];

export function event(
  ray: string,
  source: string,
  action: string,
  rule: string,
  path: string,
): RawEvent {
  return {
    RayID: ray,
    Source: source,
    Action: action,
    RuleID: rule,
    ClientIP: '192.0.2.1',
    ClientRequestHost: 'shop.example.com',
    ClientRequestMethod: 'GET',
    ClientRequestPath: path,
    ClientRequestQuery: '',
    Datetime: '2026-01-01T10:00:00Z',
    MatchIndex: 0,
  };
}

export const lines = (events: readonly RawEvent[]): string =>
  events.map((one) => `${JSON.stringify(one)}\n`).join('');
