import {
  CLOUDFLARE,
  codes,
  DRUPAL,
  group,
  GROUP,
  KNOWN,
  MANAGED_RULESET,
  override,
  owasp,
  row,
  rule,
  rulesOf,
  translate,
} from './support/old-zone';
import { from, general, one, packages, SHOP } from './support/one-override';

const id = KNOWN['100532'];
const other = KNOWN['100533'];

describe('a URI override of a group', () => {
  const known = {
    packages: [],
    groups: [{ id: GROUP, name: 'Mine', packageId: CLOUDFLARE, rulesCount: 2 }],
    rules: ['100532', '100533'].map((ruleId) => ({
      id: ruleId,
      groupId: GROUP,
      groupName: 'Mine',
      packageId: CLOUDFLARE,
    })),
  };
  const name = `${from}.groups["${GROUP}"]`;

  it('that disables it skips each of its rules', () => {
    const translation = one({ groups: { [GROUP]: 'disable' } }, { known });
    expect(rulesOf(translation)[0]).toEqual({
      action: 'skip',
      expression: SHOP,
      rules: { [MANAGED_RULESET]: [id, other].sort() },
    });
    expect(row(translation, name).status).toBe('kept');
  });

  it('that puts it to its default runs it where it is off for the zone', () => {
    const rules = [rule('100533', 'simulate', { groupId: GROUP })];
    const translation = one(
      { groups: { [GROUP]: 'default' } },
      { known, rules, groups: [group(GROUP, 'off')] },
    );
    expect(rulesOf(translation)).toEqual([
      {
        action: 'execute',
        expression: SHOP,
        id: MANAGED_RULESET,
        overrides: { rules: [{ id: other, action: 'log', enabled: true }] },
      },
      {
        ...general,
        expression: `not (${SHOP})`,
        overrides: {
          rules: [
            { id, enabled: false },
            { id: other, action: 'log', enabled: false },
          ],
        },
      },
    ]);
    expect(row(translation, name).status).toBe('kept');
    const on = one({ groups: { [GROUP]: 'default' } }, { known });
    expect(row(on, name).status).toBe('without-effect');
  });

  it('leaves a rule to the entry that names it', () => {
    const translation = one(
      { groups: { [GROUP]: 'disable' }, rules: { '100533': 'block' } },
      { known },
    );
    expect(rulesOf(translation)[0]).toMatchObject({
      action: 'skip',
      rules: { [MANAGED_RULESET]: [id] },
    });
    expect(rulesOf(translation)[1]).toMatchObject({
      overrides: { rules: [{ id: other, action: 'block', enabled: true }] },
    });
  });

  it.each([
    ['whose rules are not known', DRUPAL, 'disable', 'GROUP_MEMBERS_UNKNOWN'],
    ['that nobody knows', 'e'.repeat(32), 'disable', 'UNKNOWN_GROUP'],
    ['that nobody knows and is on', 'e'.repeat(32), 'default', 'UNKNOWN_GROUP'],
    ['that is made to act', DRUPAL, 'block', 'GROUP_ACTION_UNCLEAR'],
    ['with an unknown mode', DRUPAL, 'maybe', 'UNKNOWN_MODE'],
  ])('%s is lost and reported', (_, groupId, mode, code) => {
    const translation = one({ groups: { [groupId]: mode } });
    const place = `${from}.groups["${groupId}"]`;
    expect(row(translation, place).status).toBe('lost');
    expect(translation.findings.find((each) => each.code === code)).toMatchObject({
      severity: 'decision',
      subject: place,
    });
    expect(rulesOf(translation)).toEqual([general]);
  });

  it('of OWASP or of the customer is lost', () => {
    const translation = translate({
      packages: [owasp('high')],
      overrides: [override({ groups: { '07d700cf30fda7548be94ff01087d0c4': 'disable' } })],
    });
    expect(row(translation, `${from}.groups["07d700cf30fda7548be94ff01087d0c4"]`).why).toMatch(
      /no equivalent/,
    );
  });
});

