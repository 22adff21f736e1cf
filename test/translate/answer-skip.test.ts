import {
  type Settings,
  bypass,
  CLOUDFLARE,
  MANAGED_RULESET,
  override,
  OWASP_RULESET,
} from './support/old-zone';
import { CREDENTIALS, core, managed, rulesetOf, SHOP, skip } from './support/compared-rulesets';
import { groupId, newId } from './support/small-catalogue';
import { compared, IP, rowsOf } from './support/weighed-rulesets';

const five = [1, 2, 3, 4, 5];
const groupOff: Settings = {
  overrides: [override({ groups: { [groupId('a')]: 'disable' } })],
  known: {
    packages: [],
    groups: [{ id: groupId('a'), name: 'Five', packageId: CLOUDFLARE, rulesCount: 5 }],
    rules: five.map((at) => ({
      id: `R${at}`,
      groupId: groupId('a'),
      groupName: 'Five',
      packageId: CLOUDFLARE,
    })),
  },
};
const exempting = rulesetOf(
  skip({ rules: { [MANAGED_RULESET]: five.map((at) => newId(at)) } }, SHOP),
  managed(),
);

describe('an exception', () => {
  const settings = { firewallRules: [bypass({ expression: IP })] };
  const from = (...rulesets: string[]) => skip({ rulesets }, IP);
  const current = skip({ ruleset: 'current' }, IP);

  it.each([
    ['before both rulesets', [current, managed(), core()], 'kept'],
    [
      'from the phase of the managed rulesets',
      [skip({ phases: ['http_request_firewall_managed'] }, IP), managed(), core()],
      'kept',
    ],
    ['from another phase', [skip({ phases: ['http_ratelimit'] }, IP), managed(), core()], 'lost'],
    [
      'from each of them in turn',
      [from(MANAGED_RULESET), from(OWASP_RULESET), managed(), core()],
      'kept',
    ],
    ['behind both', [managed(), core(), current], 'lost'],
    ['between them', [managed(), current, core()], 'changed'],
    ['from all but OWASP', [from(MANAGED_RULESET, CREDENTIALS), managed(), core()], 'changed'],
    [
      'from all but OWASP, which is off',
      [from(MANAGED_RULESET), managed(), core({}, { enabled: false })],
      'kept',
    ],
    [
      'between two rules that run one of them',
      [managed({}, { expression: SHOP }), current, managed(), core()],
      'changed',
    ],
  ])('%s', (_, rules, status) => {
    expect(rowsOf(settings, ...rules)[0]!.status).toBe(status);
  });

  it('says what it misses, and what to do', () => {
    expect(rowsOf(settings, managed(), current, core())[0]).toMatchObject({
      why: 'an exception acts on the rules after it, and before it runs Cloudflare Managed Ruleset',
      remedy: 'move the exception before the rules that it is an exception from',
    });
    expect(rowsOf(settings, from(MANAGED_RULESET), managed(), core())[0]).toMatchObject({
      to: 'an exception from all managed rules, but not from Cloudflare OWASP Core Ruleset',
      why: 'the exception does not name Cloudflare OWASP Core Ruleset',
    });
    expect(rowsOf(settings, managed(), core(), current)[0]!.to).toBe(
      'an exception from all managed rules, but not from Cloudflare Managed Ruleset and Cloudflare OWASP Core Ruleset',
    );
  });

  it.each([
    ['and another that is not', [from(OWASP_RULESET), managed(), from(MANAGED_RULESET), core()]],
    ['and does not name the other ruleset', [managed(), from(MANAGED_RULESET), core()]],
  ])('that is late %s, has to be moved', (_, rules) => {
    expect(rowsOf(settings, ...rules)[0]!.remedy).toMatch(/^move the exception/);
  });
});

describe('a group that an override disables', () => {
  it('is said to be exempted, however many rules it has', () => {
    const { settings } = compared(groupOff, exempting).parity;
    expect(settings.find(({ kind }) => kind === 'override')).toMatchObject({
      status: 'kept',
      to: '5 rules exempted',
    });
  });
});
