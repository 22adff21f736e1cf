import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliLab, errorOf, jsonOf } from '../support/cli-lab';
import { ENTERPRISE, MIGRATED, PRO, idOf, oneZone } from '../support/zones';
import { seen } from '../support/over-emulator';

const Z = `--zone ${ENTERPRISE} --yes`;
/** Without consent. */
const ASKING = `--zone ${ENTERPRISE}`;
const FILTER = idOf('f', 1);
const RULE = idOf('a', 1);
const TEXT = 'ip.src eq 192.0.2.1';

const shared = oneZone({
  filters: [
    { id: FILTER, expression: 'http.host eq "a.example"', description: 'shared' },
    { id: idOf('f', 2), expression: 'http.host eq "b.example"', inline: true },
    { id: idOf('f', 3), expression: 'http.host eq "c.example"' },
  ],
  firewallRules: [
    { id: RULE, filter: FILTER, action: 'block', priority: 7, description: 'one' },
    { id: idOf('a', 2), filter: FILTER, action: 'log' },
    { id: idOf('a', 3), filter: idOf('f', 2), action: 'block' },
    { id: idOf('a', 4), filter: idOf('f', 3), action: 'block' },
  ],
});

let lab: CliLab;
const start = async (scenario: string | object) => {
  lab = await CliLab.of(scenario);
};
afterEach(() => lab.emulator.stop());
const cli: CliLab['cli'] = (...args) => lab.cli(...args);
const rules = async () => jsonOf(await cli(`firewall rules list ${Z} --json`)).rules as any[];
const filters = async () => jsonOf(await cli(`firewall filters list ${Z} --json`)).filters as any[];
const words = (line: string, ...more: string[]): string[] => [...line.split(' '), ...more];
/** The flag that a hint names. */
const flagIn = (hint: string) => /--filter-id [0-9a-f]{32}/.exec(hint)?.[0];
const writes = () => seen(lab.emulator).filter((line) => !line.startsWith('GET'));

describe('creating a rule', () => {
  test('creates the filter, then the rule that refers to it', async () => {
    await start('enterprise');
    const line = `firewall rules create ${Z} --action block --priority 5 --json --expression`;
    const run = await cli(words(line, TEXT));
    expect(run.code).toBe(0);
    expect(jsonOf(run).rule).toMatchObject({
      action: 'block',
      priority: 5,
      filter: { expression: TEXT },
    });
    expect(seen(lab.emulator)).toEqual([
      `POST /zones/${ENTERPRISE}/filters`,
      `POST /zones/${ENTERPRISE}/firewall/rules`,
    ]);
    expect(lab.emulator.requests()[1]?.body).toMatchObject([
      { filter: { id: jsonOf(run).rule.filter.id } },
    ]);
  });

  test('uses an existing filter', async () => {
    await start(shared);
    const line = `firewall rules create ${Z} --filter-id ${FILTER} --action bypass --product waf bic`;
    expect((await cli(line)).code).toBe(0);
    expect(writes()).toEqual([`POST /zones/${ENTERPRISE}/firewall/rules`]);
    const using = (await rules()).filter((rule) => rule.filter.id === FILTER);
    expect(using).toHaveLength(3);
    expect(using[2]).toMatchObject({ action: 'bypass', products: ['waf', 'bic'] });
  });

  test.each([
    ['the quota', oneZone({}, { firewallRuleQuota: 0 }), 'block', ENTERPRISE, 'recommended'],
    ['the quota', oneZone({}, { firewallRuleQuota: 0 }), 'block', ENTERPRISE, 'simplified'],
    ['an action that the plan lacks', 'pro', 'log', PRO, 'recommended'],
  ])(
    '[S15] the error for %s names the filter that remains (%#)',
    async (_what, scenario, action, zone, sequence) => {
      await start(scenario);
      const line = `firewall rules create --zone ${zone} --action ${action} --sequence ${sequence} --yes --json`;
      const error = errorOf(await cli(words(line, '--expression', TEXT)));
      expect(error.code).toBe('FIREWALL_RULE_NOT_CREATED');
      const left = jsonOf(await cli(`firewall filters list --zone ${zone} --json`)).filters;
      expect(left).toHaveLength(1);
      expect(error.message).toContain(left[0].id);
      expect(flagIn(error.hint)).toBe(`--filter-id ${left[0].id}`);
    },
  );

  describe.each(['recommended', 'simplified'])('in the %s sequence', (sequence) => {
    const line = `firewall rules create ${Z} --action block --json`;
    const create = (expression: string) =>
      cli(words(`${line} --sequence ${sequence} --expression`, expression));

    test('names the filter that has the expression already', async () => {
      await start(shared);
      const error = errorOf(await create('http.host eq "a.example"'));
      expect(error.code).toBe('FIREWALL_RULE_NOT_CREATED');
      expect(flagIn(error.hint)).toBe(`--filter-id ${FILTER}`);
    });

    test('names the filter, and how to check, after a call without a response', async () => {
      await start('enterprise');
      const path = `/zones/${ENTERPRISE}/firewall/rules`;
      lab.emulator.setFaults([{ kind: 'drop', method: 'POST', path, when: 'after' }]);
      const error = errorOf(await create(TEXT));
      const { filter } = (await rules()).find((rule) => rule.filter.expression === TEXT);
      expect(error).toMatchObject({
        code: 'FIREWALL_RULE_NOT_CREATED',
        message: expect.stringContaining(`no response confirms the rule; filter ${filter.id}`),
        hint: expect.stringMatching(/^check `firewall rules list`; if it does not have the rule/),
      });
    });

    test('an invalid expression creates neither', async () => {
      await start('enterprise');
      const before = [await rules(), await filters()];
      expect(errorOf(await create('ip.src eq')).code).toBe('API_REFUSED');
      expect([await rules(), await filters()]).toEqual(before);
    });
  });
});

