import { idOf, ENTERPRISE, oneZone } from '../support/zones';
import { pathsOf, type TestClient, startService } from '../emulator/support/with-emulator';

const OLD_OWASP = 'c504870194831cd12c3fc0284f294abb';
const OWASP = '4814384a9e5d4991b9815dcfc25d2f1f';
const MANAGED = 'efb7b8c949ac4650a09736fc376e9aee';
const paths = pathsOf(ENTERPRISE);
const configOf = async (client: TestClient) => (await client.get(paths.config)).body.result;
const deployed = ({ rules }: any, ruleset: string) =>
  rules.find((rule: any) => rule.action_parameters.id === ruleset);
const owasp = (sensitivity: string, action_mode = 'block', more: object = {}) =>
  oneZone({
    oldWaf: { settings: { packages: { [OLD_OWASP]: { sensitivity, action_mode } }, ...more } },
  });
const pageRule = (action: object) => ({
  id: idOf('1', 1),
  targets: [{ target: 'url', constraint: { operator: 'matches', value: 'shop.example.com/x' } }],
  actions: [action],
  status: 'active',
});

test.each([
  ['[S48, S54]', 'high', 2, 40],
  ['[S49]', 'medium', 1, 25],
  ['[S50]', 'low', 1, 40],
  ['[S51]', 'default', 2, 40],
])(
  '%s OWASP sensitivity %s becomes paranoia level %i and threshold %i',
  async (_tag, sensitivity, level, threshold) => {
    const client = await startService(owasp(sensitivity));
    const { categories, rules } = deployed(await configOf(client), OWASP).action_parameters
      .overrides;
    const off = [1, 2, 3, 4].filter((one) => one > level);
    expect(categories).toEqual(
      off.map((one) => ({ category: `paranoia-level-${one}`, enabled: false })),
    );
    expect(rules).toMatchObject([{ score_threshold: threshold }]);
  },
);

test.each([
  ['simulate', 'log'],
  ['block', 'block'],
  ['challenge', 'managed_challenge'],
])('[S52] the legacy action %s becomes %s', async (action, expected) => {
  const client = await startService(owasp('high', action));
  const { rules } = deployed(await configOf(client), OWASP).action_parameters.overrides;
  expect(rules).toMatchObject([{ action: expected }]);
});

test('[S53, S55] overrides of OWASP groups and rules are lost', async () => {
  const more = {
    groups: { '07d700cf30fda7548be94ff01087d0c4': 'off' },
    rules: { '981231': 'off' },
  };
  const plain = await startService(owasp('high'));
  const client = await startService(owasp('high', 'block', more));
  expect(await configOf(client)).toEqual(await configOf(plain));
});

test('[S56] a rule that bypasses the managed rules becomes an exception', async () => {
  const filter = { id: idOf('f', 1), expression: 'ip.src eq 192.0.2.1' };
  const rule = { id: idOf('a', 1), filter: filter.id, action: 'bypass', products: ['waf'] };
  const client = await startService(oneZone({ filters: [filter], firewallRules: [rule] }));
  const { rules } = await configOf(client);
  expect(rules[0]).toMatchObject({
    action: 'skip',
    expression: 'ip.src eq 192.0.2.1',
    enabled: true,
  });
  expect(rules.slice(1).map(({ action }: any) => action)).not.toContain('skip');
});

test.each([
  ['[S57] that disables security', { id: 'disable_security' }, true, 'skip'],
  ['[S58] that switches the WAF off', { id: 'waf', value: 'off' }, true, 'skip'],
  ['[S58] that switches the WAF on', { id: 'waf', value: 'on' }, false, 'execute'],
])('a page rule %s gets an equivalent for its URLs', async (_what, action, enabled, expected) => {
  const zone = oneZone({ oldWaf: { enabled }, pageRules: [pageRule(action)] });
  const client = await startService(zone);
  const { rules } = await configOf(client);
  const [equivalent] = rules.filter((rule: any) => rule.expression !== 'true');
  expect(equivalent).toMatchObject({ action: expected, enabled: true });
  expect(equivalent.expression).toContain('shop.example.com');
});

test('[S96, S97, S98, S30, S31, S34, S35, S38, S39] the configuration is an entry point with one rule for each managed ruleset', async () => {
  const client = await startService(oneZone());
  const config = await configOf(client);
  expect(config.name).toEqual(expect.any(String));
  expect(config.rules.map((rule: any) => rule.action_parameters.id)).toEqual([MANAGED, OWASP]);
  for (const rule of config.rules) {
    expect(Object.keys(rule).sort()).toEqual([
      'action',
      'action_parameters',
      'description',
      'enabled',
      'expression',
      'id',
      'ref',
      'version',
    ]);
    expect(rule).toMatchObject({
      action: 'execute',
      expression: 'true',
      description: '',
      enabled: true,
    });
  }
});

test('[S36, S40, S42, S43, S44] legacy settings of rules become overrides by rule, which log or disable', async () => {
  const rules = { '100532': 'simulate', '100135D': 'disable' };
  const client = await startService(oneZone({ oldWaf: { settings: { rules } } }));
  const config = await configOf(client);
  const overrides = deployed(config, MANAGED).action_parameters.overrides.rules;
  expect(overrides).toEqual(
    expect.arrayContaining([
      { id: '0242110ae62e44028a13bf4834780914', action: 'log', enabled: true },
      expect.objectContaining({ id: 'a3bac0f1289243e9a4c00c50aa290ad9', enabled: false }),
    ]),
  );
  const saved = await client.write('PUT', paths.move('validation'), config);
  expect(saved.rules.map(({ description }: any) => description)).toEqual(['', '']);
  expect(deployed(saved, MANAGED).action_parameters.overrides.rules).toEqual(overrides);
  const { result } = (await client.get(`/zones/${ENTERPRISE}/rulesets/${MANAGED}`)).body;
  const inside = result.rules.map(({ id }: any) => id);
  for (const { id } of overrides) expect(inside).toContain(id);
});

test('[S93, S95, S47, S59, S105, S106, S107] check and status report the state of a zone', async () => {
  const client = await startService(oneZone());
  const check = await client.get(paths.check);
  expect(check.body.result).toEqual({ compatible: true, migration_state: 'start' });
  const status = (await client.get(paths.status)).body.result;
  expect(status).toMatchObject({
    migration_state: 'start',
    old_waf_status: 'enabled',
    new_waf_status: 'disabled',
  });
  expect((await client.get(`${paths.status}?phase_two=1&x=y`)).body.result).toEqual(status);
});

test('[S45] an unknown action is refused', async () => {
  const client = await startService(oneZone());
  const config = await configOf(client);
  const rules = config.rules.map((rule: any) => ({ ...rule, action: 'explode' }));
  await client.refused('PUT', paths.move('pending'), { ...config, rules });
});
