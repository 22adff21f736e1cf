import { join, relative, resolve } from 'node:path';
import { type Client, createClient } from '../../../cloudflare/client';
import { readZone } from '../../../cloudflare/zones';
import { groupBy } from '../../../core/lists';
import { startEmulator } from '../../../emulator/emulator';
import { writeFiles } from '../../../files/write-files';
import { generate, type GenerateResult } from '../../../generate/generate';
import { readSource } from '../../../generate/read-source';
import { planFormats } from '../../../plan/formats/plan-formats';
import { goneFrom, type Plan } from '../../../plan/plan-schema';
import { makePlan, defaultZones } from '../../../plan/make-plan';
import { readStateBytes } from '../../../plan/facts/read-facts';
import { check } from '../../../zone/check';
import { defineCommand } from '../../context';
import { DEFAULT_ADDRESS } from '../../../core/ruleset';
import legacyState from '../../demo/legacy-waf-state.json';

export const demoCommand = defineCommand({
  example: 'demo --out demo-output',
  flags: {
    '--out <dir>': { summary: 'folder for what the demo writes', usual: 'demo-output' },
    '--force': 'overwrite files that differ',
  },
  run: async ({ out, force = false }, { cwd }) => {
    const folder = resolve(cwd, out);
    const emulator = await startEmulator({
      scenario: { name: 'tour', include: ['enterprise', 'old-waf'] },
    });
    const { baseUrl, credentials } = emulator;
    const client = createClient({ baseUrl, credentials: { token: credentials.token } });
    try {
      const { name } = await readZone(client, NOT_MIGRATED);
      const { compatible } = await check(client, NOT_MIGRATED);
      const stacks = join(folder, 'stacks');
      const states = [readStateBytes(Buffer.from(STATE_TEXT), 'default', { to: '5.22.0' })];
      const zones = defaultZones(states);
      const rulesetIds = new Map<string, string>();
      const address = DEFAULT_ADDRESS;
      const plan = await makePlan({ folder, zones, rulesetIds, states, address, client });
      const state = { path: join(folder, 'old-waf.tfstate'), text: STATE_TEXT };
      const json = { path: join(folder, 'plan.json'), text: planFormats.json.render(plan) };
      const sh = { path: join(folder, 'plan.sh'), text: planFormats.sh.render(plan) };
      writeFiles([state, json, sh], { force, mode: 0o600 });
      const provisional = await generateZone(client, NOT_MIGRATED, stacks, force);
      const live = await generateZone(client, MIGRATED, stacks, force);
      const shown = (path = ''): string => relative(cwd, path);
      const text = [
        'cf-waf-migrate demo: all on this machine, with an emulator of the Cloudflare API.',
        '',
        `1. check      ${name} ${compatible ? 'can migrate: nothing blocks it' : 'cannot migrate'}.`,
        '',
        '2. generate   CDKTF stacks for provider 5:',
        `     ${shown(provisional.files[0])}`,
        '       a zone before its migration: its migration configuration',
        `     ${shown(live.files[0])}`,
        '       a migrated zone: its live entry point',
        '',
        `3. plan       the state ${shown(state.path)}, which provider 3.35 wrote, has`,
        ...renderPlan(plan),
        `     with every command and address: ${shown(json.path)}, ${shown(sh.path)}`,
        '',
        'Next, in your Terraform folder:',
        '  cf-waf-migrate status',
      ];
      const files = [...provisional.files, ...live.files, state.path, json.path, sh.path];
      return { json: { files: files.map(shown) }, text: text.join('\n'), exitCode: 0 };
    } finally {
      await client.close();
      await emulator.stop();
    }
  },
});

function renderPlan({ steps }: Plan): string[] {
  const removed = goneFrom(steps);
  const legacy = removed.filter((address) => address.includes('cloudflare_waf_'));
  const lines = [...groupBy(steps, ({ why }) => why).values()].map(([{ id, title }, ...alike]) => {
    const last = alike.at(-1)?.id;
    if (last === undefined) return `${id.padStart(10)}. ${title}`;
    const what = title.replace(/ (of zone|as) .*$/, '');
    return `${`${id}-${last}`.padStart(10)}. ${what} (${alike.length + 1} zones)`;
  });
  return [
    `              ${legacy.length} legacy WAF resources of five migrated zones, and`,
    `              ${removed.length - legacy.length} filters and firewall rules, which provider 5 cannot read.`,
    '              The steps:',
    ...lines,
  ];
}

const NOT_MIGRATED = 'e0000000000000000000000000000001';
/** A migrated zone whose legacy resources are still in a state. */
const MIGRATED = '0123456789abcdef0123456789abcdef';

const STATE_TEXT = `${JSON.stringify(legacyState, null, 2)}\n`;

async function generateZone(
  client: Client,
  zoneId: string,
  out: string,
  force: boolean,
): Promise<GenerateResult> {
  const { name } = await readZone(client, zoneId);
  return generate({
    zone: { id: zoneId, name },
    source: await readSource(client, zoneId, 'auto'),
    provider: 5,
    format: 'cdktf',
    resourceName: 'managed_rules',
    out,
    force,
    // the folder can be in a CDKTF project with the same zones, as in a clone
    run: { declared: [], written: new Set() },
  });
}
