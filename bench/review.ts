import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EVENT_COLUMNS } from '../src/review/query/events';
import { compare, measureInTurn, median, type Row, runOnce, sized, tool } from './measure';

const events = Number(process.env['BENCH_EVENTS'] ?? sized(10_000_000, 1000));
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);

/**
 * Events in the format of the log export with its usual fields. Of ten requests six matched another
 * product, three both WAFs, and one only one of them. About 700 bytes each.
 */
export function writeEvents(path: string, events: number): void {
  let state = 1;
  const random = (): number =>
    (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const hex = (length: number): string =>
    Array.from({ length: length / 8 }, () =>
      Math.floor(random() * 2 ** 32)
        .toString(16)
        .padStart(8, '0'),
    ).join('');
  const fresh = Array.from({ length: 200 }, () => hex(32));
  const old = Array.from({ length: 200 }, (_, index) => `100${index}`);
  const paths = Array.from({ length: 5000 }, (_, index) => `/p/${hex(8)}/${index}`);
  const clients = Array.from(
    { length: 50_000 },
    () => `192.0.${Math.floor(random() * 256)}.${Math.floor(random() * 256)}`,
  );
  const file = openSync(path, 'w');
  let lines: string[] = [];
  for (let count = 0; count < events;) {
    const chance = random();
    const verdicts: [string, string, string][] = [];
    if (chance < 0.3 || (chance >= 0.9 && chance < 0.95))
      verdicts.push(['log', 'firewallmanaged', pick(fresh)]);
    if (chance < 0.3 || chance >= 0.95) verdicts.push(['block', 'waf', pick(old)]);
    if (chance >= 0.3 && chance < 0.9) verdicts.push(['block', 'firewallcustom', pick(fresh)]);
    const ray = hex(16);
    const client = pick(clients);
    const requestPath = pick(paths);
    const time = new Date(Date.UTC(2026, 0, 1) + (count / events) * 86_400_000).toISOString();
    for (const [index, [action, source, rule]] of verdicts.entries()) {
      lines.push(
        `{"Action":"${action}","ClientASN":64496,"ClientASNDescription":"EXAMPLE","ClientCountry":"us","ClientIP":"${client}","ClientIPClass":"noRecord","ClientRefererHost":"","ClientRefererPath":"","ClientRefererQuery":"","ClientRefererScheme":"","ClientRequestHost":"shop.example.com","ClientRequestMethod":"GET","ClientRequestPath":"${requestPath}","ClientRequestProtocol":"HTTP/2","ClientRequestQuery":"?q=${count}","ClientRequestScheme":"https","ClientRequestUserAgent":"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)","Datetime":"${time}","Description":"a rule","EdgeColoCode":"FRA","EdgeResponseStatus":403,"Kind":"firewall","MatchIndex":${verdicts.length - 1 - index},"Metadata":{"ruleset_version":"65","type":"customer","version":"59"},"OriginResponseStatus":0,"OriginatorRayID":"00","RayID":"${ray}","Ref":"","RuleID":"${rule}","Source":"${source}"}`,
      );
      count += 1;
    }
    if (lines.length > 20_000) {
      writeSync(file, `${lines.join('\n')}\n`);
      lines = [];
    }
  }
  if (lines.length > 0) writeSync(file, `${lines.join('\n')}\n`);
  closeSync(file);
}

/** Declares the purpose of the new rules, so that `log` counts as the action that it replaces. */
export const reviewConfig = {
  name: 'default',
  rules: [
    {
      action: 'execute',
      expression: 'true',
      action_parameters: { id: 'efb7b8c949ac4650a09736fc376e9aee' },
    },
  ],
};

const columns = [...Object.keys(EVENT_COLUMNS), 'SampleInterval'];

/** A plain count of the same columns. */
const scan = (path: string): string => `
const { DuckDBInstance } = require('@duckdb/node-api');
(async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  await connection.runAndReadAll(\`SELECT ${columns.map((name) => `count(${name})`).join(', ')}
    FROM read_json('${path}', format = 'newline_delimited', columns = {${columns.map((name) => `${name}: 'VARCHAR'`).join(', ')}})\`);
})();`;

/** Ten million events, against DuckDB's plain scan of the same columns. */
export function benchReview(): Row[] {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cf-waf-migrate-bench-')));
  try {
    const path = join(folder, 'events.ndjson');
    writeEvents(path, events);
    const configFile = join(folder, 'config.json');
    writeFileSync(configFile, JSON.stringify(reviewConfig));
    const root = join(__dirname, '..');
    const review = {
      argv: [...tool, 'review', '--events', path, '--config', configFile, '--json'],
      codes: [2],
    } as const;
    const bare = {
      argv: [
        process.execPath,
        '-e',
        `process.chdir(${JSON.stringify(root)}); module.paths.unshift(${JSON.stringify(join(root, 'node_modules'))});${scan(path)}`,
      ],
    } as const;
    // once beforehand, so that the file is in memory for both
    spawnSync('cat', [path], { stdio: 'ignore' });
    const pairs = measureInTurn(
      rounds,
      () => runOnce(review),
      () => runOnce(bare),
    );
    const million = `${events / 1e6} million events`;
    const peak = median(pairs.ours.map(({ peakMegabytes }) => peakMegabytes));
    return [
      compare(
        `review ${million}, against DuckDB's bare scan`,
        pairs,
        (run) => run.milliseconds,
        3,
        'ms',
      ),
      {
        name: `review ${million}, peak memory against 1.5 GB`,
        ratio: peak / 1536,
        limit: 1,
        measured: `${peak.toFixed(0)} / 1536 MB`,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
