import { type FolderFacts, withConsequences } from '../../src/zone/folder-facts';
import { PLAN_ZONE, WITHOUT_RESOURCE } from '../../src/plan/findings/finding-table';
import { folderStatus } from '../../src/zone/folder-status';
import { fleetScenario, zoneId, zoneName } from '../cli/support/fleet-scenario';
import { configuration, legacyResource, stateFacts } from '../plan/support/state-facts';
import { runCli } from '../support/run-cli';
import { temporaryFolder } from '../support/temporary-folder';
import { idOf } from '../support/zones';
import { clientOverEmulator, seen } from '../support/over-emulator';

const folderFacts = (...changes: Parameters<typeof stateFacts>): FolderFacts =>
  withConsequences(stateFacts(...changes));

const ids = (count: number): { id: string }[] =>
  Array.from({ length: count }, (_, number) => ({ id: zoneId(number) }));

/** The entry point of a zone of the scenario. */
const liveId = (number: number): string => idOf('a', number);

it('reads many zones with two requests each, and their names from the list of zones', async () => {
  const [client, emulator] = await clientOverEmulator({ scenario: fleetScenario({ count: 60 }) });
  const { zones } = await folderStatus([], ids(60), client, '');
  expect(zones.map(({ name }) => name)).toEqual(ids(60).map((_, number) => zoneName(number)));
  expect(zones.every(({ deployed }) => deployed.length > 0)).toBe(true);
  // two pages of 50 zones
  expect(seen(emulator)).toHaveLength(2 * 60 + 2);
});

it('says that an apply would destroy what the files no longer declare', async () => {
  const declared = await configuration({ 'main.tf': 'resource "cloudflare_waf_rule" "a" {}\n' });
  const resources = ['a["x"]', 'gone["x"]', 'gone["y"]'].map((name) =>
    legacyResource(`cloudflare_waf_rule.${name}`),
  );
  const ruleset = { address: 'cloudflare_ruleset.b', zoneId: zoneId(0), id: 'a'.repeat(32) };
  const rulesets = [
    { ...ruleset, phase: 'http_request_firewall_managed' },
    { ...ruleset, address: 'cloudflare_ruleset.c', phase: 'http_ratelimit' },
  ];
  const found = async (configured: FolderFacts['configuration'], installed?: string) => {
    const facts = { legacyResources: resources, rulesets, configuration: configured, installed };
    const { findings } = await folderStatus([folderFacts(facts)], [], undefined, '');
    return findings.filter(({ code }) => code === 'BLOCK_ALREADY_GONE');
  };
  expect(await found(declared)).toMatchObject([
    {
      severity: 'decision',
      message: expect.stringMatching(/: cloudflare_waf_rule\.gone, cloudflare_ruleset\.b$/),
    },
  ]);
  expect(await found(undefined)).toEqual([]);
  // it cannot destroy what the provider does not know
  expect(await found(declared, '5.22.0')).toMatchObject([
    { message: expect.stringMatching(/: cloudflare_ruleset\.b$/) },
  ]);
});

