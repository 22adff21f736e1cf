import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { listen } from '../test/support/listen';
import { manyZones, zoneId } from '../test/support/many-zones';
import { compare, measureInTurn, type Row, type Run, runOnce, sized, tool } from './measure';

const account = 'ac'.repeat(16);
const token = 'bench-token-opens-nothing-00000000000000';
const delay = 50;
const concurrency = 8;
const perPage = 50;
const hex = (digit: string, number: number): string =>
  digit + number.toString(16).padStart(31, '0');

/** A typical entry point: a managed ruleset with a dozen overrides, OWASP, an exception. */
function entryPoint(number: number): Buffer {
  const rule = (index: number, fields: object): object => ({
    id: hex('b', number * 10 + index),
    version: '1',
    ref: hex('b', number * 10 + index),
    enabled: true,
    description: `rule ${index}`,
    last_updated: '2026-01-01T00:00:00Z',
    ...fields,
  });
  const overrides = Array.from({ length: 12 }, (_, index) => ({
    id: hex('d', index),
    action: 'log',
    enabled: index % 2 === 0,
  }));
  const rules = [
    rule(0, {
      action: 'skip',
      expression: `(http.request.uri.path eq "/health/${number}")`,
      action_parameters: { ruleset: 'current' },
      logging: { enabled: true },
    }),
    rule(1, {
      action: 'execute',
      expression: 'true',
      action_parameters: {
        id: 'efb7b8c949ac4650a09736fc376e9aee',
        version: 'latest',
        overrides: { rules: overrides },
      },
    }),
    rule(2, {
      action: 'execute',
      expression: 'true',
      action_parameters: { id: '4814384a9e5d4991b9815dcfc25d2f1f', version: 'latest' },
    }),
  ];
  const result = {
    id: hex('a', number),
    name: 'default',
    description: '',
    kind: 'zone',
    phase: 'http_request_firewall_managed',
    version: '1',
    last_updated: '2026-01-01T00:00:00Z',
    rules,
  };
  return Buffer.from(JSON.stringify({ success: true, errors: [], messages: [], result }, null, 2));
}

function zonePage(page: number, count: number): Buffer {
  const first = (page - 1) * perPage;
  const result = Array.from(
    { length: Math.max(0, Math.min(perPage, count - first)) },
    (_, index) => ({
      id: zoneId(first + index),
      name: `zone-${first + index}.example.com`,
      status: 'active',
      account: { id: account, name: 'Bench' },
      plan: { id: 'x', name: 'Business Website', legacy_id: 'business' },
    }),
  );
  const result_info = {
    page,
    per_page: perPage,
    count: result.length,
    total_count: count,
    total_pages: Math.ceil(count / perPage),
  };
  return Buffer.from(
    JSON.stringify({ success: true, errors: [], messages: [], result, result_info }, null, 2),
  );
}

/** The requests for a migrated zone, below `/zones/<id>`. */
const PATHS = {
  status: '/waf_migration/status',
  entryPoint: '/rulesets/phases/http_request_firewall_managed/entrypoint',
};

function answer(zone: string, path: string): Buffer {
  if (path === PATHS.entryPoint) return entryPoint(parseInt(zone.slice(1), 16));
  const result =
    path === PATHS.status
      ? { migration_state: 'complete', old_waf_status: 'disabled', new_waf_status: 'enabled' }
      : { id: zone, name: `${zone}.example.com`, plan: { legacy_id: 'business' } };
  return Buffer.from(JSON.stringify({ success: true, errors: [], messages: [], result }));
}

/** The API in a separate thread, with delayed responses. The path has the number of zones. */
async function serve(): Promise<void> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    const [, count = '0', zone, path = ''] =
      /^\/(\d+)\/client\/v4\/zones(?:\/(\w+)(.*))?/.exec(url.pathname) ?? [];
    const page = Number(url.searchParams.get('page') ?? '1');
    const body = zone === undefined ? zonePage(page, Number(count)) : answer(zone, path);
    setTimeout(() => {
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': body.length,
        'cf-ray': '8c1f0123456789ab-FRA',
      });
      response.end(body);
    }, delay);
  });
  const { port } = await listen(server);
  parentPort?.postMessage(port);
}

