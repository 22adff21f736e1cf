import * as z from 'zod';
import { type Fields, type Value } from '../expression/evaluate';

/** A request of a visitor, as the traffic of a test has it. */
export const sampleRequestSchema = z.strictObject({
  method: z.string().default('GET'),
  scheme: z.enum(['http', 'https']).default('https'),
  /** By default the zone's own name. */
  host: z.string().optional(),
  port: z.int().min(1).max(65_535).optional(),
  path: z.string().startsWith('/').default('/'),
  /** Without the question mark. */
  query: z.string().default(''),
  body: z.string().default(''),
  userAgent: z.string().default('Mozilla/5.0'),
  referer: z.string().default(''),
  headers: z.record(z.string(), z.string()).default({}),
  clientIP: z.string().default('198.51.100.7'),
  country: z.string().default('us'),
  asn: z.int().default(64_496),
});

/** A sample request, with the host that it went to. */
export type SampleRequest = z.infer<typeof sampleRequestSchema> & { readonly host: string };

/** Path and query as they stand in the request line. */
export function uriOf({ path, query }: SampleRequest): string {
  return query === '' ? path : `${path}?${query}`;
}

/** The fields of the expression language for one request. */
export function fieldsOf(request: SampleRequest): Fields {
  const headers = new Map(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const { scheme, host, path, query, port = scheme === 'https' ? 443 : 80 } = request;
  const uri = uriOf(request);
  const values: ReadonlyMap<string, Value> = new Map<string, Value>([
    ['http.host', host],
    ['http.request.method', request.method],
    ['http.request.uri', uri],
    ['http.request.uri.path', path],
    ['http.request.uri.query', query],
    ['http.request.full_uri', `${scheme}://${host}${uri}`],
    ['http.request.body.raw', request.body],
    ['http.user_agent', request.userAgent],
    ['http.referer', request.referer],
    ['http.cookie', headers.get('cookie') ?? ''],
    ['ip.src', request.clientIP],
    ['ip.src.country', request.country.toUpperCase()],
    ['ip.geoip.country', request.country.toUpperCase()],
    ['ip.src.asnum', request.asn],
    ['ip.geoip.asnum', request.asn],
    ['tcp.dstport', port],
    ['cf.edge.server_port', port],
    ['ssl', scheme === 'https'],
    ['cf.threat_score', 0],
  ]);
  return (name, index) => {
    if (name !== 'http.request.headers' || index === undefined) return values.get(name);
    const value = headers.get(index.toLowerCase());
    return value === undefined ? [] : [value];
  };
}
