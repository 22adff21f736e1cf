import { cliWithEmulator } from '../support/cli-lab';
import { deploy, ENTERPRISE, entryPoint, idOf, MANAGED, oneZone } from '../support/zones';
import { resourceOf, stateOf } from './support/states';

/** The catalogue has only the last eight digits of the new rule of this legacy rule. */
const LEGACY = '100016';
const NEW = `${'1'.repeat(24)}0550c529`;

const managed = {
  ...{ ...entryPoint(), id: MANAGED, phase: 'http_request_firewall_custom' },
  rules: [{ ...deploy(MANAGED), id: NEW }],
};
const rule = { id: LEGACY, description: '', priority: '1', kind: 'deny' };
const cli = cliWithEmulator({
  ...oneZone({
    rulesets: [managed],
    oldWaf: { settings: { rules: { [LEGACY]: 'disable' } } },
  }),
  packages: [
    {
      ...{ id: '1e334934fd7ae32ad705667f8c1057aa', name: 'CloudFlare', description: '' },
      detection_mode: 'traditional',
      groups: [{ id: idOf('6', 1), name: 'Cloudflare Specials', description: '', rules: [rule] }],
    },
  ],
});

const stdin = Buffer.from(
  JSON.stringify(
    stateOf(
      resourceOf('cloudflare_waf_rule', 'git', {
        ...{ zone_id: ENTERPRISE, rule_id: LEGACY, mode: 'disable' },
      }),
    ),
  ),
);

const statusOf = ({ settings }: any) =>
  settings.flatMap(({ subject, status }: any) => (subject === LEGACY ? status : []));

describe('report, of a rule whose new rule only the managed ruleset of the zone identifies', () => {
  it.each([
    'report --state -',
    'report --state - --against ours',
    `report --state - --zone ${ENTERPRISE} --against ours`,
    `report --zone ${ENTERPRISE} --against ours`,
  ])('%s keeps it, as generate does', async (line) => {
    const { document } = await cli.json(line, { stdin });
    expect(statusOf(document)).toEqual(['kept']);
  });

  it('and says without credentials that it is lost, and why', async () => {
    const { stdout } = await cli.offline('report --state - --json', { stdin });
    const { settings } = JSON.parse(stdout);
    expect(statusOf({ settings })).toEqual(['lost']);
    expect(settings[0].remedy).toMatch(/^pass credentials/);
  });

  it('needs the API only as long as credentials are set', async () => {
    const environment = {
      CLOUDFLARE_API_TOKEN: 'a'.repeat(40),
      CLOUDFLARE_BASE_URL: 'http://127.0.0.1:9/client/v4',
    };
    const { code, stderr } = await cli.offline('report --state - --against ours', {
      stdin,
      environment,
    });
    expect([code, stderr]).toEqual([1, expect.stringContaining('remove the credentials')]);
  });

  it.each([`report --zone ${ENTERPRISE}`, 'report --state -'])(
    '%s --config keeps it, too',
    async (line) => {
      const overrides = { rules: [{ id: NEW, enabled: false }] };
      const action_parameters = { id: MANAGED, overrides };
      const edited = entryPoint(deploy(MANAGED, { enabled: true, action_parameters }));
      cli.write({ 'edited.json': JSON.stringify(edited) });
      const { document } = await cli.json(`${line} --config edited.json`, { stdin });
      expect(statusOf(document)).toEqual(['kept']);
    },
  );
});