describe('the simplified sequence', () => {
  const line = words(`firewall rules create ${ASKING} --action block --sequence simplified`);
  const command = [...line, '--expression', TEXT];

  test('[S14] warns, asks, and sends one call', async () => {
    await start('enterprise');
    const run = await cli(command, { answers: ['y'] });
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('for emergencies');
    expect(seen(lab.emulator)).toEqual([`POST /zones/${ENTERPRISE}/firewall/rules`]);
    const { id } = (await filters()).find(({ expression }) => expression === TEXT);
    for (const change of [`update ${Z} --id ${id} --paused`, `delete ${Z} --id ${id}`]) {
      expect((await cli(`firewall filters ${change}`)).code).toBe(1);
    }
  });

  test('is declined without a terminal and without --yes', async () => {
    await start('enterprise');
    const run = await cli([...command, '--json']);
    expect(run.code).toBe(3);
    expect(errorOf(run).code).toBe('DECLINED');
    expect(seen(lab.emulator)).toEqual([]);
    expect((await cli([...command, '--yes'])).code).toBe(0);
  });
});

describe('update', () => {
  test('changes one field and keeps the others', async () => {
    await start(shared);
    const [before] = await rules();
    expect((await cli(`firewall rules update ${Z} --id ${RULE} --action log`)).code).toBe(0);
    expect((await rules())[0]).toEqual({ ...before, action: 'log' });
    expect((await cli(`firewall filters update ${Z} --id ${FILTER} --paused`)).code).toBe(0);
    expect((await filters())[0]).toMatchObject({ paused: true, description: 'shared' });
    expect((await cli(`firewall filters update ${Z} --id ${FILTER} --no-paused`)).code).toBe(0);
    expect((await filters())[0]).toMatchObject({ paused: false });
  });

  test('refuses products without bypass, bypass without products, and an expression', async () => {
    await start(shared);
    for (const flags of ['--action bypass', '--product waf', '--expression x']) {
      const run = await cli(`firewall rules update ${Z} --id ${idOf('a', 4)} ${flags} --json`);
      expect([run.code, errorOf(run).code]).toEqual([64, 'USAGE']);
    }
    expect(writes()).toEqual([]);
  });

  test('drops the products when the action is no longer bypass', async () => {
    await start(shared);
    const update = `firewall rules update ${Z} --id ${idOf('a', 4)} --json`;
    expect((await cli(`${update} --action bypass --product waf`)).code).toBe(0);
    expect((await cli(`${update} --priority 4`)).code).toBe(0);
    expect((await rules())[3]).toMatchObject({ action: 'bypass', products: ['waf'], priority: 4 });
    expect((await cli(`${update} --action block`)).code).toBe(0);
    expect((await rules())[3]).not.toHaveProperty('products');
  });

  test('explains why a filter that was created inline cannot be changed', async () => {
    await start(shared);
    const line = `firewall filters update ${Z} --id ${idOf('f', 2)} --paused --json`;
    expect(errorOf(await cli(line)).hint).toContain('created inline');
  });
});

