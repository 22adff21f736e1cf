import { type CheckResult } from '../../src/zone/check';
import { startEmulator } from '../../src/emulator/emulator';
import { CliLab, jsonOf } from '../support/cli-lab';
import { ENTERPRISE, MIGRATED, NOT_ELIGIBLE, idOf, oneZone } from '../support/zones';
import { seen } from '../support/over-emulator';

async function checkOf(scenario: string | object, line: string) {
  const emulator = await startEmulator({ scenario });
  try {
    const run = await new CliLab(emulator).cli(`check ${line} --json`);
    return { code: run.code, ...(jsonOf(run) as CheckResult), requests: seen(emulator) };
  } finally {
    await emulator.stop();
  }
}

const pageRule = (id: string, actions: object[], rest: object = {}) => ({
  id,
  targets: [{ target: 'url', constraint: { operator: 'matches', value: 'shop.example.com/*' } }],
  actions,
  status: 'active',
  ...rest,
});
const filters = (count: number, expression = (index: number) => `ip.src eq 10.0.0.${index}`) =>
  Array.from({ length: count }, (_, index) => ({
    id: idOf('f', index),
    expression: expression(index),
  }));
const rulesOf = (list: { id: string }[], rest: object = { action: 'block' }) =>
  list.map(({ id }) => ({ id: id.replace('f', 'a'), filter: id, ...rest }));

test('a zone that nothing blocks may migrate', async () => {
  const { code, requests, ...found } = await checkOf('enterprise', `--zone ${ENTERPRISE}`);
  expect(found).toEqual({ compatible: true, migrationState: 'start', findings: [] });
  expect(code).toBe(0);
  expect(requests).toEqual([
    `GET /zones/${ENTERPRISE}/waf_migration/check?phase_two=1`,
    `GET /zones/${ENTERPRISE}/firewall/rules?per_page=100`,
    `GET /zones/${ENTERPRISE}/pagerules`,
  ]);
});

test('URI-based overrides are named one by one, with the command that deletes each', async () => {
  const { code, compatible, findings } = await checkOf('not-eligible', `--zone ${NOT_ELIGIBLE}`);
  expect({ code, compatible }).toEqual({ code: 2, compatible: false });
  expect(findings.map(({ code: name, severity, subject }) => [name, severity, subject])).toEqual([
    ['URI_OVERRIDE', 'blocker', 'c0de0000000000000000000000000001'],
    ['URI_OVERRIDE', 'blocker', 'c0de0000000000000000000000000002'],
  ]);
  for (const finding of findings) {
    expect(Object.keys(finding).sort()).toEqual([
      ...['code', 'message', 'remedy', 'severity', 'subject'],
    ]);
  }
  expect(findings[1]?.message).toContain('legacy.example.com/api/*, *.legacy.example.com/api/*');
  const { remedy } = findings[0]!;
  expect(remedy.split('\n').slice(1)).toEqual([
    'terraform state list -id=c0de0000000000000000000000000001',
    `cf-waf-migrate firewall overrides delete --zone ${NOT_ELIGIBLE} --id c0de0000000000000000000000000001`,
  ]);
});

test.each([
  [200, 0, []],
  [201, 2, ['TOO_MANY_FIREWALL_RULES']],
])('with %i firewall rules', async (count, exit, codes) => {
  const list = filters(count);
  const zone = oneZone({ filters: list, firewallRules: rulesOf(list) });
  const { code, findings } = await checkOf(zone, `--zone ${ENTERPRISE}`);
  expect({ code, codes: findings.map((one) => one.code) }).toEqual({ code: exit, codes });
  for (const { message, remedy } of findings) {
    expect(message).toContain('of which 0 bypass the WAF; at most 200 are migrated');
    expect(remedy).toMatch(/^contact Cloudflare support.*--accept TOO_MANY_FIREWALL_RULES$/);
  }
});

test('each expression over 4 KB is named, in bytes', async () => {
  const long = (bytes: number, letter: string): string => {
    const [head, tail] = ['http.request.uri.path eq "/', '"'];
    const room = bytes - Buffer.byteLength(head + tail);
    return head + letter.repeat(room / Buffer.byteLength(letter)) + tail;
  };
  // 4096 bytes; 4097; and 4096 letters of two bytes, which are more than 4 KB
  const texts = [long(4096, 'a'), long(4097, 'a'), `http.host eq "${'é'.repeat(2050)}"`];
  const list = filters(3, (index) => texts[index] ?? '');
  const zone = oneZone({ filters: list, firewallRules: rulesOf(list) });
  const { code, findings } = await checkOf(zone, `--zone ${ENTERPRISE}`);
  expect(code).toBe(2);
  expect(findings.map(({ code: name, subject }) => [name, subject])).toEqual([
    ['EXPRESSION_TOO_LONG', idOf('a', 1)],
    ['EXPRESSION_TOO_LONG', idOf('a', 2)],
  ]);
  expect(findings[0]?.message).toContain('4097 bytes');
  for (const { remedy } of findings) {
    expect(remedy).toMatch(/^split .* contact Cloudflare support.*--accept EXPRESSION_TOO_LONG$/);
  }
});

