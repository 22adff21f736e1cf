import { event, lines } from './event-files';

const SCORE = '6179ae15870a4bb7b2d480d4843b323c';

/** Requests of one kind: how many, and the rules of both WAFs that match them. */
const day: { count: number; path: string; query?: string; managed?: string[]; legacy?: string }[] =
  [
    {
      ...{ count: 5, path: '/news', query: '?q=<script>' },
      ...{ managed: ['b5ef1ace353841a0856b5e07790c9dde', SCORE], legacy: '100136C' },
    },
    {
      ...{ count: 7, path: '/search', query: '?q=1+or+1%3D1' },
      ...{ managed: ['98e7e08ae64247e2801ca4b388d80772', SCORE], legacy: '100008E2' },
    },
    {
      ...{ count: 3, path: '/a', query: '?x=${jndi:ldap://x}' },
      ...{ managed: ['3536f964ccc345308b6445e8dc29b753'], legacy: '100515B' },
    },
    { count: 4, path: '/api/index.php/v1/config', managed: ['6da28a8f5a734bb7a89f55572f26b3a7'] },
    { count: 6, path: '/wp-json/wp/v2/users', managed: ['bba3d37891a440fb8bc95b970cbd9abc'] },
    { count: 2, path: '/upload', query: '?f=php://input', legacy: 'PHP100006' },
  ];

/**
 * The log export of a day in validation mode, as text. The new WAF runs first.
 * - `log-only`: it logs, so the legacy WAF sees each request
 * - `enforced`: it blocks, which hides the legacy WAF
 * - `proposed`: it logs, with the exception of the proposal for that day
 */
export function dayOfEvents(mode: 'log-only' | 'enforced' | 'proposed'): string {
  let rays = 0;
  const found = day.flatMap(({ count, path, query = '', managed = [], legacy }) =>
    Array.from({ length: count }, (_, index) => {
      const ray = `r${(rays += 1)}`;
      const where = path.startsWith('/wp-json') ? `${path}/${index}` : path;
      const client = /^.(search|wp-json)/.test(path) ? `192.0.2.${index}` : '198.51.100.7';
      const at = (source: string, action: string, rule: string) => ({
        ...event(ray, source, action, rule, where),
        ...{ ClientRequestQuery: query, ClientIP: client, Datetime: '2026-03-02T09:00:00Z' },
      });
      const old = legacy === undefined ? [] : [at('waf', 'block', legacy)];
      if (mode === 'enforced' && managed[0] !== undefined) {
        return [at('firewallmanaged', 'block', managed[0])];
      }
      if (mode === 'proposed' && path.startsWith('/api')) {
        return [at('firewallmanaged', 'skip', 'a'.repeat(32))];
      }
      const logged = managed.map((rule) => at('firewallmanaged', 'log', rule));
      return [...logged, ...old].map((one, place, all) => ({
        ...one,
        MatchIndex: all.length - 1 - place,
      }));
    }).flat(),
  );
  return lines([...found, event('last', 'firewallrules', 'block', 'c'.repeat(32), '/')]);
}
