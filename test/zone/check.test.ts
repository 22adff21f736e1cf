import { type CheckResult } from '../../src/zone/check';
import { blockersOf, CliLab, jsonOf } from '../support/cli-lab';
import { ENTERPRISE, NOT_ELIGIBLE, idOf, oneZone } from '../support/zones';
import { seen } from '../support/over-emulator';

let lab: CliLab;
afterEach(() => lab.emulator.stop());

/** Checks the zone of a scenario. */
async function checkOf(scenario: string | object, zone = ENTERPRISE, flags = '') {
  lab = await CliLab.of(scenario);
  return checkAgain(`--zone ${zone}${flags}`);
}
async function checkAgain(line = `--zone ${ENTERPRISE}`) {
  const run = await lab.cli(`check ${line} --json`);
  const { findings, ...result } = jsonOf(run) as CheckResult;
  const named = findings.map(({ code, severity, subject }) => [code, severity, subject]);
  const codes = findings.map(({ code }) => code);
  return { exit: run.code, ...result, findings, named, codes, requests: seen(lab.emulator) };
}

const pageRule = (id: string, actions: object[], rest: object = {}) => ({
  id,
  targets: [{ target: 'url', constraint: { operator: 'matches', value: 'shop.example.com/*' } }],
  actions,
  status: 'active',
  ...rest,
});
/** A zone with a firewall rule for each expression. */
const zoneWith = (expressions: string[], rule: object = { action: 'block' }, more: object = {}) =>
  oneZone({
    filters: expressions.map((expression, at) => ({ id: idOf('f', at), expression })),
    firewallRules: expressions.map((_, at) => ({
      ...{ id: idOf('a', at), filter: idOf('f', at) },
      ...rule,
    })),
    ...more,
  });

test('a zone that nothing blocks may migrate', async () => {
  const { exit, compatible, migrationState, codes, requests } = await checkOf('enterprise');
  expect([exit, compatible, migrationState, codes]).toEqual([0, true, 'start', []]);
  expect(requests).toEqual([
    `GET /zones/${ENTERPRISE}/waf_migration/check?phase_two=1`,
    `GET /zones/${ENTERPRISE}/firewall/rules?per_page=100`,
    `GET /zones/${ENTERPRISE}/pagerules`,
  ]);
});

test('URI-based overrides are named one by one, with the commands that delete all', async () => {
  const { exit, compatible, named, findings } = await checkOf('not-eligible', NOT_ELIGIBLE);
  expect([exit, compatible]).toEqual([2, false]);
  expect(named).toEqual([
    ['URI_OVERRIDE', 'blocker', 'c0de0000000000000000000000000001'],
    ['URI_OVERRIDE', 'blocker', 'c0de0000000000000000000000000002'],
  ]);
  expect(findings[1]?.message).toContain('legacy.example.com/api/*, *.legacy.example.com/api/*');
  expect(findings[0]?.remedy.split('\n').slice(1)).toEqual([
    `cf-waf-migrate report --zone ${NOT_ELIGIBLE} --against ours`,
    'terraform state rm "$(terraform state list -id=c0de0000000000000000000000000001)"',
    'terraform state rm "$(terraform state list -id=c0de0000000000000000000000000002)"',
    `cf-waf-migrate firewall overrides delete --zone ${NOT_ELIGIBLE} --all`,
  ]);
  expect(findings[1]?.remedy).toBe(`see the commands for override ${findings[0]?.subject}`);
});

test.each([
  [200, 0, []],
  [201, 2, ['TOO_MANY_FIREWALL_RULES']],
])('with %i firewall rules', async (count, code, expected) => {
  const expressions = Array.from({ length: count }, (_, at) => `ip.src eq 10.0.0.${at}`);
  const { exit, codes, findings } = await checkOf(zoneWith(expressions));
  expect([exit, codes]).toEqual([code, expected]);
  for (const { message, remedy } of findings) {
    expect(message).toContain('of which 0 bypass the WAF; at most 200 are migrated');
    expect(remedy).toMatch(/^contact Cloudflare support.*--accept TOO_MANY_FIREWALL_RULES$/);
  }
});

test('a limit is not the reason for which the service refuses a zone', async () => {
  const override = { id: 'c'.repeat(32), urls: ['a.example/*'], rules: { '100001': 'block' } };
  const rules = Array.from({ length: 201 }, () => 'ssl');
  lab = await CliLab.of(zoneWith(rules, undefined, { oldWaf: { overrides: [override] } }));
  const path = `/zones/${ENTERPRISE}/firewall/waf/overrides`;
  lab.emulator.setFaults([{ kind: 'status', path, status: 403, code: 10000 }]);
  const { exit, codes } = await checkAgain();
  const blockers = ['ZONE_NOT_COMPATIBLE', 'TOO_MANY_FIREWALL_RULES'];
  expect([exit, codes]).toEqual([2, [...blockers, 'NOT_CHECKED']]);
  const accept = '--accept TOO_MANY_FIREWALL_RULES --confirm shop.example.com --json';
  const run = await lab.cli(`finish --zone ${ENTERPRISE} ${accept}`);
  expect([run.code, blockersOf(run)]).toEqual([1, blockers]);
});

