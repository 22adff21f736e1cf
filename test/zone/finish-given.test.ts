import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliLab, errorOf, jsonOf } from '../support/cli-lab';
import {
  CREDENTIALS,
  ENTERPRISE,
  FINISH,
  OWASP,
  deploy,
  entryPoint,
  managedOf,
  oneZone,
} from '../support/zones';

const switchingAfter = (statusReads: number) => ({
  name: 'slow',
  include: ['enterprise'],
  settings: { switchDelay: { statusReads } },
});
const codes = (document: any): string[] => document.findings.map(({ code }: any) => code);

let lab: CliLab;
afterEach(() => lab.emulator.stop());

/** Saves what the service proposes as `config.json`, and with other overrides as `other.json`. */
async function saveTwo(): Promise<void> {
  const config = await lab.config();
  managedOf(config.rules).action_parameters.overrides.rules.pop();
  lab.save('other.json', config);
}

async function generate(flags: string): Promise<string> {
  const line = `generate --zone ${ENTERPRISE} --format hcl --json ${flags}`;
  return jsonOf(await lab.cli(line)).files[0];
}

describe('a configuration that is given when the call has arrived', () => {
  test('is told where it is not what was sent, on the way and at the end', async () => {
    lab = await CliLab.of(switchingAfter(4));
    await saveTwo();
    expect((await lab.cli(`${FINISH} --config config.json --wait 0`)).code).toBe(2);

    const pending = await lab.cli(`${FINISH} --config other.json --wait 0`);
    expect(pending.code).toBe(2);
    expect(jsonOf(pending)).toMatchObject({
      migrationState: 'pending',
      findings: [{ code: 'ENTRY_POINT_DIFFERS', severity: 'decision' }],
    });

    const moved = await lab.cli(`${FINISH} --config other.json`);
    expect(moved.code).toBe(2);
    expect(jsonOf(moved)).toMatchObject({
      moved: true,
      findings: [
        {
          code: 'ENTRY_POINT_DIFFERS',
          message: expect.stringContaining('the one of --config, and nothing is sent again: rule'),
        },
      ],
    });
    expect(lab.puts()).toHaveLength(1);
  });

  test('is passed over in silence where it is what was sent', async () => {
    lab = await CliLab.of(switchingAfter(2));
    await saveTwo();
    expect((await lab.cli(`${FINISH} --config config.json --wait 0`)).code).toBe(2);
    for (const flags of ['', ' --config config.json']) {
      const again = await lab.cli(`${FINISH}${flags}`);
      expect([again.code, jsonOf(again).findings]).toEqual([0, []]);
    }
  });

  test('is held against what the last run sent, also where an earlier one tried the same', async () => {
    lab = await CliLab.of(switchingAfter(2));
    await saveTwo();
    const refused = { kind: 'status', method: 'PUT', path: '*/entrypoint', status: 400 } as const;
    const accepting = `${FINISH} --wait 0 --accept MIGRATION_CONFIG_CHANGED --config`;
    lab.emulator.setFaults([refused]);
    for (const file of ['config.json', 'other.json']) {
      expect((await lab.cli(`${accepting} ${file}`)).code).toBe(1);
    }
    lab.emulator.setFaults([]);
    expect((await lab.cli(`${accepting} config.json`)).code).toBe(2);
    const moved = await lab.cli(FINISH);
    expect([moved.code, jsonOf(moved).findings]).toEqual([0, []]);
  });

  test('is compared where the backup of the earlier run was changed by hand', async () => {
    lab = await CliLab.of('enterprise');
    await saveTwo();
    const { backup } = jsonOf(await lab.cli(`${FINISH} --config config.json`));
    lab.save(backup, { ...JSON.parse(lab.read(backup)), sends: null });
    expect((await lab.cli(`${FINISH} --config config.json`)).code).toBe(0);
    expect((await lab.cli(`${FINISH} --config other.json`)).code).toBe(2);
  });

  test('is compared without a backup of the earlier run too', async () => {
    lab = await CliLab.of('enterprise');
    await saveTwo();
    expect((await lab.cli(`${FINISH} --config config.json`)).code).toBe(0);
    const elsewhere = `${FINISH} --backup elsewhere --config`;
    expect((await lab.cli(`${elsewhere} config.json`)).code).toBe(0);
    expect((await lab.cli(`${elsewhere} other.json`)).code).toBe(2);
  });

  test('says which rules of the entry point it lacks, unless that is accepted, as before', async () => {
    const standing = entryPoint(deploy(CREDENTIALS));
    lab = await CliLab.of(oneZone({ rulesets: [standing] }));
    await lab.config();
    const line = `${FINISH} --config config.json`;
    const accepting = `${line} --accept STANDING_RULE_NOT_IN_FILE`;
    expect((await lab.cli(accepting)).code).toBe(0);
    const again = await lab.cli(line);
    expect([again.code, codes(jsonOf(again))]).toEqual([2, ['STANDING_RULE_NOT_IN_FILE']]);
    expect((await lab.cli(accepting)).code).toBe(0);
  });
});

describe('a stack that is given when the call has arrived', () => {
  test('is told where it does not declare what stands, unless only its form is another', async () => {
    lab = await CliLab.of('enterprise');
    await saveTwo();
    const mine = await generate('--config config.json --out mine');
    const other = await generate('--config other.json --out other');
    expect((await lab.cli(`${FINISH} --config config.json --stack ${mine}`)).code).toBe(0);

    expect((await lab.cli(`${FINISH} --stack ${mine}`)).code).toBe(0);
    const differs = await lab.cli(`${FINISH} --stack ${other}`);
    expect(differs.code).toBe(2);
    expect(jsonOf(differs).findings).toMatchObject([
      { code: 'STACK_DIFFERS', severity: 'decision' },
    ]);
    expect((await lab.cli(`${FINISH} --stack ${other} --accept STACK_DIFFERS`)).code).toBe(0);
  });

  test('may be made from what was proposed, or from what stands', async () => {
    lab = await CliLab.of('enterprise');
    const before = await generate('--out before');
    expect((await lab.cli(FINISH)).code).toBe(0);
    const after = await generate('--source live --out after');
    for (const backup of ['cf-waf-migrate-backup', 'elsewhere']) {
      for (const stack of [before, after]) {
        const run = await lab.cli(`${FINISH} --stack ${stack} --backup ${backup}`);
        expect([run.code, jsonOf(run).findings]).toEqual([0, []]);
      }
    }
  });

  test('that is none is told, and one that cannot be read is refused before the wait', async () => {
    lab = await CliLab.of(switchingAfter(2));
    expect((await lab.cli(`${FINISH} --wait 0`)).code).toBe(2);
    writeFileSync(join(lab.cwd, 'none.ts'), 'no stack at all');
    const none = await lab.cli(`${FINISH} --stack none.ts`);
    expect([none.code, codes(jsonOf(none))]).toEqual([2, ['STACK_DIFFERS']]);
    for (const flag of ['--stack', '--config']) {
      const missing = await lab.cli(`${FINISH} ${flag} missing`);
      expect([missing.code, errorOf(missing).code]).toEqual([1, 'FILE_UNREADABLE']);
    }
  });

  test('that lacks a ruleset differs from the entry point that deploys it', async () => {
    lab = await CliLab.of('enterprise');
    const stack = await generate('--out waf');
    expect((await lab.cli(FINISH)).code).toBe(0);
    const text = lab.read(stack).replace(OWASP, CREDENTIALS);
    writeFileSync(join(lab.cwd, stack), text);
    expect((await lab.cli(`${FINISH} --stack ${stack}`)).code).toBe(2);
  });
});