describe('the next command', () => {
  const id = zoneId(0);
  const folder = (changes: Partial<FolderFacts>): FolderFacts[] => [
    folderFacts({ legacyResources: [], ...changes }),
  ];
  const entryPoint = {
    ...{ address: 'cloudflare_ruleset.a', zoneId: id, id: liveId(0) },
    phase: 'http_request_firewall_managed',
  };
  const legacy = { legacyResources: [legacyResource('cloudflare_waf_rule.a', { zoneId: id })] };
  const inModule = {
    legacyResources: [legacyResource('module.m.cloudflare_waf_rule.a["x"]', { zoneId: id })],
  };
  const RULESET_BLOCK = `resource "cloudflare_ruleset" "a" {\n  zone_id = "${id}"\n}\n`;
  const folders: Readonly<Record<string, FolderFacts[]>> = {
    none: [],
    empty: folder({}),
    legacy: folder(legacy),
    declared: folder({ declared: [entryPoint] }),
    imported: folder({ declared: [entryPoint], rulesets: [entryPoint] }),
    upgraded: folder({
      ...{ declared: [entryPoint], installed: '5.22.0' },
      rulesets: [{ ...entryPoint, written: { schemaVersion: 1, hasObjects: false } }],
    }),
  };
  const start = { moved: () => false };
  const checkAll = Object.keys(folders).map(() => 'check');

  it.each([
    ['start', start, checkAll],
    ['start, Enterprise', { ...start, plan: () => 'enterprise' }, checkAll],
    ['start, blocked', { ...start, blocked: () => true }, checkAll],
    ['migrated', {}, ['generate', 'generate', 'plan', 'plan', undefined, 'plan']],
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

  const of = (majors: number[], installed: string): Partial<FolderFacts> => ({
    ...{ installed, rulesets: [entryPoint], declared: [{ ...entryPoint, majors }] },
  });
  const required = (version: string): string =>
    `terraform {\n  required_providers {\n    cloudflare = "${version}"\n  }\n}\n`;

  it.each([
    ['a provider that is not supported', [of([5], '6.0.0')], null, ''],
    ['a constraint of a later provider', [of([4, 5], '4.52.8')], 'cf-waf-migrate plan', '5'],
    ['a constraint of an earlier provider', [of([4], '5.22.0')], 'cf-waf-migrate plan', '4'],
    ['a constraint of the provider', [of([4], '4.52.8')], null, '4'],
    ['a ruleset for an earlier provider', [of([3], '4.52.8')], 'cf-waf-migrate plan', ''],
    ['a ruleset for a later provider', [of([5], '4.52.8')], 'cf-waf-migrate plan --to 5.22.0', ''],
  ])('in a folder with %s', async (_, held, next, version) => {
    const [client] = await clientOverEmulator({ scenario: fleetScenario({ count: 2 }) });
    const files = {
      'main.tf': `${RULESET_BLOCK}${version === '' ? '' : required(`~> ${version}.0`)}`,
    };
    const configured = await configuration(files);
    const facts = held.flatMap((changes, number) => {
      const zone = { zoneId: zoneId(number), id: liveId(number) };
      const { declared = [], rulesets = [] } = changes;
      return folder({
        ...{ ...changes, configuration: configured },
        declared: declared.map((one) => ({ ...one, ...zone })),
        rulesets: rulesets.map((one) => ({ ...one, ...zone })),
      });
    });
    const { zones } = await folderStatus(facts, [], client, '');
    expect(zones.map((zone) => zone.next)).toEqual(held.map(() => next));
  });

  describe('in a state with a zone that has not migrated', () => {
    const last = 2;
    const mixed = async (installed: string | undefined, selected: { id: string }[] = []) => {
      const scenario = fleetScenario({ count: 3, moved: (number) => number !== last });
      const [client] = await clientOverEmulator({ scenario });
      const legacyResources = [0, 1, last].map((number) =>
        legacyResource(`cloudflare_waf_rule.r${number}`, { zoneId: zoneId(number) }),
      );
      const { zones, findings } = await folderStatus(
        folder({ legacyResources, installed }),
        selected,
        client,
        '',
      );
      return { next: zones.map(({ next }) => next), findings };
    };
    const plan = `cf-waf-migrate plan --zone ${zoneName(0)} ${zoneName(1)}`;
    const check = `cf-waf-migrate check --zone ${zoneName(last)}`;

    it('is one plan for the others', async () => {
      expect(await mixed('3.35.0')).toEqual({ next: [plan, plan, check], findings: [] });
    });

    it('names a selected zone, because a plan of all zones would fail', async () => {
      const { next } = await mixed('3.35.0', [{ id: zoneId(1) }]);
      expect(next).toEqual([`cf-waf-migrate plan --zone ${zoneName(1)}`]);
    });

    it.each([
      ['4.52.8', /^finish their migration\. For a zone/],
      [undefined, /^finish their migration, or run `terraform init`, /],
    ])('is its check, if they leave the state together: provider %s', async (version, remedy) => {
      const { next, findings } = await mixed(version);
      expect(next).toEqual([check, check, check]);
      expect(findings).toEqual([
        {
          code: 'OTHER_ZONES',
          severity: 'decision',
          subject: '.',
          message: expect.stringMatching(/cannot be planned yet: zone-2\.example\.com$/),
          remedy: expect.stringMatching(remedy),
        },
      ]);
    });
  });

  it('names a zone that cannot be read among those that a plan waits for', async () => {
    const [client, emulator] = await clientOverEmulator({ scenario: fleetScenario({ count: 2 }) });
    const path = `/zones/${zoneId(1)}/*`;
    emulator.setFaults([{ kind: 'status', path, status: 403, code: 10000 }]);
    const legacyResources = [0, 1].map((number) =>
      legacyResource(`cloudflare_waf_rule.r${number}`, { zoneId: zoneId(number) }),
    );
    const facts = folder({ legacyResources, installed: '4.52.8' });
    const { findings } = await folderStatus(facts, [], client, '');
    expect(findings.filter(({ code }) => code === 'OTHER_ZONES')).toMatchObject([
      {
        message: expect.stringMatching(/these zones cannot be planned yet: zone-1\.example\.com$/),
        remedy:
          'finish their migration. For a zone that cannot be read or has no WAF, see its finding',
      },
    ]);
  });

  it.each([
    ['an empty state', {}],
    ['a state with other zones', legacy],
  ])('of a block whose zone is unknown is that of plan, with %s', async (_, held) => {
    const files = { 'main.tf': 'resource "cloudflare_waf_rule" "b" {\n  zone_id = var.z\n}\n' };
    const one = folder({ ...held, configuration: await configuration(files) });
    const { findings } = await folderStatus(one, [{ id }], undefined, '');
    expect(findings).toContainEqual(
      expect.objectContaining({
        code: 'LEGACY_BLOCKS_DECLARED',
        remedy: `${WITHOUT_RESOURCE}:\n${PLAN_ZONE}`,
      }),
    );
  });

  it('names a zone whose legacy resources are gone, and its blocks are not', async () => {
    const files = { 'main.tf': `resource "cloudflare_waf_rule" "b" {\n  zone_id = "${id}"\n}\n` };
    const left = { configuration: await configuration(files) };
    const nextWith = async (held: Partial<FolderFacts>) => {
      const { zones } = await folderStatus(folder({ ...left, ...held }), [], undefined, '');
      return zones[0]?.next;
    };
    expect(await nextWith({})).toBe(`cf-waf-migrate plan --zone ${id}`);
  });

  it.each([
    [`"${id}"`, `1 legacy block of zone ${id}, whose ruleset is imported`],
    ['data.cloudflare_zone.z.id', '1 legacy block, whose zone is an expression'],
  ])('names legacy blocks beside the stack of the ruleset: zone %s', async (zone, what) => {
    const block = `resource "cloudflare_waf_rule" "b" {\n  zone_id = ${zone}\n}\n`;
    const stacks = [
      ...folder({ configuration: await configuration({ 'main.tf': block }) }),
      ...folder({
        ...{ dir: 'waf', rulesets: [entryPoint] },
        configuration: await configuration({ 'waf/main.tf': RULESET_BLOCK }, 'waf'),
      }),
    ];
    const { zones, findings } = await folderStatus(stacks, [], undefined, '');
    expect(zones).toMatchObject([{ zone: id, work: 'done', next: null }]);
    const [left] = findings.filter(({ code }) => code === 'LEGACY_BLOCKS_DECLARED');
    expect(left?.message).toContain(what);
    expect(left?.remedy).toMatch(/ Otherwise delete them/);
  });

  it('names what the states have of zones that are not listed', async () => {
    const other = legacyResource('cloudflare_waf_rule.b', { zoneId: zoneId(1) });
    const facts = folder({ dir: 'waf', legacyResources: [...legacy.legacyResources, other] });
    const found = async (...listed: { id: string }[]) => {
      const list = { ids: new Set(listed.map((one) => one.id)), tell: () => undefined };
      const { findings } = await folderStatus(facts, listed, undefined, '', list);
      return findings.filter(({ code }) => code === 'OTHER_ZONES');
    };
    expect(await found({ id })).toMatchObject([
      {
        ...{ severity: 'info', subject: 'waf' },
        message: `the state has 1 legacy resource of zones that are not listed: ${zoneId(1)}`,
        remedy: expect.stringMatching(/\ncf-waf-migrate status --dir waf$/),
      },
    ]);
    expect(await found({ id }, { id: zoneId(1) })).toEqual([]);
    // a user who names a zone plans it alone, if the provider can
    const alone = async (installed: string) => {
      const [one] = facts;
      const { findings } = await folderStatus([{ ...one!, installed }], [{ id }], undefined, '');
      return findings.map(({ code }) => code).includes('OTHER_ZONES');
    };
    expect([await alone('3.35.0'), await alone('4.52.0')]).toEqual([false, true]);
  });

  it('plans a zone of a for_each whose resources the state has lost', async () => {
    const text = `resource "cloudflare_waf_rule" "a" {\n  for_each = { x = "${id}", y = "${zoneId(1)}" }\n  zone_id  = each.value\n}\n`;
    const read = await configuration({ 'main.tf': text });
    const held = [legacyResource('cloudflare_waf_rule.a["x"]', { zoneId: id })];
    const facts = folder({ legacyResources: held, configuration: read });
    const { zones } = await folderStatus(facts, [], undefined, '');
    expect(zones.map(({ next }) => next)).toEqual(
      zones.map(() => `cf-waf-migrate plan --zone ${id} ${zoneId(1)}`),
    );
    expect(zones).toHaveLength(2);
  });

  describe('of a merged pull request with import and removed blocks', () => {
    const importBlock = `import {\n  to = cloudflare_ruleset.a\n  id = "zone/${id}/${'a'.repeat(32)}"\n}\n`;
    const removed = (from: string) =>
      `removed {\n  from = ${from}\n  lifecycle {\n    destroy = false\n  }\n}\n`;
    const rule = removed('cloudflare_waf_rule.a');
    const other = legacyResource('cloudflare_waf_rule.c', { zoneId: zoneId(1) });
    const two = { legacyResources: [...legacy.legacyResources, other] };
    const legacyBlock = `resource "cloudflare_waf_rule" "b" {\n  zone_id = "${id}"\n}\n`;
    const apply = 'terraform -chdir=waf apply';
    const plan = 'cf-waf-migrate plan';

    it.each<[string, string, Partial<FolderFacts>, string | undefined]>([
      ['both blocks', importBlock + rule, legacy, apply],
      ['the module', importBlock + removed('module.m'), inModule, apply],
      ['an imported ruleset', rule, { ...legacy, rulesets: [entryPoint] }, apply],
      ['only the import', importBlock, {}, apply],
      ['no import block', rule, legacy, plan],
      ['no removed block', importBlock, legacy, plan],
      ['a legacy block', importBlock + rule + legacyBlock, legacy, plan],
      ['the import of what is not declared', importBlock.replace('.a', '.b') + rule, legacy, plan],
      ['nothing that an apply changes', importBlock + rule, { rulesets: [entryPoint] }, undefined],
    ])('is terraform apply, until it has run: %s', async (_, text, held, next) => {
      const declared = [entryPoint];
      const read = await configuration({ 'waf/main.tf': text + RULESET_BLOCK }, 'waf');
      const facts = { legacyResources: [], declared, ...held, dir: 'waf', configuration: read };
      const of = (...folders: FolderFacts[]) => folderStatus(folders, [{ id }], undefined, '');
      const { zones, findings } = await of(folderFacts(facts));
      expect(zones[0]?.next ?? undefined).toBe(next);
      const codes = findings.map(({ code }) => code);
      expect(codes.includes('BLOCKS_NOT_APPLIED')).toBe(next === apply);
      // another folder needs a plan
      const both = await of(folderFacts(facts), ...folder({ ...legacy, dir: 'b' }));
      expect(both.zones[0]?.next).toBe(plan);
    });

    it('is no terraform apply, while it would forget the resources of a zone and import no ruleset', async () => {
      const text = importBlock + rule + removed('cloudflare_waf_rule.c') + RULESET_BLOCK;
      const read = await configuration({ 'waf/main.tf': text }, 'waf');
      const facts = folderFacts({ ...two, declared: [entryPoint], configuration: read });
      const { zones } = await folderStatus([facts], [], undefined, '');
      expect(zones.map(({ next }) => next)).toEqual([plan, plan]);
    });

    it('is no terraform apply, while it would destroy a legacy resource of another zone', async () => {
      const read = await configuration(
        { 'waf/main.tf': importBlock + rule + RULESET_BLOCK },
        'waf',
      );
      const other = legacyResource('cloudflare_waf_rule.lost', { zoneId: 'b'.repeat(32) });
      const facts = folderFacts({
        ...{ ...legacy, declared: [entryPoint], dir: 'waf', configuration: read },
        legacyResources: [...legacy.legacyResources, other],
      });
      const { zones, findings } = await folderStatus([facts], [{ id }], undefined, '');
      expect(zones[0]?.next).not.toContain('terraform');
      const codes = findings.map(({ code }) => code);
      expect([codes.includes('BLOCK_ALREADY_GONE'), codes.includes('BLOCKS_NOT_APPLIED')]).toEqual([
        ...[true, false],
      ]);
    });
  });

  it.each<[string, string, Partial<FolderFacts>, boolean]>([
    ['applied', 'cf-waf-migrate.tf', { rulesets: [entryPoint] }, true],
    ['not imported', 'cf-waf-migrate.tf', {}, false],
    ['not removed', 'cf-waf-migrate.tf', { ...legacy, rulesets: [entryPoint] }, false],
    ['in a file of another name', 'main.tf', { rulesets: [entryPoint] }, false],
  ])('names the file of blocks that an apply has run: %s', async (_, name, held, isLeft) => {
    const importBlock = `import {\n  to = cloudflare_ruleset.a\n  id = "zone/${id}/x"\n}\n`;
    const read = await configuration({ [name]: importBlock, 'waf.tf': RULESET_BLOCK });
    const one = folder({ declared: [entryPoint], ...held, configuration: read });
    const { findings } = await folderStatus(one, [{ id }], undefined, '');
    const left = findings.filter(({ code }) => code === 'BLOCKS_LEFT');
    expect(left).toMatchObject(
      isLeft ? [{ severity: 'info', remedy: expect.stringContaining(`delete ${name} when`) }] : [],
    );
  });
});
