import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmulator } from '../src/emulator/emulator';
import { type Row, sized, tool } from './measure';

const state = join(__dirname, '../test/fixtures/terraform/states/old-waf-3.35.tfstate');
const entryPoint = '/rulesets/phases/http_request_firewall_managed/entrypoint';

/** The minimum requests of each command. */
const fewest: readonly [scenario: string, command: string, requests: readonly string[]][] = [
  ['enterprise', 'check', ['/waf_migration/check', '/firewall/rules', '/pagerules']],
  ['migrated', 'check', ['/waf_migration/check']],
  [
    'enterprise',
    'status',
    // the name, which WAF is on, and what blocks the migration
    [
      '',
      '/waf_migration/status',
      entryPoint,
      '/waf_migration/check',
      '/firewall/rules',
      '/pagerules',
    ],
  ],
  ['migrated', 'status', ['', '/waf_migration/status', entryPoint]],
  ['enterprise', 'fetch-config', ['/waf_migration/config']],
  ['enterprise', 'generate --source config --out x', ['', '/waf_migration/config', entryPoint]],
  ['migrated', 'generate --source live --out x', ['', entryPoint]],
  [
    'enterprise',
    'generate --source auto --out x',
    ['', '/waf_migration/status', '/waf_migration/config', entryPoint],
  ],
  ['migrated', `plan --state ${state}`, ['', '/waf_migration/status', entryPoint]],
  ['enterprise', 'firewall filters list', ['/filters']],
  ['enterprise', 'firewall rules list', ['/firewall/rules']],
  ['enterprise', 'firewall overrides list', ['/firewall/waf/overrides']],
];

/** The requests of each command for one zone, against the minimum. */
export async function benchRequests(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [scenario, command, expected] of sized(fewest, fewest.slice(0, 2))) {
    const asked = await requestsOf(scenario, command);
    const name = `${command.split(' --state')[0] ?? command}, ${scenario} zone: requests`;
    const others = asked.filter((path) => !expected.includes(path));
    if (others.length > 0) throw new Error(`${name}: asks ${others.join(', ')} too`);
    const measured = `${asked.length} / ${expected.length}`;
    rows.push({ name, ratio: asked.length / expected.length, limit: 1, measured });
  }
  return rows;
}

/** The paths below the zone that a command requests. */
async function requestsOf(scenario: string, command: string): Promise<string[]> {
  const emulator = await startEmulator({ scenario });
  const cwd = mkdtempSync(join(tmpdir(), 'cf-waf-migrate-requests-'));
  try {
    const zone = emulator.zones[0]?.id ?? '';
    const [node, cli] = tool;
    const argv = [cli, ...command.split(' '), '--zone', zone];
    const env = { ...process.env, ...emulator.environment };
    const child = spawn(node, argv, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
    const [code] = (await once(child, 'exit')) as [number | null];
    // 2: decisions or manual steps remain
    if (code !== 0 && code !== 2) throw new Error(`${command} ended with ${code}: ${said}`);
    return emulator.requests().map(({ path }) => path.replace(`/zones/${zone}`, ''));
  } finally {
    await emulator.stop();
    rmSync(cwd, { recursive: true });
  }
}
