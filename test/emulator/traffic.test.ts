import { events, noOwasp, SCANNER, settings } from './support/events';
import { configOf, ID, migrate, oneZone } from './support/zone';
import { withEmulator } from './support/with-emulator';

const OLD_PHP = { query: 'f=php://input' };
const NEW_WORDPRESS = { path: '/wp-json/wp/v2/users' };

describe('sample traffic', () => {
  it('[S129] meets the old WAF alone before the migration, and the new one alone after it', async () => {
    await withEmulator({ scenario: oneZone(settings(noOwasp)) }, async (call, emulator) => {
      expect(events(emulator, SCANNER, OLD_PHP, NEW_WORDPRESS, {})).toEqual([
        'waf 100532 block',
        'waf PHP100006 block',
      ]);
      await migrate(call, 'pending', await configOf(call));
      expect(events(emulator, SCANNER, OLD_PHP, NEW_WORDPRESS, {})).toEqual([
        'firewallmanaged 0242110ae62e44028a13bf4834780914 block',
        'firewallmanaged bba3d37891a440fb8bc95b970cbd9abc block',
      ]);
    });
  });

  it('[S62, S83] meets the new WAF first in validation mode, and a rule that terminates hides the old one', async () => {
    const rules = { '100546': 'simulate' };
    await withEmulator(
      { scenario: oneZone(settings({ ...noOwasp, rules })) },
      async (call, emulator) => {
        await migrate(call, 'validation', await configOf(call));
        expect(events(emulator, SCANNER)).toEqual([
          'firewallmanaged 0242110ae62e44028a13bf4834780914 block',
        ]);
        expect(events(emulator, { query: 'q=&#x3c;' })).toEqual([
          'firewallmanaged 4c3415859ead4436976240d11d870399 log',
          'waf 100546 log',
        ]);
        expect(events(emulator, OLD_PHP)).toEqual(['waf PHP100006 block']);
      },
    );
  });

  it('[S82] reaches the old WAF in validation mode where the new rules only log', async () => {
    await withEmulator({ scenario: oneZone(settings(noOwasp)) }, async (call, emulator) => {
      const rules = [
        {
          action: 'execute',
          expression: 'true',
          action_parameters: {
            id: 'efb7b8c949ac4650a09736fc376e9aee',
            overrides: { action: 'log' },
          },
        },
      ];
      await migrate(call, 'validation', { rules });
      expect(events(emulator, SCANNER)).toEqual([
        'firewallmanaged 0242110ae62e44028a13bf4834780914 log',
        'waf 100532 block',
      ]);
    });
  });

  it('has the shape of the log export', async () => {
    await withEmulator(
      { scenario: oneZone(settings(noOwasp)), clock: () => new Date('2024-05-06T07:08:09Z') },
      (_call, { sendTraffic }) => {
        expect(sendTraffic({ zone: ID, requests: [SCANNER] })).toEqual([
          {
            Action: 'block',
            ClientASN: 64_496,
            ClientCountry: 'us',
            ClientIP: '198.51.100.7',
            ClientRequestHost: 'one.example.com',
            ClientRequestMethod: 'GET',
            ClientRequestPath: '/search',
            ClientRequestProtocol: 'HTTP/1.1',
            ClientRequestQuery: '?q=1',
            ClientRequestScheme: 'https',
            ClientRequestUserAgent: 'sqlmap/1.7',
            Datetime: '2024-05-06T07:08:09.000000Z',
            Description: 'Vulnerability scanner activity',
            EdgeColoCode: 'FRA',
            EdgeResponseStatus: 403,
            Kind: 'firewall',
            MatchIndex: 0,
            Metadata: {},
            OriginResponseStatus: 0,
            OriginatorRayID: '00',
            RayID: expect.stringMatching(/^[0-9a-f]{16}$/),
            Ref: '',
            RuleID: '100532',
            Source: 'waf',
          },
        ]);
        return Promise.resolve();
      },
    );
  });

  it('numbers the matches of one request from the last, under one Ray ID', async () => {
    await withEmulator({ scenario: oneZone(settings(noOwasp)) }, async (call, { sendTraffic }) => {
      const config = await configOf(call);
      await migrate(call, 'validation', {
        rules: config.rules.map((rule: any) => ({
          ...rule,
          action_parameters: { id: rule.action_parameters.id, overrides: { action: 'log' } },
        })),
      });
      const found = sendTraffic({ zone: ID, requests: [SCANNER, {}] });
      expect(found.map(({ MatchIndex }) => MatchIndex)).toEqual([1, 0]);
      expect(new Set(found.map(({ RayID }) => RayID)).size).toBe(1);
    });
  });
});

describe('traffic over the control path', () => {
  it('yields the same events, and refuses what is malformed', async () => {
    await withEmulator({ scenario: oneZone(), control: true }, async (_call, emulator) => {
      const { baseUrl, credentials, sendTraffic } = emulator;
      const send = async (body: unknown): Promise<{ status: number; body: any }> => {
        const answer = await fetch(`${new URL(baseUrl).origin}/_emulator/traffic`, {
          method: 'POST',
          headers: { authorization: `Bearer ${credentials.token}` },
          body: JSON.stringify(body),
        });
        return { status: answer.status, body: await answer.json() };
      };
      const { body } = await send({ zone: ID, requests: [SCANNER] });
      const [here] = sendTraffic({ zone: ID, requests: [SCANNER] });
      expect(body.result).toMatchObject([{ RuleID: here!.RuleID, Action: here!.Action }]);
      expect((await send({ zone: 'x', requests: [{}] })).status).toBe(400);
      expect((await send({ zone: ID, requests: [{ path: 'x' }] })).body.errors[0].source).toEqual({
        pointer: '/requests/0/path',
      });
      expect(() => sendTraffic({ zone: 'x', requests: [{}] })).toThrow('there is no zone x');
    });
  });
});
