import { mkdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { check } from '../../actions/check';
import { generate, type GenerateResult } from '../../actions/generate';
import { plan } from '../../actions/plan';
import { readSource } from '../../actions/read-source';
import { readStateBytes } from '../../actions/read-state';
import { writeFiles } from '../../actions/write-files';
import { type Client, createClient } from '../../cloudflare/client';
import { readZone } from '../../cloudflare/zones';
import { startEmulator } from '../../emulator/emulator';
import { renderSh } from '../../plan/formats/sh';
import { renderSteps } from '../../plan/formats/text';
import { type Plan } from '../../plan/plan';
import { synthStacks } from '../../terraform/synth-stacks';
import { type CliContext } from '../context';
import state from './old-waf-state.json';

/** The zone that has not moved yet, and the one that has while its state still holds the old WAF. */
const NOT_MOVED = 'e0000000000000000000000000000001';
const MOVED = '0123456789abcdef0123456789abcdef';
/** The other zones of the same state. */
const NEIGHBOURS = [
  'fedcba9876543210fedcba9876543210',
  '11111111111111111111111111111111',
  '22222222222222222222222222222222',
  '33333333333333333333333333333333',
];

/**
 * Lives through the core path against the emulator, saying each step as it happens.
 * @returns the files that it wrote, relative to the working directory
 */
export async function runDemo(out: string, context: CliContext): Promise<string[]> {
  const say = (...lines: string[]): void => {
    context.stdout(`${lines.join('\n')}\n`);
  };
  const folder = resolve(context.cwd, out);
  const shown = (path: string): string => relative(context.cwd, path);
  await mkdir(folder, { recursive: true });
  const emulator = await startEmulator({
    scenario: { name: 'tour', include: ['enterprise', 'old-waf'] },
  });
  const client = createClient({
    baseUrl: emulator.baseUrl,
    credentials: { token: emulator.credentials.token },
  });
  try {
    say(
      'cf-waf-migrate demo: everything runs on this machine, against an emulator of the service.',
      '',
    );

    const { name } = await readZone(client, NOT_MOVED);
    const verdict = await check(client, NOT_MOVED);
    say(
      `1. check      ${name} ${verdict.compatible ? 'may migrate: nothing blocks it' : 'may not migrate'}.`,
      '',
    );

    const stacks = join(folder, 'stacks');
    const provisional = await generateZone(client, NOT_MOVED, stacks);
    const live = await generateZone(client, MOVED, stacks);
    say(
      '2. generate   CDKTF stacks for provider 5:',
      `     ${shown(provisional.files[0] ?? '')}   what its migration will make of the old settings`,
      `     ${shown(live.files[0] ?? '')}   a zone that has moved: its live entry point`,
      '',
    );

    const synthesised = join(folder, 'cdktf.out');
    await synthStacks({
      node: context.node,
      project: resolve(__dirname, '../../..'),
      stacks,
      out: synthesised,
      environment: context.environment,
    });
    const outputs = [provisional, live].map(({ files: [file = ''] }) =>
      join(
        synthesised,
        'stacks',
        (file.split(/[\\/]/).pop() ?? '').replace(/\.ts$/, ''),
        'cdk.tf.json',
      ),
    );
    say(
      '3. synth      Terraform JSON, without cdktf-cli and without Terraform:',
      ...outputs.map((path) => `     ${shown(path)}`),
      '',
    );

    const migration = await planZones(client);
    const statePath = join(folder, 'old-waf.tfstate');
    const jsonPath = join(folder, 'plan.json');
    const shPath = join(folder, 'plan.sh');
    await writeFiles([{ path: statePath, text: `${JSON.stringify(state, null, 2)}\n` }], {
      force: true,
      mode: 0o600,
    });
    await writeFiles(
      [
        { path: jsonPath, text: `${JSON.stringify(migration, null, 2)}\n` },
        { path: shPath, text: renderSh(migration) },
      ],
      { force: true },
    );
    say(
      `4. plan       the state ${shown(statePath)} (a real one, of provider 3.35) still holds`,
      `              ${removed(migration)} entries of the old WAF, of five zones that have moved. The steps:`,
      ...renderSteps(migration).map((line) => `     ${line}`),
      `     with every address: ${shown(jsonPath)}, ${shown(shPath)}`,
      '',
      `Done. Your own zone: cf-waf-migrate check --zone <id>, or offline: cf-waf-migrate plan --help`,
    );
    return [...provisional.files, ...live.files, ...outputs, statePath, jsonPath, shPath].map(
      shown,
    );
  } finally {
    await client.close();
    await emulator.stop();
  }
}

async function generateZone(client: Client, zoneId: string, out: string): Promise<GenerateResult> {
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

function planZones(client: Client): Promise<Plan> {
  const bytes = Buffer.from(JSON.stringify(state));
  return plan({
    zones: [MOVED, ...NEIGHBOURS],
    rulesetIds: new Map(),
    states: [readStateBytes(bytes, 'default', { to: '5.22.0' })],
    address: 'cloudflare_ruleset.managed_rules',
    client: () => client,
  });
}

function removed(migration: Plan): number {
  return migration.steps
    .filter(({ kind }) => kind === 'remove')
    .flatMap(({ addresses = [] }) => addresses)
    .filter((address) => address.includes('cloudflare_waf_')).length;
}
