import {
  CLOUDFLARE,
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
import { from, general, one, SHOP } from './support/one-override';

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

it('rewritten actions of a URI override are lost, also where all become the same', () => {
  const rewriteAction = { default: 'block', block: 'block', challenge: 'block', simulate: 'block' };
  const translation = one({ rewriteAction, rules: { '100532': 'disable' } });
  for (const action of Object.keys(rewriteAction)) {
    expect(row(translation, `${from}.rewrite_action["${action}"]`).status).toBe('lost');
  }
  expect(row(translation, `${from}.rules["100532"]`).status).toBe('kept');
  expect(translation.findings).toContainEqual(
    expect.objectContaining({ code: 'REWRITE_NOT_CARRIED', severity: 'decision', subject: from }),
  );
});
