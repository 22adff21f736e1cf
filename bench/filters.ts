import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { Agent } from 'undici';
import type * as ClientModule from '../src/cloudflare/client';
import type * as FirewallModule from '../src/cloudflare/firewall';
import { compare, type Pairs, type Row } from './measure';

const count = 10_000;
const perPage = 100;
const rounds = 41;
const zone = '0123456789abcdef0123456789abcdef';
const token = 'bench-token-opens-nothing-00000000000000';

/** The pages as the service gives them, rendered beforehand: the server costs next to nothing. */
function pages(): Buffer[] {
  const total = count / perPage;
  return Array.from({ length: total }, (_, page) => {
    const result = Array.from({ length: perPage }, (__, index) => ({
      id: (page * perPage + index).toString(16).padStart(32, '0'),
      expression: `(http.request.uri.path contains "/path-${page}/${index}" and ip.src eq 192.0.2.${index})`,
      paused: false,
      description: `filter ${index} of page ${page}`,
    }));
    const result_info = {
      page: page + 1,
      per_page: perPage,
      count: perPage,
      total_count: count,
      total_pages: total,
    };
    return Buffer.from(
      JSON.stringify({ success: true, errors: [], messages: [], result, result_info }, null, 2),
    );
  });
}

/** In a thread of its own, so that it does not share the time of what is measured. */
async function serve(): Promise<void> {
  const all = pages();
  const server = createServer((request, response) => {
    const page = Number(new URL(request.url ?? '', 'http://x').searchParams.get('page') ?? '1');
    const body = all[page - 1] ?? Buffer.alloc(0);
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': body.length,
      'cf-ray': '8c1f0123456789ab-FRA',
    });
    response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  parentPort?.postMessage((server.address() as AddressInfo).port);
}

/** What is built is what runs: tsx would add to each function that is made. */
async function fromBuild(): Promise<
  Pick<typeof ClientModule & typeof FirewallModule, 'createClient' | 'filters'>
> {
  const folder = join(__dirname, '../dist/cloudflare');
  const client = (await import(join(folder, 'client'))) as typeof ClientModule;
  const firewall = (await import(join(folder, 'firewall'))) as typeof FirewallModule;
  return { ...client, ...firewall };
}

type Build = Awaited<ReturnType<typeof fromBuild>>;

async function throughClient(origin: string, { createClient, filters }: Build): Promise<number> {
  const client = createClient({ baseUrl: `${origin}/client/v4`, credentials: { token } });
  const found: unknown[] = [];
  for await (const filter of filters.list(client, zone)) found.push(filter);
  await client.close();
  return found.length;
}

/** The same with undici alone: each page asked for, read to its end, parsed, and put to the others. */
async function throughUndici(origin: string): Promise<number> {
  const agent = new Agent({ connections: 8, allowH2: false });
  const found: unknown[] = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { body, statusCode } = await agent.request({
      origin,
      path: `/client/v4/zones/${zone}/filters?per_page=${perPage}&page=${page}`,
      method: 'GET',
      headers: { authorization: `Bearer ${token}` },
    });
    if (statusCode !== 200) throw new Error(`status ${statusCode}`);
    const answer = (await body.json()) as {
      result: unknown[];
      result_info: { total_pages: number };
    };
    found.push(...answer.result);
    last = answer.result_info.total_pages;
  }
  await agent.close();
  return found.length;
}

async function milliseconds(run: () => Promise<number>): Promise<number> {
  const start = process.hrtime.bigint();
  const found = await run();
  const time = Number(process.hrtime.bigint() - start) / 1e6;
  if (found !== count) throw new Error(`${found} filters instead of ${count}`);
  return time;
}

/** All pages of 10,000 filters through the client, against bare undici doing the same. */
export async function benchFilters(): Promise<Row[]> {
  const worker = new Worker(`require('tsx/cjs'); require(${JSON.stringify(__filename)});`, {
    eval: true,
  });
  try {
    const [port] = (await once(worker, 'message')) as [number];
    const origin = `http://127.0.0.1:${port}`;
    const build = await fromBuild();
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = -2; round < rounds; round += 1) {
      const mine = () => milliseconds(() => throughClient(origin, build));
      const bare = () => milliseconds(() => throughUndici(origin));
      const [first, second] = round % 2 === 0 ? [mine, bare] : [bare, mine];
      const times = [await first(), await second()];
      if (round < 0) continue; // the compiler is still at work
      ours.push(times[round % 2 === 0 ? 0 : 1] ?? NaN);
      theirs.push(times[round % 2 === 0 ? 1 : 0] ?? NaN);
    }
    const pairs: Pairs<number> = { ours, theirs };
    return [compare(`list ${count} filters, against bare undici`, pairs, (one) => one, 1.25, 'ms')];
  } finally {
    await worker.terminate();
  }
}

if (!isMainThread) void serve();
