import { CLOUDFLARE, group, owasp, rule } from './old-zone';
import { known, ofShop, one, shop } from './override-cases';
import { groupId } from './small-catalogue';
import { type ZoneCase } from './zone-cases';

const off = [owasp('off')];
const [pairs, more] = [groupId('b'), groupId('c')];

/** Zones with overrides of groups for some URLs, beside what else is said of their rules. */
export const overrideGroupCases: Record<string, ZoneCase> = {
  'overrides of groups beside rules of their own': {
    settings: {
      packages: off,
      known: {
        ...known,
        groups: [
          ...known.groups,
          { id: pairs, name: 'Pairs', packageId: CLOUDFLARE, rulesCount: 1 },
          { id: more, name: 'More', packageId: CLOUDFLARE, rulesCount: 5 },
        ],
        rules: [
          ...known.rules,
          { ...ofShop('PAIR'), groupId: pairs, groupName: 'Pairs' },
          ...['R3', 'R4'].map((id) => ({ ...ofShop(id), groupId: more, groupName: 'More' })),
        ],
      },
      groups: [group(groupId('9'), 'off')],
      rules: [rule('R3', 'default', { groupId: groupId('9') })],
      overrides: [
        one('all of its rules', 1, ['a.b/*'], {
          rules: { R1: 'block', R2: 'block' },
          groups: { [shop]: 'on' },
        }),
        one('half of a pair', 2, ['c.d/*'], {
          rules: { HALF: 'block' },
          groups: { [pairs]: 'disable' },
        }),
        one('of which one is off in another group', 3, ['e.f/*'], { groups: { [more]: 'on' } }),
      ],
    },
  },
  'overrides of a group that is off': {
    settings: {
      packages: off,
      known,
      groups: [group(shop, 'off'), group(groupId('6'), 'off')],
      rules: [rule('R1', 'disable')],
      overrides: [
        one('off as well', 1, ['a.b/*'], { rules: { R2: 'block' }, groups: { [shop]: 'disable' } }),
        one('on', 2, ['c.d/*'], { groups: { [shop]: 'on' } }),
        one('on in one path', 3, ['e.f/x'], {
          rules: { BLOG1: 'block' },
          groups: { [groupId('6')]: 'on' },
        }),
      ],
    },
  },
};
