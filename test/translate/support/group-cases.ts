import { CLOUDFLARE, group, owasp, OWASP, rule } from './old-zone';
import { groupId } from './small-catalogue';
import { type ZoneCase } from './zone-cases';

const off = [owasp('off')];
export const user = groupId('d');
export const nobody = groupId('c');
export const known = {
  packages: [{ id: user, name: 'USER', detectionMode: 'traditional' }],
  groups: [],
  rules: [],
};

/** Zones whose groups are off, and rules in them. */
export const groupCases: Record<string, ZoneCase> = {
  'groups of every kind': {
    settings: {
      packages: off,
      groups: [
        ...['5', '6', '7', '8', '9'].map((letter) =>
          group(groupId(letter), 'off', { packageId: undefined }),
        ),
        group(groupId('1'), 'on'),
        group(groupId('2'), 'maybe'),
        group(groupId('3'), 'off', { packageId: user }),
        group(groupId('4'), 'off', { packageId: nobody }),
        ...['on', 'off'].map((mode, at) => group(groupId('0'), mode, { from: `torn[${at}]` })),
      ],
      rules: [
        rule('SHOP1', 'simulate'),
        rule('SHOP2', 'on'),
        rule('BLOG1', 'default'),
        rule('R1', 'block', { groupId: groupId('7') }),
        rule('R2', 'on'),
      ],
      known,
    },
  },
  'groups as the zone lists them': {
    settings: {
      packages: off,
      groups: ['a', 'b', '5', '6', 'e'].map((letter) => group(groupId(letter), 'off')),
      known: {
        packages: [],
        groups: [
          { id: groupId('a'), name: 'All', packageId: CLOUDFLARE, rulesCount: 2 },
          { id: groupId('b'), name: 'Some', packageId: undefined, rulesCount: 5 },
          { id: groupId('5'), name: '', packageId: undefined, rulesCount: 1 },
          { id: groupId('6'), name: 'A blog of its own', packageId: OWASP, rulesCount: undefined },
        ],
        rules: [
          { id: 'R1', groupId: groupId('a'), groupName: 'All', packageId: CLOUDFLARE },
          { id: 'TWIN1', groupId: groupId('a'), groupName: 'All', packageId: CLOUDFLARE },
          { id: 'R2', groupId: groupId('b'), groupName: undefined, packageId: CLOUDFLARE },
          { id: 'SHOP1', groupId: groupId('5'), groupName: 'Renamed', packageId: user },
          { id: 'R3', groupId: undefined, groupName: 'Nowhere', packageId: CLOUDFLARE },
        ],
      },
    },
  },
  'a group of three rules': {
    settings: {
      packages: off,
      groups: [group(groupId('a'), 'off')],
      rules: ['R1', 'R2', 'R3'].map((id) => rule(id, 'default', { groupId: groupId('a') })),
    },
  },
  'rules whose package others know': {
    settings: {
      packages: off,
      groups: [group(groupId('a'), 'on', { packageId: undefined })],
      rules: [
        rule('by the zone', 'disable', { packageId: undefined }),
        rule('by its group', 'disable', { packageId: undefined, groupId: groupId('8') }),
        rule('by a group of the zone', 'disable', { packageId: undefined, groupId: groupId('a') }),
        rule('by nobody', 'disable', { packageId: undefined, groupId: groupId('b') }),
      ],
      known: {
        ...known,
        groups: [
          { id: groupId('a'), name: 'Own', packageId: user, rulesCount: 1 },
          { id: groupId('a'), name: '', packageId: undefined, rulesCount: undefined },
        ],
        rules: [{ id: 'by the zone', groupId: undefined, groupName: undefined, packageId: user }],
      },
    },
  },
  'a group that a rule alone tells of': {
    settings: {
      packages: off,
      groups: [group(groupId('b'), 'off', { packageId: undefined })],
      known: {
        ...known,
        groups: [{ id: groupId('b'), name: 'Own', packageId: undefined, rulesCount: undefined }],
        rules: [{ id: 'U1', groupId: groupId('b'), groupName: '', packageId: user }],
      },
    },
  },
  'groups whose rules are listed in another order': {
    settings: {
      packages: off,
      groups: ['a', 'b'].map((letter) => group(groupId(letter), 'off')),
      known: {
        packages: [],
        groups: [{ id: groupId('a'), name: 'All', packageId: CLOUDFLARE, rulesCount: 2 }],
        rules: ['a NONE', 'a GONE', 'b UNPLACED', 'b ENDING'].map((text) => {
          const [letter = '', id = ''] = text.split(' ');
          return { id, groupId: groupId(letter), groupName: undefined, packageId: CLOUDFLARE };
        }),
      },
    },
  },
  'groups with rules that became one': {
    settings: {
      packages: off,
      groups: ['a', 'b', 'c'].map((letter) => group(groupId(letter), 'off')),
      rules: [
        rule('TWIN1', 'disable'),
        rule('TWIN2', 'challenge', { groupId: groupId('a') }),
        rule('PAIR', 'default', { groupId: groupId('b') }),
        rule('HALF', 'block'),
        rule('R1', 'simulate', { groupId: groupId('c') }),
      ],
    },
  },
  'two rules of one new rule that act differently': {
    settings: { packages: off, rules: [rule('TWIN1', 'block'), rule('TWIN2', 'simulate')] },
  },
  'a group whose rules became one with rules of others': {
    settings: {
      packages: off,
      groups: [group(groupId('a'), 'off')],
      rules: [
        rule('TWIN1', 'on', { groupId: groupId('a') }),
        rule('PAIR', 'default', { groupId: groupId('a') }),
        rule('TWIN2', 'block'),
      ],
    },
  },
};
