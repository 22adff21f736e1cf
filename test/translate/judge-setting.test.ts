import { translateZone } from '../../src/translate/translate-zone';
import { managed, skip, to } from './support/compared-rulesets';
import { CLOUDFLARE, group, MANAGED_RULESET, override, rule, zone } from './support/old-zone';
import { groupId, newId, smallCatalogue } from './support/small-catalogue';
import { IP, rowsOf } from './support/weighed-rulesets';

describe('a rule that became two', () => {
  it('holds in part where one of them does, and says what to do about that one', () => {
    const acts = managed({ rules: [41, 42].map((at) => to(at, { action: 'block' })) });
    const exception = skip({ rules: { [MANAGED_RULESET]: [newId(42)] } }, IP);
    expect(rowsOf({ rules: [rule('PAIR', 'block')] }, exception, acts)[0]).toMatchObject({
      status: 'changed',
      partial: true,
      remedy: expect.stringContaining('the exception') as string,
    });
  });
});

describe('a group that an override switches on', () => {
  const id = groupId('a');
  const place = { groupId: id, groupName: 'Five', packageId: CLOUDFLARE };
  const modes = ['disable', 'simulate', 'block', 'simulate', 'block'];
  const rules = modes.map((mode, at) => rule(`R${at + 1}`, mode, place));

  it('is as it was, where some of its rules were off and others on', () => {
    const { parity } = translateZone(
      zone({
        groups: [group(id, 'off')],
        rules,
        overrides: [override({ groups: { [id]: 'on' } })],
        known: {
          packages: [],
          groups: [{ id, name: 'Five', packageId: CLOUDFLARE, rulesCount: 5 }],
          rules: rules.map(({ ruleId }) => ({ id: ruleId, ...place })),
        },
      }),
      { catalogue: smallCatalogue },
    );
    expect(parity.settings.find(({ attribute }) => attribute.startsWith('groups['))).toMatchObject({
      status: 'kept',
      to: '4 rules as they were',
    });
  });
});
