import {
  bypass,
  configOf,
  ID,
  migrate,
  oneZone,
  pageRule,
  statusOf,
  WAF_OFF,
} from './support/zone';
import { entryPoint, withEmulator } from './support/with-emulator';

const OLD_OWASP = 'c504870194831cd12c3fc0284f294abb';
const compatible = (scenario: object, phase: 1 | 2): Promise<boolean> =>
  new Promise((resolve, reject) => {
    withEmulator({ scenario }, async (call) => {
      const query = phase === 2 ? '?phase_two=1' : '';
      const { body } = await call('GET', `/zones/${ID}/waf_migration/check${query}`);
      resolve(body.result.compatible);
    }).catch(reject);
  });

const simple = {
  oldWaf: { settings: { packages: { [OLD_OWASP]: { sensitivity: 'off', action_mode: 'block' } } } },
};
const one = bypass(1, 'ip.src eq 192.0.2.1');

describe('eligibility', () => {
  it.each<[string, object, boolean, boolean]>([
    ['OWASP is off', simple, true, true],
    ['OWASP is on', {}, false, true],
    ['the whole WAF is off', { oldWaf: { enabled: false } }, true, true],
    [
      'a firewall rule bypasses the WAF',
      { ...simple, filters: [one.filter], firewallRules: [one.rule] },
      false,
      true,
    ],
    [
      'a page rule switches the WAF',
      { ...simple, pageRules: [{ id: ID, ...pageRule('*/', [WAF_OFF]) }] },
      false,
      true,
    ],
    [
      'a page rule that does is disabled',
      { ...simple, pageRules: [{ id: ID, ...pageRule('*/', [WAF_OFF], { status: 'disabled' }) }] },
      true,
      true,
    ],
    [
      'the account is a partner’s',
      { ...simple, account: { id: ID, name: 'P', partner: true } },
      false,
      true,
    ],
    [
      'there is a URI-based override',
      { oldWaf: { ...simple.oldWaf, overrides: [{ id: ID, urls: ['x'] }] } },
      false,
      false,
    ],
  ])('where %s: phase one %j, phase two %j', async (_what, fields, first, second) => {
    expect(await compatible(oneZone(fields), 1)).toBe(first);
    expect(await compatible(oneZone(fields), 2)).toBe(second);
  });

  it('phase one has its own way to the end', async () => {
    await withEmulator({ scenario: oneZone({ ...simple, plan: 'pro' }) }, async (call) => {
      const { body } = await call('GET', `/zones/${ID}/waf_migration/config`);
      await call('PUT', `${entryPoint(ID)}?waf_migration=pending`, body.result);
      expect((await statusOf(call)).migration_state).toBe('complete');
    });
  });
});

describe('limits', () => {
  const zoneOf = (count: number, expression: (index: number) => string) => {
    const all = Array.from({ length: count }, (_, index) => bypass(index, expression(index)));
    return oneZone({
      filters: all.map(({ filter }) => filter),
      firewallRules: all.map(({ rule }) => rule),
    });
  };
  const short = (index: number) => `tcp.dstport eq ${index}`;
  const bytes = (length: number) => () => `http.host eq "${'x'.repeat(length - 15)}"`;
  const wide = (length: number) => () => `http.host eq "${'é'.repeat((length - 15) / 2)}"`;

  it.each<[string, object, boolean]>([
    ['200 rules', zoneOf(200, short), true],
    ['201 rules', zoneOf(201, short), false],
    ['an expression of 4096 bytes', zoneOf(1, bytes(4096)), true],
    ['an expression of 4097 bytes', zoneOf(1, bytes(4097)), false],
    ['an expression of 4097 bytes in fewer characters', zoneOf(1, wide(4097)), false],
  ])('%s', async (_what, scenario, allowed) => {
    await withEmulator({ scenario }, async (call) => {
      const before = await statusOf(call);
      const config = await call('GET', `/zones/${ID}/waf_migration/config?phase_two=1`);
      expect(config.status).toBe(allowed ? 200 : 400);
      const rules = [
        {
          action: 'execute',
          expression: 'true',
          action_parameters: { id: '4814384a9e5d4991b9815dcfc25d2f1f' },
        },
      ];
      const put = await migrate(call, 'pending', { name: 'x', rules });
      expect(put.status).toBe(allowed ? 200 : 400);
      if (allowed) return;
      expect(put.body.errors[0].message).toContain('contact support');
      expect(await statusOf(call)).toEqual(before);
      expect((await call('GET', entryPoint(ID))).status).toBe(404);
    });
  });
});

describe('the switch', () => {
  it('can take so many reads of the status, with both WAFs on meanwhile', async () => {
    const scenario = oneZone({}, { switchDelay: { statusReads: 2 } });
    await withEmulator({ scenario }, async (call) => {
      await migrate(call, 'pending', await configOf(call));
      const seen = [await statusOf(call), await statusOf(call), await statusOf(call)];
      expect(seen.map((status) => status.migration_state)).toEqual([
        'pending',
        'complete',
        'complete',
      ]);
      expect(seen[0]).toMatchObject({ old_waf_status: 'enabled', new_waf_status: 'enabled' });
      expect(seen[1]).toMatchObject({ old_waf_status: 'disabled', new_waf_status: 'enabled' });
    });
  });

  it('can take so long, and does not start anew when the configuration is sent again', async () => {
    let now = 0;
    const scenario = oneZone({}, { switchDelay: { milliseconds: 1000 } });
    await withEmulator({ scenario, clock: () => new Date(now) }, async (call) => {
      const config = await configOf(call);
      await migrate(call, 'pending', config);
      now = 600;
      expect((await migrate(call, 'pending', config)).body.result.version).toBe('2');
      expect((await migrate(call, 'validation', config)).status).toBe(400);
      expect((await statusOf(call)).migration_state).toBe('pending');
      expect((await call('GET', `/zones/${ID}/firewall/waf/packages`)).status).toBe(200);
      now = 1000;
      expect((await call('GET', `/zones/${ID}/firewall/waf/packages`)).status).toBe(403);
      expect((await statusOf(call)).migration_state).toBe('complete');
    });
  });

  it('waits while every new rule is disabled', async () => {
    await withEmulator({ scenario: oneZone() }, async (call) => {
      const config = await configOf(call);
      const off = config.rules.map((rule: object) => ({ ...rule, enabled: false }));
      await migrate(call, 'pending', { rules: off });
      expect(await statusOf(call)).toMatchObject({
        migration_state: 'pending',
        old_waf_status: 'enabled',
      });
      const { body } = await migrate(call, 'pending', config);
      expect(body.success).toBe(true);
      expect((await statusOf(call)).migration_state).toBe('complete');
    });
  });
});
