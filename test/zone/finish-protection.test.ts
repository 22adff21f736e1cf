import { CliLab, blockersOf, errorOf, jsonOf } from '../support/cli-lab';
import {
  ENTERPRISE,
  FINISH,
  MANAGED,
  NAME,
  OWASP,
  deploy,
  entryPoint,
  idOf,
  oneZone,
} from '../support/zones';

const PLAIN = `finish --zone ${ENTERPRISE} --confirm ${NAME}`;

let lab: CliLab;
afterEach(() => lab.emulator.stop());

const codesOf = (findings: any[]): string[][] =>
  findings.map(({ code, severity }: any) => [severity, code]);
const allOff = (ruleset: string, number: number) =>
  deploy(ruleset, {
    id: idOf('8', number),
    ref: `r${number}`,
    enabled: true,
    action_parameters: { id: ruleset, overrides: { enabled: false } },
  });

describe('rules that only log, as start-validation --log-only leaves them,', () => {
  beforeEach(async () => {
    lab = await CliLab.of('enterprise');
    await lab.cli(`start-validation --zone ${ENTERPRISE} --yes --log-only`);
  });

  test('do not take the place of an old WAF that blocks', async () => {
    const run = await lab.cli(`${FINISH} --source live`);
    expect([run.code, blockersOf(run)]).toEqual([1, ['NEW_RULES_LOG']]);
    // the old OWASP package of this zone only simulates: that one loses nothing
    expect(errorOf(run).findings).toContainEqual(
      expect.objectContaining({ code: 'NEW_RULES_LOG', subject: MANAGED }),
    );
    expect((await lab.status()).migrationState).toBe('validation');
  });

  test('are told where a stack takes them over as they stand', async () => {
    const generate = `generate --zone ${ENTERPRISE} --format hcl --force --json --source`;
    const live = await lab.cli(`${generate} live`);
    expect(live.code).toBe(2);
    expect(codesOf(jsonOf(live).findings)).toEqual([['decision', 'NEW_RULES_LOG']]);
    const proposed = await lab.cli(`${generate} config`);
    expect(codesOf(jsonOf(proposed).findings)).not.toContainEqual(['decision', 'NEW_RULES_LOG']);
  });

  test('are not offered as if they were like the others', async () => {
    const { findings } = errorOf(await lab.cli(FINISH));
    const remedies = findings
      .filter(({ code }: any) => code === 'STANDING_RULE_DIFFERS')
      .map(({ remedy }: any) => remedy);
    // OWASP logs as the config has it: the old package only simulates
    expect(remedies).toEqual([expect.stringContaining('--log-only')]);
  });

  test('are sent when that is accepted by name, and status says what they do', async () => {
    const run = await lab.cli(`${FINISH} --source live --accept NEW_RULES_LOG`);
    expect(run.code).toBe(0);
    expect(codesOf((await lab.status()).findings)).toEqual([['decision', 'NEW_RULES_LOG']]);
    expect((await lab.cli(`status --zone ${ENTERPRISE}`)).stdout).toContain('  log Cloudflare');
  });

  test('are adjusted in validation mode without being asked', async () => {
    const run = await lab.cli(`start-validation --zone ${ENTERPRISE} --yes --source live --json`);
    expect(run.code).toBe(0);
  });
});

test('managed rulesets whose every rule is off by override are no WAF', async () => {
  const standing = entryPoint(allOff(MANAGED, 1), allOff(OWASP, 2));
  lab = await CliLab.of(oneZone({ migration: { state: 'validation' }, rulesets: [standing] }));
  const run = await lab.cli(`${FINISH} --source live`);
  expect(run.code).toBe(1);
  expect(blockersOf(run)).toEqual(['MANAGED_RULESET_OFF', 'MANAGED_RULESET_OFF', 'NOTHING_IS_ON']);
  expect(lab.puts()).toEqual([]);
});

test.each([
  ['scoring rule', { rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', enabled: false }] }],
  ['first paranoia level', { categories: [{ category: 'paranoia-level-1', enabled: false }] }],
])('OWASP without its %s does not take the place of one that acts', async (_, overrides) => {
  const owasp = deploy(OWASP, { enabled: true, action_parameters: { id: OWASP, overrides } });
  const managed = deploy(MANAGED, { id: idOf('8', 2), ref: 'managed', enabled: true });
  const rulesets = [entryPoint(managed, owasp)];
  lab = await CliLab.of(oneZone({ migration: { state: 'validation' }, rulesets }));
  const run = await lab.cli(`${FINISH} --source live`);
  expect([run.code, blockersOf(run)]).toEqual([1, ['MANAGED_RULESET_OFF']]);
  expect(errorOf(run).findings).toContainEqual(
    expect.objectContaining({ code: 'MANAGED_RULESET_OFF', subject: OWASP }),
  );
});

describe('a zone that has moved and has no WAF', () => {
  test.each([
    ['no rules', []],
    ['every rule off by override', [allOff(MANAGED, 1)]],
  ])('with %s: it is said, and asks for a decision', async (_, rules) => {
    lab = await CliLab.of(
      oneZone({ migration: { state: 'complete' }, rulesets: [entryPoint(...rules)] }),
    );
    const run = await lab.cli(FINISH);
    expect(run.code).toBe(2);
    expect(codesOf(jsonOf(run).findings)).toEqual([['decision', 'ZONE_UNPROTECTED']]);
    const text = await lab.cli(PLAIN);
    expect([text.code, text.stdout]).toEqual([2, expect.stringContaining('neither WAF is on')]);
    expect(codesOf((await lab.status()).findings)).toEqual([['decision', 'ZONE_UNPROTECTED']]);
  });
});

describe('a zone whose old WAF is off', () => {
  beforeEach(async () => {
    lab = await CliLab.of(oneZone({ oldWaf: { enabled: false } }));
  });

  test('loses none, and moves', async () => {
    const run = await lab.cli(FINISH);
    expect(run.code).toBe(0);
    expect(codesOf(jsonOf(run).findings)).toEqual([
      ['decision', 'NOTHING_IS_ON'],
      ['info', 'ZONE_UNPROTECTED'],
    ]);
    expect(jsonOf(run).findings[0].message).toContain('protection does not change');
    expect((await lab.cli(FINISH)).code).toBe(0);
  });
});

test('a zone whose every rule is off is waited for, and keeps its legacy WAF', async () => {
  const standing = entryPoint(deploy(MANAGED));
  lab = await CliLab.of(oneZone({ migration: { state: 'pending' }, rulesets: [standing] }));
  const run = await lab.cli(`${FINISH} --wait 0`);
  expect([run.code, jsonOf(run)]).toMatchObject([2, { moved: false, oldWaf: 'on' }]);
  const [finding] = (await lab.status()).findings;
  expect(finding.code).toBe('MIGRATION_UNDER_WAY');
  expect(finding.message).toContain('while no rule of its entry point is on');
});
