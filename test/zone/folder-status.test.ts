import { type FolderFacts, folderStatus } from '../../src/zone/folder-status';
import { fleetScenario, zoneId, zoneName } from '../cli/support/fleet-scenario';
import { legacyResource, stateFacts } from '../plan/support/state-facts';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { clientOverEmulator, seen } from '../support/over-emulator';

const ids = (count: number): { id: string }[] =>
  Array.from({ length: count }, (_, number) => ({ id: zoneId(number) }));

it('reads many zones with two requests each, and their names from the list of zones', async () => {
  const [client, emulator] = await clientOverEmulator({ scenario: fleetScenario({ count: 60 }) });
  const { zones } = await folderStatus([], ids(60), client, '');
  expect(zones.map(({ name }) => name)).toEqual(ids(60).map((_, number) => zoneName(number)));
  expect(zones.every(({ deployed }) => deployed.length > 0)).toBe(true);
  // two pages of 50 zones
  expect(seen(emulator)).toHaveLength(2 * 60 + 2);
});

describe('the next command', () => {
  const id = zoneId(0);
  const folder = (changes: Partial<FolderFacts>): FolderFacts[] => [
    stateFacts({ legacyResources: [], ...changes }),
  ];
  const entryPoint = {
    ...{ address: 'cloudflare_ruleset.a', zoneId: id, id: 'a'.repeat(32) },
    phase: 'http_request_firewall_managed',
  };
  const legacy = { legacyResources: [legacyResource('cloudflare_waf_rule.a', { zoneId: id })] };
  const folders: Readonly<Record<string, FolderFacts[]>> = {
    none: [],
    empty: folder({}),
    legacy: folder(legacy),
    declared: folder({ declared: [entryPoint] }),
    imported: folder({ declared: [entryPoint], rulesets: [entryPoint] }),
  };
  const start = { moved: () => false };

  it.each([
    ['start', start, ['check', 'check', 'check', 'check', 'check']],
    [
      'start, Enterprise',
      { ...start, plan: () => 'enterprise' },
      ['check', 'check', 'check', 'check', 'check'],
    ],
    [
      'start, blocked',
      { ...start, blocked: () => true },
      ['check', 'check', 'check', 'check', 'check'],
    ],
    ['migrated', {}, ['generate', 'generate', 'plan', 'plan', undefined]],
  ])('of every case is accepted by the program: %s', async (_, zone, expected) => {
    const [client] = await clientOverEmulator({ scenario: fleetScenario({ count: 1, ...zone }) });
    const found: (string | undefined)[] = [];
    for (const held of Object.values(folders)) {
      const status = await folderStatus(held, [{ id }], client, ' --dir cdktf.out/stacks/portal');
      const [, command, ...words] = status.zones[0]?.next?.split(' ') ?? [];
      found.push(command);
      expect(words.includes('--dir')).toBe(command === 'plan');
      if (command === undefined) continue;
      // without credentials nothing runs, but the line is parsed
      const { stderr } = await runCli([command, ...words], { cwd: temporaryFolder() });
      expect(stderr).not.toMatch(/unknown (?:option|command)|too many arguments/);
    }
    expect(found).toEqual(expected);
  });

  it('plans a zone alone while another zone of the state has not migrated', async () => {
    const scenario = fleetScenario({ count: 2, moved: (number) => number === 0 });
    const [client] = await clientOverEmulator({ scenario });
    const legacyResources = [0, 1].map((number) =>
      legacyResource(`cloudflare_waf_rule.r${number}`, { zoneId: zoneId(number) }),
    );
    const { zones } = await folderStatus(folder({ legacyResources }), [], client, '');
    expect(zones.map(({ next }) => next)).toEqual([
      `cf-waf-migrate plan --zone ${zoneName(0)}`,
      `cf-waf-migrate check --zone ${zoneName(1)}`,
    ]);
  });
});