describe('rewritten actions of a URI override', () => {
  const rewrite = (rewriteAction: object, more: object = {}) =>
    one(
      { rewriteAction, ...more },
      { rules: [rule('100532', 'challenge'), rule('100533', 'disable')] },
    );

  it('that are all the same action become an override of the whole ruleset', () => {
    const translation = rewrite({ default: 'simulate', block: 'simulate', challenge: 'simulate' });
    expect(rulesOf(translation)[0]).toEqual({
      action: 'execute',
      expression: SHOP,
      id: MANAGED_RULESET,
      overrides: {
        action: 'log',
        rules: [
          { id, action: 'log', enabled: true },
          { id: other, enabled: false },
        ],
      },
    });
    expect(row(translation, `${from}.rewrite_action["default"]`)).toMatchObject({
      status: 'kept',
      to: 'every rule: log',
    });
    expect(codes(translation)).toContain('REWRITE_WITHOUT_OWASP');
  });

  it('hold for what the same override puts back to its default, or to what the zone says', () => {
    const all = { default: 'simulate', block: 'simulate', challenge: 'simulate' };
    const byDefault = rewrite(all, { rules: { '100532': 'default' } });
    expect(row(byDefault, `${from}.rules["100532"]`)).toMatchObject({
      status: 'kept',
      to: `rule ${id}: log`,
    });
    const ofGroup = one(
      { rewriteAction: all, groups: { [GROUP]: 'default' } },
      {
        rules: [rule('100532', 'block', { groupId: GROUP })],
        groups: [group(GROUP, 'off')],
        known: {
          packages: [],
          groups: [{ id: GROUP, name: 'Mine', packageId: CLOUDFLARE, rulesCount: 1 }],
          rules: [],
        },
      },
    );
    expect(row(ofGroup, `${from}.groups["${GROUP}"]`)).toMatchObject({
      status: 'kept',
      to: `rule ${id}: log`,
    });
  });

  it('for all URLs leave no rule its own action, and those that are off as they are', () => {
    const all = { default: 'simulate', block: 'simulate', challenge: 'simulate' };
    const translation = rewrite(all, { urls: ['*'] });
    expect(row(translation, 'cloudflare_waf_rule.r_100532.mode')).toMatchObject({
      status: 'without-effect',
      why: 'an override for all URLs speaks of the same rules',
    });
    expect(row(translation, 'cloudflare_waf_rule.r_100533.mode').status).toBe('kept');
    expect(row(translation, `${from}.rewrite_action["block"]`).status).toBe('kept');
  });

  it('that all disable become an exception from the managed ruleset', () => {
    const translation = rewrite({
      default: 'disable',
      block: 'disable',
      challenge: 'disable',
      simulate: 'disable',
    });
    expect(rulesOf(translation)[0]).toEqual({
      action: 'skip',
      expression: SHOP,
      rulesets: [MANAGED_RULESET],
    });
  });

  it('that are refused beside another override are not said to be carried', () => {
    const rewriteAction = { default: 'block', challenge: 'block', simulate: 'block' };
    const overrides = [
      override({ rewriteAction }),
      override({ from: 'beside', rules: { '100532': 'disable' } }),
    ];
    const said = codes(translate({ packages, overrides }));
    expect(said).toContain('REWRITE_NOT_CARRIED');
    expect(said).not.toContain('REWRITE_WITHOUT_OWASP');
  });

  it.each([
    ['differ', { default: 'block', challenge: 'simulate' }, {}],
    ['leave actions as they are', { default: 'block', challenge: 'block' }, {}],
    [
      'have unknown names',
      { default: 'block', challenge: 'block', simulate: 'block', drop: 'block' },
      {},
    ],
    [
      'have unknown targets',
      { default: 'drop', block: 'drop', challenge: 'drop', simulate: 'drop' },
      {},
    ],
    [
      'stand beside actions of rules',
      { default: 'block', challenge: 'block', simulate: 'block' },
      { rules: { '100532': 'block' } },
    ],
  ])('that %s are lost, with the reason', (_, rewriteAction, more) => {
    const translation = rewrite(rewriteAction, more);
    for (const action of Object.keys(rewriteAction)) {
      expect(row(translation, `${from}.rewrite_action["${action}"]`).status).toBe('lost');
    }
    expect(translation.findings.find(({ code }) => code === 'REWRITE_NOT_CARRIED')?.subject).toBe(
      from,
    );
  });
});