test('each expression over 4 KB is named, in bytes', async () => {
  const long = (bytes: number): string => `http.host eq "${'a'.repeat(bytes - 15)}"`;
  // the last one has less than 4,096 letters, of two bytes each
  const expressions = [long(4096), long(4097), `http.host eq "${'é'.repeat(2050)}"`];
  const { exit, named, findings } = await checkOf(zoneWith(expressions));
  expect(exit).toBe(2);
  expect(named).toEqual([
    ['EXPRESSION_TOO_LONG', 'blocker', idOf('a', 1)],
    ['EXPRESSION_TOO_LONG', 'blocker', idOf('a', 2)],
  ]);
  expect(findings[0]?.message).toContain('4097 bytes');
  for (const { remedy } of findings) {
    expect(remedy).toMatch(/^split .* contact Cloudflare support.*--accept EXPRESSION_TOO_LONG$/);
  }
});

test('page rules that will no longer switch the WAF are named, the others are not', async () => {
  const online = { id: 'always_online', value: 'on' };
  const off = { id: 'waf', value: 'off' };
  const zone = oneZone({
    pageRules: [
      pageRule(idOf('1', 1), [{ id: 'disable_security' }]),
      pageRule(idOf('1', 2), [off]),
      pageRule(idOf('1', 3), [{ id: 'waf', value: 'on' }, online]),
      pageRule(idOf('1', 4), [online]),
      pageRule(idOf('1', 5), [off], { status: 'disabled' }),
    ],
  });
  const { exit, compatible, named, findings } = await checkOf(zone);
  expect([exit, compatible]).toEqual([0, true]);
  expect(named).toEqual(
    [1, 2, 3].map((at) => ['PAGE_RULE_WITHOUT_EFFECT', 'decision', idOf('1', at)]),
  );
  expect(findings[1]?.message).toContain('shop.example.com/* (waf off)');
});

describe('phase one', () => {
  const oldWaf = {
    settings: {
      packages: { c504870194831cd12c3fc0284f294abb: { sensitivity: 'off', action_mode: 'block' } },
    },
  };

  test('names each of its conditions that does not hold', async () => {
    const override = { id: idOf('0', 1), urls: ['shop.example.com/x'], rules: { '1': 'block' } };
    const blocked = zoneWith(
      ['ssl'],
      { action: 'bypass', products: ['waf'] },
      {
        pageRules: [pageRule(idOf('1', 1), [{ id: 'waf', value: 'off' }])],
        oldWaf: { overrides: [override] },
      },
    );
    const { exit, compatible, named } = await checkOf(blocked, ENTERPRISE, ' --phase 1');
    expect([exit, compatible]).toEqual([2, false]);
    expect(named).toEqual([
      ['URI_OVERRIDE', 'blocker', idOf('0', 1)],
      ['PHASE_ONE_CONDITION', 'blocker', 'c504870194831cd12c3fc0284f294abb'],
      ['PHASE_ONE_CONDITION', 'blocker', idOf('a', 0)],
      ['PHASE_ONE_CONDITION', 'blocker', idOf('1', 1)],
    ]);
  });

  test('takes a zone with the vendor ruleset alone', async () => {
    const result = await checkOf(oneZone({ oldWaf }), ENTERPRISE, ' --phase 1');
    expect([result.exit, result.codes]).toEqual([0, []]);
    expect(result.requests[0]).toBe(`GET /zones/${ENTERPRISE}/waf_migration/check`);
  });

  test('says so when the service gives no reason that can be found', async () => {
    const account = { id: 'ac'.repeat(16), name: 'A partner', partner: true };
    const { exit, codes } = await checkOf(oneZone({ account, oldWaf }), ENTERPRISE, ' --phase 1');
    expect([exit, codes]).toEqual([2, ['ZONE_NOT_COMPATIBLE']]);
  });
});

test('a migrated zone is done, whatever the service says of its eligibility', async () => {
  const account = { id: 'ac'.repeat(16), name: 'A partner', partner: true };
  const zone = oneZone({ account, migration: { state: 'complete' } });
  const { exit, compatible, codes } = await checkOf(zone, ENTERPRISE, ' --phase 1');
  expect([exit, compatible, codes]).toEqual([0, false, ['ALREADY_MIGRATED']]);
});

test('a zone whose last call has arrived is being migrated', async () => {
  const slow = { switchDelay: { statusReads: 9 } };
  const { codes } = await checkOf(oneZone({ migration: { state: 'pending' } }, slow));
  expect(codes).toEqual(['MIGRATION_UNDER_WAY']);
  const { stdout } = await lab.cli(`check --zone ${ENTERPRISE}`);
  expect(stdout).toContain('is being migrated (migration state: pending)');
});

test('what cannot be read is not passed over', async () => {
  lab = await CliLab.of('enterprise');
  const path = `/zones/${ENTERPRISE}/firewall/rules`;
  lab.emulator.setFaults([{ kind: 'status', path, status: 403, code: 10000 }]);
  const { exit, findings } = await checkAgain();
  expect([exit, findings]).toMatchObject([
    0,
    [
      {
        code: 'NOT_CHECKED',
        severity: 'decision',
        message: expect.stringContaining('firewall rules'),
      },
    ],
  ]);
});