test('page rules that will no longer switch the WAF are named, the others are not', async () => {
  const zone = oneZone({
    pageRules: [
      pageRule(idOf('1', 1), [{ id: 'disable_security' }]),
      pageRule(idOf('1', 2), [{ id: 'waf', value: 'off' }]),
      pageRule(idOf('1', 3), [
        { id: 'waf', value: 'on' },
        { id: 'always_online', value: 'on' },
      ]),
      pageRule(idOf('1', 4), [{ id: 'always_online', value: 'on' }]),
      pageRule(idOf('1', 5), [{ id: 'waf', value: 'off' }], { status: 'disabled' }),
    ],
  });
  const { code, compatible, findings } = await checkOf(zone, `--zone ${ENTERPRISE}`);
  expect({ code, compatible }).toEqual({ code: 0, compatible: true });
  expect(findings.map(({ code: name, subject }) => [name, subject])).toEqual([
    ['PAGE_RULE_WITHOUT_EFFECT', idOf('1', 1)],
    ['PAGE_RULE_WITHOUT_EFFECT', idOf('1', 2)],
    ['PAGE_RULE_WITHOUT_EFFECT', idOf('1', 3)],
  ]);
  expect(findings[1]?.message).toContain('shop.example.com/* (waf off)');
});

describe('phase one', () => {
  const bypass = { action: 'bypass', products: ['waf'] };
  const list = filters(1);
  const blocked = oneZone({
    filters: list,
    firewallRules: rulesOf(list, bypass),
    pageRules: [pageRule(idOf('1', 1), [{ id: 'waf', value: 'off' }])],
    oldWaf: {
      overrides: [{ id: idOf('0', 1), urls: ['shop.example.com/x'], rules: { '100001': 'block' } }],
    },
  });

  test('names each of its conditions that does not hold', async () => {
    const { code, compatible, findings } = await checkOf(blocked, `--zone ${ENTERPRISE} --phase 1`);
    expect({ code, compatible }).toEqual({ code: 2, compatible: false });
    expect(findings.map(({ code: name, severity, subject }) => [name, severity, subject])).toEqual([
      ['URI_OVERRIDE', 'blocker', idOf('0', 1)],
      ['PHASE_ONE_CONDITION', 'blocker', 'c504870194831cd12c3fc0284f294abb'],
      ['PHASE_ONE_CONDITION', 'blocker', idOf('a', 0)],
      ['PHASE_ONE_CONDITION', 'blocker', idOf('1', 1)],
    ]);
  });

  test('takes a zone with the vendor ruleset alone', async () => {
    const settings = {
      packages: { c504870194831cd12c3fc0284f294abb: { sensitivity: 'off', action_mode: 'block' } },
    };
    const zone = oneZone({ oldWaf: { settings } });
    const { code, findings, requests } = await checkOf(zone, `--zone ${ENTERPRISE} --phase 1`);
    expect({ code, findings }).toEqual({ code: 0, findings: [] });
    expect(requests[0]).toBe(`GET /zones/${ENTERPRISE}/waf_migration/check`);
  });

  test('says so when the service gives no reason that can be found', async () => {
    const settings = {
      packages: { c504870194831cd12c3fc0284f294abb: { sensitivity: 'off', action_mode: 'block' } },
    };
    const account = { id: 'ac'.repeat(16), name: 'A partner', partner: true };
    const zone = oneZone({ account, oldWaf: { settings } });
    const { code, findings } = await checkOf(zone, `--zone ${ENTERPRISE} --phase 1`);
    expect(code).toBe(2);
    expect(findings.map((one) => one.code)).toEqual(['ZONE_NOT_COMPATIBLE']);
  });
});

test('a zone that has moved has nothing that could block it', async () => {
  const { code, findings, requests } = await checkOf('migrated', `--zone ${MIGRATED}`);
  expect(code).toBe(0);
  expect(findings.map((one) => one.code)).toEqual(['ALREADY_MIGRATED']);
  expect(requests).toHaveLength(1);
});

test('a zone whose last call has arrived is being migrated', async () => {
  const emulator = await startEmulator({
    scenario: oneZone({ migration: { state: 'pending' } }, { switchDelay: { statusReads: 9 } }),
  });
  try {
    const run = await new CliLab(emulator).cli(`check --zone ${ENTERPRISE}`);
    expect(run.stdout).toContain('is being migrated (migration state: pending)');
    expect(run.stdout).toContain('MIGRATION_UNDER_WAY');
  } finally {
    await emulator.stop();
  }
});

test('what cannot be read is not passed over', async () => {
  const emulator = await startEmulator({ scenario: 'enterprise' });
  const path = `/zones/${ENTERPRISE}/firewall/rules`;
  emulator.setFaults([{ kind: 'status', path, status: 403, code: 10000 }]);
  const run = await new CliLab(emulator).cli(`check --zone ${ENTERPRISE} --json`);
  await emulator.stop();
  expect(run.code).toBe(0);
  expect(jsonOf(run).findings).toMatchObject([
    {
      code: 'NOT_CHECKED',
      severity: 'decision',
      message: expect.stringContaining('firewall rules'),
    },
  ]);
});