describe('delete', () => {
  test('deletes the rule, then its filter', async () => {
    await start(shared);
    const run = await cli(`firewall rules delete ${Z} --id ${idOf('a', 4)} --json`);
    expect(run.code).toBe(0);
    expect(jsonOf(run).filter).toEqual({ id: idOf('f', 3), deleted: true });
    expect(writes()).toEqual([
      `DELETE /zones/${ENTERPRISE}/firewall/rules/${idOf('a', 4)}`,
      `DELETE /zones/${ENTERPRISE}/filters/${idOf('f', 3)}`,
    ]);
  });

  test('and update show the rule and its filter before they ask', async () => {
    await start(shared);
    const rule = `${RULE}  block at 7  where http.host eq "a.example" (${FILTER})  # one\n`;
    const update = await cli(`firewall rules update ${ASKING} --id ${RULE} --action log`);
    expect([update.code, update.stderr]).toEqual([
      3,
      expect.stringContaining(`Update firewall rule:\n  ${rule}  action: "log"\n`),
    ]);
    const run = await cli(`firewall rules delete ${ASKING} --id ${RULE}`);
    expect([run.code, run.stderr]).toEqual([
      3,
      expect.stringContaining(`Delete firewall rule:\n  ${rule}  its filter ${FILTER}, deleted`),
    ]);
    expect(writes()).toEqual([]);
  });

  test('saves the rule and its whole filter first, or deletes nothing', async () => {
    await start(shared);
    const flags = '--description why --paused --json --expression';
    const made = await cli(words(`firewall filters create ${Z} ${flags}`, TEXT));
    const { filter } = jsonOf(made);
    expect(filter).toMatchObject({ description: 'why', paused: true });
    const create = `firewall rules create ${Z} --filter-id ${filter.id} --action block --json`;
    const { id } = jsonOf(await cli(create)).rule;
    lab.emulator.clearRequests();
    const line = `firewall rules delete ${Z} --id ${id} --json`;
    writeFileSync(join(lab.cwd, 'cf-waf-migrate-backup'), '');
    expect(errorOf(await cli(line)).code).toBe('BACKUP_FOLDER_UNSAFE');
    expect(writes()).toEqual([]);
    rmSync(join(lab.cwd, 'cf-waf-migrate-backup'));
    const { file } = jsonOf(await cli(line));
    expect(file).toBe(join('cf-waf-migrate-backup', `firewall-rule-${id}.json`));
    expect(JSON.parse(lab.read(file))).toMatchObject({
      format: 'cf-waf-migrate/firewall-rule',
      zoneId: ENTERPRISE,
      rule: { id, action: 'block', filter },
    });
  });

  test('keeps a filter that another rule uses, and refuses to delete it', async () => {
    await start(shared);
    const filter = await cli(`firewall filters delete ${Z} --id ${FILTER} --json`);
    expect([filter.code, errorOf(filter).code]).toEqual([1, 'FILTER_IN_USE']);
    expect(errorOf(filter).message).toContain(idOf('a', 2));
    expect(writes()).toEqual([]);
    const rule = await cli(`firewall rules delete ${Z} --id ${RULE} --json`);
    expect([rule.code, jsonOf(rule).filter]).toEqual([0, { id: FILTER, deleted: false }]);
    expect((await filters()).map(({ id }) => id)).toContain(FILTER);
  });

  test('keeps the inline filter of a rule, and reports it', async () => {
    await start(shared);
    const run = await cli(`firewall rules delete ${Z} --id ${idOf('a', 3)} --json`);
    expect(run.code).toBe(2);
    expect(jsonOf(run).findings).toMatchObject([{ code: 'FILTER_STAYED', subject: idOf('f', 2) }]);
    expect((await rules()).map(({ id }) => id)).not.toContain(idOf('a', 3));
  });

  test('fails for an unknown rule, and deletes no filter', async () => {
    await start(shared);
    const run = await cli(`firewall rules delete ${Z} --id ${idOf('a', 9)} --json`);
    expect(errorOf(run).code).toBe('API_NOT_FOUND');
    expect(writes()).toEqual([]);
  });

  test('deletes an unused filter', async () => {
    await start('enterprise');
    const made = await cli(words(`firewall filters create ${Z} --json --expression`, TEXT));
    const { id } = jsonOf(made).filter;
    expect((await cli(`firewall filters delete ${Z} --id ${id}`)).code).toBe(0);
    expect((await filters()).map((one) => one.id)).not.toContain(id);
  });
});

