import { execFileSync } from 'node:child_process';
import { withoutMade } from '../../src/html/components';
import { pageRule, WAF_OFF } from '../emulator/support/with-emulator';
import { join } from 'node:path';
import { ZONE, statesFolder } from '../plan/support/plans';
import { fakeTerraform } from '../support/fake-terraform';
import { temporaryFolder } from '../support/temporary-folder';
import { CliLab, cliWithEmulator, errorOf, jsonOf } from '../support/cli-lab';
import { nextCommands } from '../support/next-commands';
import { closeAfterTest } from '../support/close-after-test';
import { ENTERPRISE, MIGRATED, oneZone } from '../support/zones';
import { OURS, fleetScenario, zoneId } from './support/fleet-scenario';
import { resourceOf, stateOf } from './support/states';

/** With a lost setting. */
const NEXT = 'Next, after you read each decision:';

describe('report', () => {
  const cli = cliWithEmulator();
  const oldWaf = join(statesFolder, 'old-waf-3.35.tfstate');
  const PACKAGE = 'c504870194831cd12c3fc0284f294abb';

  /** A state of the old OWASP package and one rule, for any zone. */
  function stateFor(zone_id: string, rule = 'r'): Buffer {
    const owasp = { package_id: PACKAGE, sensitivity: 'high', action_mode: 'block' };
    const state = stateOf(
      resourceOf('cloudflare_waf_package', 'owasp', { zone_id, ...owasp }),
      resourceOf('cloudflare_waf_rule', rule, { zone_id, rule_id: '100532', mode: 'disable' }),
    );
    return Buffer.from(JSON.stringify(state));
  }

  describe('report, of a state alone', () => {
    it('calls no API, and compares every zone of it with the translation', async () => {
      const ran = await cli.offline(`report --state ${oldWaf} --json`);
      expect([ran.code, ran.stderr]).toEqual([2, '']);
      const { zones } = JSON.parse(ran.stdout);
      expect(zones).toHaveLength(5);
      expect(zones[0].findings).toContainEqual(
        expect.objectContaining({
          code: 'SETTINGS_OF_STATE',
          remedy: expect.stringMatching(/\ncf-waf-migrate report --zone <id or name>$/),
        }),
      );
      const rows = zones.flatMap(({ settings }: { settings: object[] }) => settings);
      expect(rows).toHaveLength(32 + 4 * 7);
      expect(new Set(zones.map(({ against }: { against: string }) => against))).toEqual(
        new Set(['the ruleset translated from its legacy settings']),
      );
    });

    it('reads resources whose names begin with a digit, as Terraform 0.11 accepted them', async () => {
      const options = { stdin: stateFor(ENTERPRISE, '100532') };
      const ran = await cli.offline('report --state - --json', options);
      expect([ran.code, ran.stderr]).toEqual([0, '']);
      expect(JSON.parse(ran.stdout).settings).toContainEqual(
        expect.objectContaining({ from: 'cloudflare_waf_rule.100532', subject: '100532' }),
      );
      const args = ['--zone', ENTERPRISE, '--format', 'hcl', '--out', temporaryFolder()];
      const made = await cli.offline(
        ['generate', '--state', '-', '--source', 'state', ...args],
        options,
      );
      expect(made.stderr).not.toContain('STATE_INVALID');
    });

    it('of one zone is that zone itself, in every format', async () => {
      const args = ['report', '--state', oldWaf, '--zone', ZONE, '--against', 'ours'];
      const json = JSON.parse((await cli.offline([...args, '--json'])).stdout);
      expect(Object.keys(json).sort()).toEqual(
        ['against', 'findings', 'rules', 'settings', 'summary', 'zoneId'].sort(),
      );
      const document = await cli.offline([...args, '--format', 'json']);
      expect(JSON.parse(document.stdout)).toEqual(json);
      const text = await cli.offline(args);
      expect(text.stdout).toContain(`\n${NEXT}\n  cf-waf-migrate status --zone ${ZONE}\n`);
      expect(text.stdout).toContain('32 legacy settings: 25 lost, 1 changed, 2 kept, 4 no effect');
      const markdown = await cli.offline([...args, '--format', 'markdown']);
      expect(markdown.stdout).toContain('| 32 | 25 | 1 | 2 | 4 | 3 |');
      for (const { code, stderr } of [document, text, markdown])
        expect([code, stderr]).toEqual([2, '']);
    });

    it('reads the backends of folders, and one that has no state yet', async () => {
      const { path } = fakeTerraform(
        temporaryFolder(),
        `[ "$1 $2" = "state pull" ] && cat '${oldWaf}'`,
      );
      const args = ['report', '--terraform', path, '--json', '--dir'];
      const ran = await cli.offline([...args, '.']);
      expect(JSON.parse(ran.stdout).zones).toHaveLength(5);
      const none = fakeTerraform(temporaryFolder(), 'true');
      const empty = await cli.offline(['report', '--terraform', none.path, '--json', '--dir', '.']);
      expect([empty.code, errorOf(empty).code]).toEqual([1, 'OLD_SETTINGS_MISSING']);
      expect(errorOf(empty).hint).toMatch(/--backup .*old-waf-.*\ncf-waf-migrate status$/);
    });

    it.each([[[]], [['--format', 'text']]])(
      'is JSON in a file too, with --json %j',
      async (format) => {
        const args = ['report', '--state', oldWaf, ...format, '--json'];
        const { stdout } = await cli.offline(args);
        await cli.offline([...args, '--out', 'report.json']);
        expect(JSON.parse(cli.read('report.json'))).toEqual(JSON.parse(stdout));
      },
    );

    it('is written to a file, and does not overwrite another without --force', async () => {
      const args = ['report', '--state', oldWaf, '--format', 'markdown', '--out', 'report.md'];
      const ran = await cli.offline(args);
      expect([ran.code, ran.stderr]).toEqual([2, '']);
      const summary =
        '5 zones, 60 legacy settings: 37 lost, 9 changed, 2 kept, 12 no effect; 11 rules in the new ruleset';
      expect(ran.stdout.split('\n')).toEqual([
        ...['wrote report.md', summary, '', NEXT],
        expect.stringMatching(/^ {2}cf-waf-migrate status( --zone [0-9a-f]{32}){5}$/),
        '',
      ]);
      expect(cli.read('report.md')).toMatch(/^# What happens to/);
      cli.write({ 'report.md': 'mine' });
      expect((await cli.offline(args)).code).toBe(1);
      expect(cli.read('report.md')).toBe('mine');
      expect((await cli.offline([...args, '--force'])).code).toBe(2);
    });

    it('exits with 0 when nothing is lost and nothing is to be decided', async () => {
      const ran = await cli.offline('report --state - --json', {
        stdin: stateFor(ZONE),
      });
      const { summary } = JSON.parse(ran.stdout);
      expect([summary, ran.code]).toEqual([expect.objectContaining({ settings: 3, lost: 0 }), 0]);
    });
  });

  describe('report, against the service', () => {
    it('needs no access to the zone itself', async () => {
      const path = `/zones/${ENTERPRISE}`;
      cli.emulator().setFaults([{ kind: 'status', status: 403, code: 9109, path }]);
      const { code, stdout } = await cli.run(`report --zone ${ENTERPRISE}`);
      const title = `Zone ${ENTERPRISE}, compared with the migration configuration\n`;
      expect([code, stdout.startsWith(title)]).toEqual([2, true]);
    });

    it('compares the legacy API of a zone with its migration configuration', async () => {
      const ran = await cli.json(`report --zone ${ENTERPRISE}`);
      expect(ran.document).toMatchObject({
        zoneId: ENTERPRISE,
        name: 'shop.example.com',
        against: 'the migration configuration',
      });
      const { settings, rules, summary } = ran.document;
      expect(settings.map(({ attribute }: { attribute: string }) => attribute)).not.toContain(
        'waf',
      );
      expect(settings.length).toBe(summary.settings);
      expect(Number(summary.kept) + Number(summary.changed)).toBeGreaterThan(3);
      expect(rules.length).toBeGreaterThan(1);
      expect(ran.code).toBe(summary.lost > 0 ? 2 : 0);
      const { stdout } = await cli.run(`report --zone ${ENTERPRISE}`);
      expect(stdout).toContain(
        `\n${NEXT}\n  cf-waf-migrate start-validation --zone ${ENTERPRISE} --log-only\n`,
      );
    });

    it('holds a state against the live entry point of a zone that has moved', async () => {
      const args = ['report', '--zone', MIGRATED, '--state', '-'];
      const ran = await cli.json(args, { stdin: stateFor(MIGRATED) });
      expect(ran.document).toMatchObject({
        against: 'the live entry point',
        name: 'docs.example.com',
      });
      const ours = await cli.json([...args, '--against', 'ours'], { stdin: stateFor(MIGRATED) });
      expect(ours.document.against).toBe('the ruleset translated from its legacy settings');
    });

    it('compares a zone of files with its live ruleset if it has migrated, and names status as the next command', async () => {
      const of = (zone: string, ...flags: string[]) =>
        cli.run(['report', '--state', '-', ...flags], { stdin: stateFor(zone) });
      const migrated = await of(MIGRATED);
      expect(migrated.stdout).toContain('compared with the live entry point');
      expect(migrated.stdout).not.toContain('report --zone');
      expect(migrated.stdout).toContain(`\n  cf-waf-migrate status --zone ${MIGRATED}\n`);
      const open = await of(ENTERPRISE);
      expect(open.stdout).toContain(
        'compared with the ruleset translated from its legacy settings',
      );
      expect(open.stdout).toContain(`\nNext:\n  cf-waf-migrate report --zone ${ENTERPRISE}\n`);

      const path = `/zones/${MIGRATED}/*`;
      cli.emulator().setFaults([{ kind: 'status', path, status: 403, code: 10000 }]);
      const refused = await of(MIGRATED, '--json');
      const { against, findings } = jsonOf(refused);
      expect([refused.code, against]).toEqual([
        2,
        'the ruleset translated from its legacy settings',
      ]);
      expect(findings).toContainEqual(
        expect.objectContaining({
          code: 'NOT_CHECKED',
          remedy: expect.stringContaining('pass --against live'),
        }),
      );
    });

    it('finds that the live ruleset no longer does what the translation does', async () => {
      const path = `/zones/${MIGRATED}/rulesets/phases/http_request_firewall_managed/entrypoint`;
      const { baseUrl, credentials } = cli.emulator();
      const headers = { authorization: `Bearer ${credentials.token}` };
      const call = (method: string, body?: string) =>
        fetch(`${baseUrl}${path}`, { method, headers, ...(body && { body }) });
      const { result }: any = await (await call('GET')).json();
      const rules = result.rules.map((rule: object) => ({ ...rule, enabled: false }));
      expect((await call('PUT', JSON.stringify({ rules }))).status).toBe(200);
      const { document } = await cli.json('report --state -', { stdin: stateFor(MIGRATED) });
      expect(document.summary).toMatchObject({ settings: 3, lost: 3 });
    });

    it('names as the next command finish with the saved answer that it compared', async () => {
      await cli.run(`fetch-config --zone ${ENTERPRISE} --out edited.json`);
      const { stdout } = await cli.run(`report --zone ${ENTERPRISE} --config edited.json`);
      expect(nextCommands(stdout)).toEqual([
        `cf-waf-migrate finish --zone ${ENTERPRISE} --config edited.json`,
      ]);
    });

    it('holds it against a saved answer without asking', async () => {
      await cli.run(`fetch-config --zone ${ENTERPRISE} --out config.json`);
      const args = ['report', '--config', 'config.json', '--state', '-', '--json'];
      const ran = await cli.offline(args, { stdin: stateFor(ENTERPRISE) });
      // its exceptions come from settings that the state does not hold
      const { against, findings } = JSON.parse(ran.stdout);
      expect([ran.code, ran.stderr]).toEqual([2, '']);
      expect(findings.map(({ code }: { code: string }) => code)).toContain('SETTINGS_PARTIAL');
      expect(against).toBe('the saved answer config.json');
      const many = await cli.offline(`report --config config.json --state ${oldWaf} --json`);
      expect([many.code, errorOf(many).code]).toEqual([64, 'USAGE']);
    });

    it('says where to get old settings of a zone that has moved', async () => {
      const ran = await cli.run(`report --zone ${MIGRATED} --json`);
      expect(ran.code).toBe(1);
      expect(errorOf(ran)).toMatchObject({
        code: 'OLD_SETTINGS_MISSING',
        message: `zone ${MIGRATED} is migrated: the legacy API no longer has its settings`,
        hint: expect.stringContaining(
          `cf-waf-migrate report --backup cf-waf-migrate-backup/old-waf-${MIGRATED}.json`,
        ),
      });
      // its answer is not documented, so it does not count
      expect(cli.requests().join('\n')).not.toContain('/firewall/');
    });

    it('names those of several zones that have migrated, and keeps the shape of several', async () => {
      for (const flag of ['--json', '--format json']) {
        const ran = await cli.run(`report --zone ${MIGRATED} ${ENTERPRISE} ${flag}`);
        const { zones } = JSON.parse(ran.stdout);
        expect(zones).toMatchObject([{ zoneId: ENTERPRISE }]);
        expect(zones[0].findings).toContainEqual(
          expect.objectContaining({ code: 'ALREADY_MIGRATED', subject: MIGRATED }),
        );
      }
      const lab = await CliLab.of(fleetScenario({ count: 2 }));
      closeAfterTest(() => lab.emulator.stop());
      const none = await lab.cli(`report --zone ${zoneId(0)} ${zoneId(1)} --json`);
      expect([none.code, errorOf(none).code]).toEqual([1, 'OLD_SETTINGS_MISSING']);
    });

    it('of a zone that the credentials may not read names their permission, and no backup', async () => {
      const path = `/zones/${ENTERPRISE}/*`;
      cli.emulator().setFaults([{ kind: 'status', path, status: 403, code: 10000 }]);
      const { hint } = errorOf(await cli.run(`report --zone ${ENTERPRISE} --json`));
      expect(hint).toMatch(/^check the credentials, and their permission Zone WAF Read/);
      expect(hint).not.toContain('--backup');
    });

    it('makes a finding of what the credentials may not read, and goes on', async () => {
      const emulator = cli.emulator();
      emulator.setFaults([{ kind: 'status', path: '*/pagerules', status: 403, code: 10000 }]);
      const ran = await cli.json(`report --zone ${ENTERPRISE}`);
      expect(ran.code).toBe(2);
      expect(ran.document.findings).toContainEqual(
        expect.objectContaining({
          code: 'NOT_CHECKED',
          message: expect.stringContaining('page rules') as string,
        }),
      );
    });
  });

  describe('report refuses', () => {
    it.each([
      ['no zone and no state', []],
      ['--config with --against', ['--state', oldWaf, '--config', 'x.json', '--against', 'live']],
      ['--state with --dir', ['--state', oldWaf, '--dir', '.']],
      ['a zone that is none', ['--zone', 'shop']],
      ['a format that is none', ['--state', oldWaf, '--format', 'pdf']],
    ])('%s, as usage', async (_, args) => {
      const ran = await cli.offline(['report', ...args, '--json']);
      expect([ran.code, ran.stdout]).toEqual([64, '']);
      expect(cli.list()).toEqual([]);
    });

    it('a zone that the state does not hold', async () => {
      const args = ['report', '--state', oldWaf, '--zone', '9'.repeat(32), '--against', 'ours'];
      const ran = await cli.offline([...args, '--json']);
      expect([ran.code, errorOf(ran).code]).toEqual([1, 'OLD_SETTINGS_MISSING']);
    });
  });

  describe('report, of what `finish` saved', () => {
    const finished = async (): Promise<string> => {
      const args = ['finish', '--zone', ENTERPRISE, '--confirm', 'shop.example.com'];
      expect(await cli.run(args)).toMatchObject({ code: 0 });
      return join(cli.cwd(), `cf-waf-migrate-backup/old-waf-${ENTERPRISE}.json`);
    };

    it('lists the settings that the legacy API listed before', async () => {
      const before = await cli.json(`report --zone ${ENTERPRISE} --against ours`);
      const ran = await cli.offline(['report', '--backup', await finished(), '--json']);
      const { zoneId, settings, findings } = JSON.parse(ran.stdout);
      expect([ran.code, zoneId]).toEqual([2, ENTERPRISE]);
      expect(settings.map(({ kind }: any) => kind)).toContain('firewall-rule');
      expect(settings).toEqual(before.document.settings);
      expect(findings.map(({ code }: any) => code)).not.toContain('NOT_CHECKED');
    });

    it('keeps that the legacy WAF was off, and its page rules', async () => {
      const pageRules = [
        pageRule('*/x', { id: 'disable_security' }),
        pageRule('*/y', WAF_OFF, {}, 1),
      ];
      const lab = await CliLab.of(oneZone({ oldWaf: { enabled: false }, pageRules }));
      closeAfterTest(() => lab.emulator.stop());
      const before = jsonOf(await lab.cli(`report --zone ${ENTERPRISE} --against ours --json`));
      // it does not block the next command, which is `finish`
      expect(before.findings.map(({ severity }: any) => severity)).not.toContain('blocker');
      await lab.cli(`finish --zone ${ENTERPRISE} --confirm shop.example.com`);
      const backup = `cf-waf-migrate-backup/old-waf-${ENTERPRISE}.json`;
      const after = jsonOf(await lab.cli(`report --backup ${backup} --against ours --json`));
      expect(after.settings).toEqual(before.settings);
      const kinds = after.settings.map(({ kind }: any) => kind);
      expect(kinds.filter((kind: string) => kind === 'page-rule')).toHaveLength(2);
      const codesOf = ({ findings }: any) => findings.map(({ code }: any) => code);
      expect([codesOf(before), codesOf(after)]).toEqual([
        expect.arrayContaining(['WAF_SWITCHED_OFF']),
        expect.arrayContaining(['WAF_SWITCHED_OFF']),
      ]);
      const off = after.findings.find(({ code }: any) => code === 'WAF_SWITCHED_OFF');
      expect(off.subject).toBe(ENTERPRISE);
    });

    it('names the settings that could not be saved', async () => {
      const path = '*/pagerules';
      cli.emulator().setFaults([{ kind: 'status', status: 403, code: 10000, path }]);
      const ran = await cli.offline(['report', '--backup', await finished(), '--json']);
      const { findings } = JSON.parse(ran.stdout);
      expect(findings).toContainEqual(
        expect.objectContaining({
          code: 'NOT_CHECKED',
          message: 'the file has no page rules, which could not be read: the report omits them',
        }),
      );
    });

    it('refuses another file, and another source beside it', async () => {
      const other = await cli.offline(`report --backup ${oldWaf} --json`);
      expect([other.code, errorOf(other).code]).toEqual([1, 'FILE_UNREADABLE']);
      const both = await cli.offline(`report --backup x --state ${oldWaf} --json`);
      expect([both.code, errorOf(both).code]).toEqual([64, 'USAGE']);
    });
  });
});

describe('report fleet', () => {
  const COUNT = 6;
  const cli = cliWithEmulator(fleetScenario({ count: COUNT, moved: () => false }));
  const REPORT = ['report', '--account', OURS, '--format', 'html', '--out', 'reports'];

  it('report for many zones writes one each, as for that zone alone, and asks none for its name', async () => {
    cli
      .emulator()
      .setFaults([{ kind: 'status', status: 403, path: `/zones/${zoneId(4)}/*`, times: 40 }]);
    const first = await cli.json(REPORT);
    expect(first.document.summary).toMatchObject({ zones: COUNT, failed: 1 });
    expect(cli.read('reports/index.html')).toMatch(
      /<h2>1 zone without a report<\/h2>\n<ul><li>zone-4\.example\.com: /,
    );
    const asked = cli.paths();
    expect(asked.filter((path) => /^\/zones\/\w+$/.test(path))).toEqual([]);
    const files = cli.list('reports');
    expect([files.length, files.includes('index.html')]).toEqual([COUNT, true]);
    expect(first.document.zones[0].result).toMatchObject({
      files: [`reports/${zoneId(0)}.html`],
      against: 'the migration configuration',
      summary: { lost: expect.any(Number) },
      decisions: expect.any(Number),
    });

    cli.emulator().setFaults([]);
    const second = await cli.json(REPORT);
    expect(second.document.summary).toMatchObject({ failed: 0, earlier: 0 });
    await cli.run(`report --zone ${zoneId(2)} --format html --out alone.html`);
    expect(withoutMade(cli.read(`reports/${zoneId(2)}.html`))).toBe(
      withoutMade(cli.read('alone.html')),
    );
    const index = cli.read('reports/index.html');
    expect(index.match(/<a href="f\w+\.html">/g)).toHaveLength(COUNT);
    expect(index).toContain(`Legacy WAF settings of ${COUNT} zones`);
    expect(index).not.toContain('without a report');
  });

  it('counts what could not be read among the decisions, and links only to what the index has', async () => {
    const path = `/zones/${zoneId(1)}/pagerules`;
    cli.emulator().setFaults([{ kind: 'status', status: 403, code: 10000, path }]);
    const { document } = await cli.json(REPORT);
    const [checked, unchecked] = document.zones.map(({ result }: any) => result);
    expect(unchecked.decisions).toBe(Number(checked.decisions) + 1);
    const index = cli.read('reports/index.html');
    const row = new RegExp(`<a href="${zoneId(1)}\\.html">[^]*?</tr>`).exec(index)?.[0];
    const cells = row?.match(/(?<=<td[^>]*>)[\d,]+(?=<)/g) ?? [];
    const toDecide = Number(unchecked.summary.lost) + Number(unchecked.decisions);
    expect(Number(cells.at(-2))).toBe(toDecide);
    for (const [, id = ''] of index.matchAll(/href="#([^"]*)"/g)) {
      expect(index).toContain(`id="${id}"`);
    }
  });

  it('keeps the pages of zones that have migrated, and an index of another tool', async () => {
    cli.write({ 'reports/index.html': 'mine' });
    const kept = await cli.run([...REPORT, '--json']);
    expect([kept.code, errorOf(kept).code]).toEqual([1, 'FILE_EXISTS']);
    await cli.run([...REPORT, '--force']);
    const index = cli.read('reports/index.html');
    const finish = await cli.run(`finish --account ${OURS} --pause 0`);
    const [, confirm = ''] = /--confirm (\S+)/.exec(finish.stderr) ?? [];
    await cli.run(`finish --account ${OURS} --pause 0 --confirm ${confirm}`);
    // another folder has no settings that `finish` saved
    cli.write({ 'other/reports/index.html': index });
    const none = await cli.run(REPORT, { cwd: join(cli.cwd(), 'other') });
    expect([none.code, none.stdout]).toEqual([
      0,
      expect.stringMatching(
        /already migrated: `report --backup[^]*no index\.html[^]*\nNext:\n {2}cf-waf-migrate status --account \w+\n$/,
      ),
    ]);
    expect(cli.read('other/reports/index.html')).toBe(index);
  });

  it('reads the settings that `finish` saved of zones that have migrated', async () => {
    cli.write({ zones: `${zoneId(0)}\n${zoneId(1)}\n` });
    const finish = await cli.run('finish --zones zones --pause 0');
    const [, confirm = ''] = /--confirm (\S+)/.exec(finish.stderr) ?? [];
    await cli.run(`finish --zones zones --pause 0 --confirm ${confirm}`);
    const { code, stdout } = await cli.run(REPORT);
    expect(code).toBe(0);
    expect(nextCommands(stdout)).toEqual([expect.stringMatching(/ finish --account \w+$/)]);
    expect(stdout).toMatch(
      /^done +zone-0\.\S+ .* legacy settings: .*: wrote reports\/f\w+\.html$/m,
    );
    const saved = cli.list('cf-waf-migrate-backup').find((name) => name.includes(zoneId(0)));
    await cli.run(
      `report --backup cf-waf-migrate-backup/${saved} --zone ${zoneId(0)} --format html --out alone.html`,
    );
    expect(withoutMade(cli.read(`reports/${zoneId(0)}.html`))).toBe(
      withoutMade(cli.read('alone.html')),
    );
    const only = await cli.run('report --zones zones --out texts');
    expect([only.code, nextCommands(only.stdout)]).toEqual([
      0,
      [expect.stringMatching(/ status --zones zones$/)],
    ]);
  });

  it('reads the last settings that `finish` saved of a zone', async () => {
    cli.write({ zones: zoneId(0) });
    await cli.run(`finish --zone ${zoneId(0)} --confirm zone-0.example.com`);
    const first = `cf-waf-migrate-backup/old-waf-${zoneId(0)}.json`;
    const second = { ...JSON.parse(cli.read(first)), oldWafStatus: 'off' };
    cli.write({ [first.replace('.json', '-2.json')]: JSON.stringify(second) });
    await cli.run('report --zones zones --out reports --format json');
    expect(cli.read(`reports/${zoneId(0)}.json`)).toContain('WAF_SWITCHED_OFF');
    cli.write({ [first.replace('.json', '-3.json')]: cli.read(first) });
    await cli.run('report --zones zones --out again --format json');
    expect(cli.read(`again/${zoneId(0)}.json`)).not.toContain('WAF_SWITCHED_OFF');
  });

  it('refuses settings that git tracks, unless --backup names them', async () => {
    const saved = `cf-waf-migrate-backup/old-waf-${zoneId(0)}.json`;
    cli.write({ zones: zoneId(0), [saved]: '{}' });
    for (const args of [
      ['init', '-q'],
      ['add', '-f', saved],
    ])
      execFileSync('git', args, { cwd: cli.cwd() });
    const codeOf = async (line: string) => errorOf(await cli.run(`${line} --json`)).code;
    expect(await codeOf('report --zones zones --out reports')).toBe('BACKUP_FOLDER_UNSAFE');
    expect(await codeOf(`report --zone ${zoneId(0)}`)).toBe('BACKUP_FOLDER_UNSAFE');
    expect(await codeOf(`report --backup ${saved}`)).not.toBe('BACKUP_FOLDER_UNSAFE');
  });

  it.each([
    ['without a folder', ['--account', OURS], /--out <dir>/],
    ['with an answer of one zone', ['--account', OURS, '--out', 'x', '--config', 'c'], /--config/],
    ['with a state', ['--account', OURS, '--out', 'x', '--state', 's'], /^--state cannot be used/],
    [
      'with a zone too',
      ['--zones', 'z', '--zone', zoneId(0)],
      /'--zones <file>' cannot be used with option '--zone/,
    ],
  ])('report for many zones is a usage error %s', async (_, args, words) => {
    cli.write({ z: zoneId(1) });
    const ran = await cli.run(['report', ...args, '--json']);
    expect([ran.code, errorOf(ran).code]).toEqual([64, 'USAGE']);
    expect(errorOf(ran).message).toMatch(words);
  });
});
