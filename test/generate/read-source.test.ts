import { readSource } from '../../src/generate/read-source';
import { CliLab, errorOf, jsonOf } from '../support/cli-lab';
import { CREDENTIALS, ENTERPRISE, FINISH, deploy, entryPoint, oneZone } from '../support/zones';
import { clientUnderTest, told } from '../support/client-under-test';

let lab: CliLab;
afterEach(() => lab.emulator.stop());

test.each([
  ['an entry point without rules', [entryPoint()], 'RULESET_EMPTY'],
  ['no entry point', [], 'ENTRY_POINT_MISSING'],
])(
  'generate, of a zone that has moved to %s, says so and asks for no config',
  async (_, rulesets, code) => {
    lab = await CliLab.of(oneZone({ migration: { state: 'complete' }, rulesets }));
    const error = errorOf(await lab.cli(`generate --zone ${ENTERPRISE} --json`));
    expect(error.code).toBe(code);
    expect(error.hint).not.toContain('--source config');
    const paths = lab.emulator.requests().map(({ path }) => path);
    expect(paths.filter((path) => path.includes('/config'))).toEqual([]);
  },
);

describe('of a zone that Cloudflare is switching', () => {
  test('generate reads the entry point, which is final while both WAFs are on', async () => {
    lab = await CliLab.of({
      ...{ name: 'slow', include: ['enterprise'] },
      settings: { switchDelay: { statusReads: 100 } },
    });
    expect((await lab.cli(`${FINISH} --wait 0`)).code).toBe(2);
    const ran = await lab.cli(`generate --zone ${ENTERPRISE} --format hcl --import-block --json`);
    expect([ran.code, jsonOf(ran).source]).toEqual([0, 'live']);
  });

  test('generate without an entry point says to wait for the switch', async () => {
    lab = await CliLab.of(oneZone({ migration: { state: 'pending' } }));
    expect(errorOf(await lab.cli(`generate --zone ${ENTERPRISE} --json`))).toMatchObject({
      code: 'ENTRY_POINT_MISSING',
      hint: `wait for the switch:\ncf-waf-migrate finish --zone ${ENTERPRISE}`,
    });
  });
});

describe('of a zone whose status does not say which WAF is on', () => {
  test.each([
    ['at the start', 'start', 'config'],
    ['in validation mode', 'validation', 'config'],
    ['that has moved', 'complete', 'live'],
    ['in an unknown state', 'paused', 'live'],
  ])('%s the word says where its ruleset is', async (_, state, origin) => {
    // prepared with every rule off, as it may be before the migration
    lab = await CliLab.of(oneZone({ rulesets: [entryPoint(deploy(CREDENTIALS))] }));
    const { baseUrl, credentials } = lab.emulator;
    const { client } = clientUnderTest(baseUrl, { credentials });
    const silent = told(client, 'GET', '/status', () => ({ migration_state: state }));
    const source = await readSource(silent, ENTERPRISE, 'auto');
    await client.close();
    expect(source.origin).toBe(origin);
  });
});