/** The same requests with plain undici: each response is read completely and parsed. */
const bare = (base: string, paths: readonly string[]): string => `
const { Agent } = require(${JSON.stringify(require.resolve('undici'))});
const agent = new Agent({ connections: ${concurrency}, allowH2: false });
const { origin, pathname } = new URL(${JSON.stringify(base)});
async function get(path) {
  const { body, statusCode } = await agent.request({ origin, path: pathname + path, method: 'GET', headers: { authorization: 'Bearer ${token}' } });
  if (statusCode !== 200) throw new Error('status ' + statusCode);
  return body.json();
}
async function listed() {
  const zones = [];
  for (let page = 1, last = 1; page <= last; page += 1) {
    const { result, result_info } = await get('/zones?per_page=${perPage}&account.id=${account}&page=' + page);
    zones.push(...result.map(({ id }) => id));
    last = result_info.total_pages;
  }
  return zones;
}
(async () => {
  const zones = await listed();
  const queue = zones.flatMap((id) => ${JSON.stringify(paths)}.map((path) => '/zones/' + id + path)).values();
  await Promise.all(Array.from({ length: ${concurrency} }, async () => {
    for (const path of queue) if (!(await get(path)).success) throw new Error(path);
  }));
  await agent.close();
})();
`;

/** One run of the tool for all zones, in a new folder. */
function run(base: string, folder: string, ...command: readonly string[]): Run {
  const tokenFile = join(folder, 'token');
  writeFileSync(tokenFile, token);
  const service = ['--base-url', base, '--token-file', tokenFile];
  const all = ['--account', account, '--quiet', '--json', '--ledger', join(folder, 'ledger.jsonl')];
  return runOnce({ argv: [...tool, ...command, ...all, ...service] });
}

function generateAll(base: string, count: number, folder: string): Run {
  const out = mkdtempSync(join(folder, 'out-'));
  const ran = run(base, out, 'generate', '--source', 'live', '--out', join(out, 'stacks'));
  const written = readdirSync(join(out, 'stacks')).length;
  if (written !== count) throw new Error(`${written} stacks instead of ${count}`);
  rmSync(out, { recursive: true });
  return ran;
}

/** `status` of a folder whose state has many zones, as a separate process. */
function statusOf(base: string, folder: string): Run {
  const tokenFile = join(folder, 'token');
  const service = ['--base-url', base, '--token-file', tokenFile];
  return runOnce({
    argv: [...tool, 'status', '--dir', join(folder, 'zones'), '--json', ...service],
    // the status of a zone whose ruleset only logs is a decision
    codes: [0, 2],
  });
}

/** Many zones with the built tool, against plain undici with the same requests and concurrency. */
export async function benchFleet(count = sized(1000, 10), rounds = 3): Promise<Row[]> {
  const worker = new Worker(`require('tsx/cjs'); require(${JSON.stringify(__filename)});`, {
    eval: true,
  });
  const folder = mkdtempSync(join(tmpdir(), 'cf-waf-migrate-fleet-'));
  try {
    const [port] = (await once(worker, 'message')) as [number];
    const base = (zones: number): string => `http://127.0.0.1:${port}/${zones}/client/v4`;
    const floor = (name: string, script: string) => {
      const file = join(folder, `${name}.js`);
      writeFileSync(file, script);
      return () => runOnce({ argv: [process.execPath, file] });
    };
    const generated = () => generateAll(base(count), count, folder);
    const listed = floor('generate', bare(base(count), [PATHS.entryPoint]));
    const pairs = measureInTurn(rounds, generated, listed);
    const few = count / 10;
    const growth = measureInTurn(rounds, generated, () => generateAll(base(few), few, folder));
    const megabytes = (run: Run): number => run.peakMegabytes;
    const title = `generate ${count} zones at ${delay} ms, against bare undici`;

    const zones = sized(400, 4);
    writeFileSync(join(folder, 'token'), token);
    mkdirSync(join(folder, 'zones'));
    writeFileSync(join(folder, 'zones', 'main.tf'), 'terraform {}\n');
    writeFileSync(join(folder, 'zones', 'terraform.tfstate'), manyZones(zones));
    const asked = floor('status', bare(base(zones), Object.values(PATHS)));
    const seen = measureInTurn(rounds, () => statusOf(base(zones), folder), asked);
    const folderTitle = `status of a folder with ${zones} zones at ${delay} ms, against bare undici`;
    return [
      compare(title, pairs, ({ milliseconds }) => milliseconds, 1.25, 'ms'),
      compare(`${title}: peak memory`, pairs, megabytes, 1.5, 'MB'),
      compare(`generate ${count} zones against ${few}: peak memory`, growth, megabytes, 1.3, 'MB'),
      compare(folderTitle, seen, ({ milliseconds }) => milliseconds, 1.25, 'ms'),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await worker.terminate();
  }
}

if (!isMainThread) void serve();