test.each([
  ['firewall rules create --action block', 'no expression and no filter'],
  ['firewall rules create --expression x', 'no action'],
  ['firewall rules create --action explode --expression x', 'an unknown action'],
  ['firewall rules create --action block --expression x --priority high', 'a priority in words'],
  ['firewall rules create --action bypass --expression x', 'a bypass of nothing'],
  ['firewall rules create --action block --expression x --product waf', 'a product to block'],
  ['firewall rules create --action bypass --expression x --product cdn', 'an unknown product'],
  ['firewall rules create --action block --filter-id x --expression y', 'two filters'],
  ['firewall rules create --action block --expression x --sequence fast', 'an unknown sequence'],
  ['firewall rules update', 'no id'],
  [`firewall rules update --id ${RULE}`, 'no change'],
  [`firewall filters update --id ${FILTER}`, 'no change of a filter'],
  ['firewall filters create', 'no expression'],
  ['firewall filters delete', 'no id of a filter'],
  ['firewall rules explode', 'an unknown command'],
])('%s is a usage error (%s)', async (line) => {
  await start('enterprise');
  expect((await cli(`${line} ${Z}`)).code).toBe(64);
  expect(seen(lab.emulator)).toEqual([]);
});

test('in maintenance mode, lists work, and a write shows the message of the API', async () => {
  const message = 'firewallrules.api.maintenance_mode';
  const refused = { kind: 'status', method: 'POST', status: 403, code: 10020, message };
  await start({ name: 'm', include: ['enterprise'], faults: [refused] });
  expect((await cli(`firewall rules list ${Z}`)).code).toBe(0);
  const line = `firewall filters create ${Z} --json --expression`;
  const error = errorOf(await cli(words(line, TEXT)));
  expect(error.message).toContain(message);
});

test('lists the firewall rules of a migrated zone', async () => {
  await start('migrated');
  expect((await cli(`firewall rules list --zone ${MIGRATED}`)).code).toBe(0);
});

test('shows that the filter of a rule is paused', async () => {
  const filter = { id: FILTER, expression: 'ssl', paused: true };
  await start(
    oneZone({ filters: [filter], firewallRules: [{ id: RULE, filter: FILTER, action: 'block' }] }),
  );
  const update = `firewall rules update ${Z} --id ${RULE} --description now`;
  for (const line of [`firewall rules list ${Z}`, update]) {
    expect((await cli(line)).stdout).toContain(`where ssl (${FILTER}, paused)`);
  }
  expect(await rules()).toMatchObject([{ paused: false, filter }]);
});

test('escapes text of the API that could control the terminal', async () => {
  const expression = 'http.host eq "a\u202e\u200bexample"';
  await start(oneZone({ filters: [{ id: FILTER, expression, description: '\u001b[2J' }] }));
  const { stdout } = await cli(`firewall filters list ${Z}`);
  expect(stdout).toContain('\\u{202e}');
  for (const hostile of ['\u001b', '\u202e', '\u200b']) expect(stdout).not.toContain(hostile);
});

test('shows many spaces of the API as a cut, so that no text starts another row', async () => {
  const expression = `ssl${' \u3000'.repeat(60)}${RULE}  block`;
  await start(oneZone({ filters: [{ id: FILTER, expression }] }));
  const { stdout } = await cli(`firewall filters list ${Z}`);
  expect(stdout).toContain(`ssl … ${RULE}  block`);
});
