import { CliLab, blockersOf, errorOf, jsonOf } from '../support/cli-lab';
import {
  ENTERPRISE,
  FINISH,
  MANAGED,
  OWASP,
  deploy,
  entryPoint,
  idOf,
  oneZone,
} from '../support/zones';

let lab: CliLab;
afterEach(() => lab.emulator.stop());

const skipAll = deploy(MANAGED, {
  id: idOf('8', 2),
  ref: 'everybody',
  action: 'skip',
  enabled: true,
  action_parameters: { ruleset: 'current' },
  logging: { enabled: true },
});
const codesOf = (findings: any[]): string[][] =>
  findings.map(({ code, severity, subject }: any) => [severity, code, subject]);
const GENERATE = `generate --zone ${ENTERPRISE} --format hcl --out waf --force --json`;

describe('an exception from every managed ruleset, for every request', () => {
  test('is no WAF: neither finish nor start-validation sends it, and generate says it', async () => {
    const standing = entryPoint(skipAll, deploy(MANAGED, { enabled: true }));
    lab = await CliLab.of(oneZone({ rulesets: [standing] }));
    const lost = ['MANAGED_RULESET_OFF', 'MANAGED_RULESET_OFF', 'NOTHING_IS_ON'];
    const finish = await lab.cli(`${FINISH} --accept STANDING_EXCEPTION_WIDER`);
    expect([finish.code, blockersOf(finish)]).toEqual([1, lost]);
    const validation = await lab.cli(`start-validation --zone ${ENTERPRISE} --yes --json`);
    expect(blockersOf(validation)).toEqual(lost);
    expect(lab.puts()).toEqual([]);
    const generated = await lab.cli(GENERATE);
    expect(generated.code).toBe(2);
    for (const ruleset of [MANAGED, OWASP]) {
      expect(codesOf(jsonOf(generated).findings)).toContainEqual([
        'decision',
        'MANAGED_RULESET_OFF',
        ruleset,
      ]);
    }
    expect(errorOf(finish).code).toBe('MIGRATION_BLOCKED');
  });

  test('is told of a zone that has moved, by status and by generate', async () => {
    const standing = entryPoint(skipAll, deploy(MANAGED, { enabled: true }));
    lab = await CliLab.of(oneZone({ migration: { state: 'complete' }, rulesets: [standing] }));
    const { deployed, findings } = await lab.status();
    expect(deployed).toMatchObject([{ id: MANAGED, enabled: true, effect: 'off' }]);
    const told = ['decision', 'MANAGED_RULESET_OFF', MANAGED];
    expect(codesOf(findings)).toEqual([['decision', 'ZONE_UNPROTECTED', ENTERPRISE], told]);
    expect(findings[1].message).toContain('everybody');
    const generated = await lab.cli(`${GENERATE} --source live`);
    expect([generated.code, codesOf(jsonOf(generated).findings)]).toEqual([2, [told]]);
  });

  test('alone in the entry point is a blocker, because it would apply to what is new', async () => {
    lab = await CliLab.of(oneZone({ rulesets: [entryPoint(skipAll)] }));
    expect(blockersOf(await lab.cli(FINISH))).toContain('STANDING_EXCEPTION_WIDER');
    expect(lab.puts()).toEqual([]);
  });
});
