import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { readSettingsFromStates } from '../../src/translate/source/settings-from-state';
import { translateSource } from '../../src/generate/read-source';
import { type FormatName } from '../../src/core/format-names';
import { generateStack } from '../../src/generate/generate-stack';
import { renderEntryPoint } from '../../src/ruleset/compare-rulesets';
import { normaliseRuleset } from '../../src/ruleset/normalise-ruleset';
import { type LegacySettings } from '../../src/translate/source/legacy-settings';
import { builtInCatalogue } from '../../src/translate/catalogue/catalogue';
import { statesFolder } from '../plan/support/plans';
import { inLab, type Lab } from '../support/lab';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { filesOf, writeBeside } from '../support/write-stack';
import { randomZone } from '../translate/support/random-zone';

type Major = 3 | 4 | 5;
const combinations: [Major, FormatName][] = [
  [5, 'cdktf'],
  [3, 'hcl'],
];
const catalogue = builtInCatalogue();

interface Case {
  readonly name: string;
  /** Its state; none if the settings are made up. */
  readonly file?: string;
  readonly zones: readonly LegacySettings[];
}

/** Every state that a real provider wrote, with its zones that have legacy settings. */
const states = readdirSync(statesFolder)
  .filter((name) => name.endsWith('.tfstate'))
  .map((name) => {
    const file = join(statesFolder, name);
    return { name, file, zones: readSettingsFromStates([readFileSync(file)]).zones };
  });

const seed = Number(process.env['FC_SEED'] ?? Date.now());
const anySettings: Case = {
  name: `any legacy settings (seed ${seed})`,
  zones: fc
    .sample(randomZone, { numRuns: 30, seed })
    .map((old, index) => ({
      ...old,
      zoneId: index.toString(16).padStart(32, '2'),
      // the API accepts only expressions that parse
      firewallRules: old.firewallRules.filter(({ expression = 'ip.src eq x' }) =>
        /^(?:ip\.src eq|\(http\.host eq) \S+$/.test(expression),
      ),
    }))
    .filter((old) => old.wafSwitch?.value !== 'off')
    .slice(0, 10),
};

const zonesOf = (ids: readonly string[]) => ({
  name: 'from state',
  zones: ids.map((id) => ({ id, name: `${id}.example.com`, plan: 'enterprise' })),
});

/** Finishes the migration of a zone with the ruleset of its stack. */
async function finish(lab: Lab, zoneId: string, body: object): Promise<string> {
  const path = `zones/${zoneId}/rulesets/phases/http_request_firewall_managed/entrypoint`;
  const answer = await fetch(`${lab.emulator.baseUrl}/${path}?waf_migration=pending&phase_two=1`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${lab.emulator.credentials.token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  const { success, result, errors } = await answer.json();
  expect({ success, errors }).toEqual({ success: true, errors: [] });
  return result.id as string;
}

async function provesEmpty(lab: Lab, imports: { to: string; id: string }[]): Promise<void> {
  expect(await lab.terraform('validate')).toMatchObject({ code: 0, stderr: '' });
  lab.write('imports.tf.json', { import: imports });
  const first = await lab.plan('-out=imports.tfplan');
  expect(first.text).toContain(
    `Plan: ${imports.length} to import, 0 to add, 0 to change, 0 to destroy`,
  );
  expect(await lab.terraform('apply', 'imports.tfplan')).toMatchObject({ code: 0 });
  expect(await lab.plan()).toMatchObject({ outcome: 'empty' });
}

describe.each(combinations)('for provider %s, as %s, generate --source state', (major, format) => {
  /** The files that the command line writes for a zone of a state. */
  async function generate(file: string, zoneId: string, to: string) {
    const cwd = temporaryFolder();
    const args = ['--source', 'state', '--state', file, '--zone', zoneId, '--address', to];
    const more = ['--provider', `${major}`, '--format', format, '--out', 'out', '--json'];
    const ran = await runCli(['generate', ...args, ...more], { cwd });
    expect(ran).toMatchObject({ code: 2, stderr: '' });
    const { files, resource, source } = JSON.parse(ran.stdout);
    expect([source, resource.address]).toEqual(['state', to]);
    return (files as string[]).map((path) => ({
      path: basename(path),
      text: readFileSync(join(cwd, path), 'utf8'),
    }));
  }

  it.each<Case>([...states.filter(({ zones }) => zones.length > 0), anySettings])(
    'of every zone of $name is valid, imports and plans empty',
    ({ file, zones }) =>
      inLab({ major, scenario: zonesOf(zones.map(({ zoneId }) => zoneId)) }, async (lab) => {
        const imports: { to: string; id: string }[] = [];
        for (const [index, settings] of zones.entries()) {
          const { zoneId } = settings;
          const source = translateSource(settings, 'state', { catalogue });
          const stack = generateStack({
            ...{ zone: { id: zoneId }, source },
            ...{ provider: major, format, resourceName: `zone_${index}` },
          });
          const { address } = stack;
          const written =
            file === undefined ? filesOf(stack) : await generate(file, zoneId, address);
          for (const { path, text } of written) writeBeside(lab, path, text, `zone_${index}`);
          const sent = renderEntryPoint(normaliseRuleset(source.ruleset));
          const rulesetId = await finish(lab, zoneId, sent);
          const level = major === 5 ? 'zones' : 'zone';
          imports.push({ to: address, id: `${level}/${zoneId}/${rulesetId}` });
        }
        await provesEmpty(lab, imports);
      }),
  );
});
