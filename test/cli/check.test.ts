import {
  cliWithEmulator,
  ENTERPRISE,
  MIGRATED,
  NOT_ELIGIBLE,
  PRO,
} from './support/cli-with-emulator';

const cli = cliWithEmulator();

describe('check', () => {
  it.each([ENTERPRISE, PRO])('says that zone %s may migrate, with exit 0', async (zone) => {
    const { code, stdout, stderr } = await cli.run(['check', '--zone', zone]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`^Zone ${zone} may migrate \\(migration state: start\\)\n`));
  });

  it('says of a zone that has moved that it has', async () => {
    const { code, stdout } = await cli.run(['check', '--zone', MIGRATED]);
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      `Zone ${MIGRATED} has migrated (migration state: complete)`,
    ]);
  });

  it('says what blocks a zone and what to do, with exit 2', async () => {
    const { code, stdout, stderr } = await cli.run(['check', '--zone', NOT_ELIGIBLE]);
    expect([code, stderr]).toEqual([2, '']);
    expect(stdout).toContain(`Zone ${NOT_ELIGIBLE} may not migrate`);
    expect(stdout).toMatch(/^blocker: /m);
    expect(stdout).toMatch(/^ {4}→ /m);
  });

  it('as JSON is one document with the fields of the contract', async () => {
    const good = await cli.json(['check', '--zone', ENTERPRISE]);
    expect([good.code, good.stderr]).toEqual([0, '']);
    expect(good.document).toEqual({ compatible: true, migrationState: 'start', findings: [] });
    const bad = await cli.json(['check', '--zone', NOT_ELIGIBLE]);
    expect(bad.code).toBe(2);
    expect(bad.document.compatible).toBe(false);
    expect(bad.document.findings.length).toBeGreaterThan(0);
    for (const finding of bad.document.findings) {
      expect(Object.keys(finding)).toEqual(
        expect.arrayContaining(['code', 'severity', 'subject', 'message', 'remedy']),
      );
    }
  });

  it('names the state of a zone that has moved', async () => {
    const { document } = await cli.json(['check', '--zone', MIGRATED]);
    expect(document.migrationState).toBe('complete');
  });
});
