import { CLOUDFLARE, group, override, owasp, rule } from './legacy-zone';
import { groupId } from './small-catalogue';
import { type ZoneCase } from './zone-cases';

const [shop, empty, pairs, more] = ['a', 'e', 'b', 'c'].map(groupId) as [
  string,
  string,
  string,
  string,
];
const inGroup = (id: string, group = shop, groupName = 'Shop') => ({
  ...{ id, groupId: group, groupName },
  packageId: CLOUDFLARE,
});
const listed = {
  packages: [{ id: groupId('d'), name: 'USER', detectionMode: 'traditional' }],
  groups: [
    { id: shop, name: 'Shop', packageId: CLOUDFLARE, rulesCount: 2 },
    { id: empty, name: 'Empty', packageId: CLOUDFLARE, rulesCount: 0 },
    { id: groupId('f'), name: 'Of the customer', packageId: groupId('d'), rulesCount: 1 },
  ],
  rules: ['R1', 'R2'].map((id) => inGroup(id)),
};
/** An override of this place and priority. */
const one = (from: string, priority: number, urls: readonly string[], parts: object) =>
  override({ from, id: undefined, priority, urls, ...parts });
/** Zones with overrides for some URLs. */
export const overrideCases: Record<string, ZoneCase> = {
  'an override of rules in every mode': {
    packages: [owasp('high')],
    rules: [rule('R1', 'block'), rule('R5', 'challenge')],
    overrides: [
      override({
        description: 'Shop',
        rules: {
          R1: 'default',
          R2: 'disable',
          R3: 'simulate',
          R4: 'challenge',
          R5: 'disable',
          NONE: 'block',
          SEVERAL: 'block',
          STRANGER: 'block',
          CORE: 'disable',
          WP0025B: 'disable',
          '100043A': 'block',
          TWIN1: 'block',
          TWIN2: 'disable',
          SHOP1: 'drop',
        },
      }),
    ],
  },
  'an override of groups in every mode': {
    packages: [owasp('high')],
    known: listed,
    overrides: [
      override({
        rules: { R2: 'block' },
        groups: {
          [shop]: 'disable',
          [empty]: 'disable',
          [groupId('5')]: 'disable',
          [groupId('6')]: 'default',
          [groupId('7')]: 'off',
          [groupId('8')]: 'disable',
          [groupId('9')]: 'disable',
          [groupId('f')]: 'disable',
          [groupId('1')]: 'drop',
        },
      }),
      one('acting', 2, ['c.d/*'], { groups: { [shop]: 'block' } }),
      one('named', 3, ['e.f/*'], {
        rules: { R1: 'block', R2: 'simulate' },
        groups: { [shop]: 'disable' },
      }),
    ],
  },
  'overrides that change nothing': {
    overrides: [
      one('empty', 1, ['a.b/*', 'c.d/*'], {}),
      one('paused', 2, ['a.b/*'], { paused: true, rules: { R1: 'disable' } }),
      one('as it is', 3, ['e.f/*'], { rules: { R1: 'default' } }),
    ],
  },
  'URLs of every kind': {
    overrides: [
      one('exact', 1, ['a.b/x'], { rules: { R1: 'disable' } }),
      one('several', 2, ['https://a.b/y*', 'http://*.b/y', 'g*/z*', '*c.d/*'], {
        rules: { R2: 'disable' },
      }),
      one('contained', 3, ['a.b/x/*', 'a.b/x/y', 'a.b/x/*'], { rules: { R3: 'disable' } }),
      one('partly impossible', 4, ['a b', 'e.f/*'], { rules: { R4: 'disable' } }),
      one('impossible', 5, ['a b', 'a.b'], { rules: { R5: 'disable' } }),
      one('missing', 7, [], { rewriteAction: { default: 'block' } }),
      one(
        'too long',
        8,
        Array.from({ length: 90 }, (_, at) => `host${at}.example.com/a/long/path/${at}/*`),
        { rules: { SHOP1: 'disable' } },
      ),
    ],
  },
  'an override for all URLs': {
    rules: [
      rule('R1', 'block'),
      rule('R2', 'disable'),
      rule('R3', 'simulate'),
      rule('SHOP1', 'simulate'),
    ],
    groups: [group(groupId('5'), 'off'), group(groupId('6'), 'off')],
    overrides: [
      one('all', 1, ['*/*'], {
        rules: { R1: 'simulate', R2: 'default', R4: 'block', BLOG1: 'block' },
        groups: { [groupId('5')]: 'on' },
      }),
    ],
  },

  'overrides of groups beside rules of their own': {
    known: {
      ...listed,
      groups: [
        ...listed.groups,
        { id: pairs, name: 'Pairs', packageId: CLOUDFLARE, rulesCount: 1 },
        { id: more, name: 'More', packageId: CLOUDFLARE, rulesCount: 5 },
      ],
      rules: [
        ...listed.rules,
        inGroup('PAIR', pairs, 'Pairs'),
        ...['R3', 'R4'].map((id) => inGroup(id, more, 'More')),
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

  'overrides that overlap': {
    rules: [rule('R5', 'simulate')],
    overrides: [
      one('narrow', 1, ['a.b/x/*'], { rules: { R1: 'block' }, groups: { [groupId('6')]: 'on' } }),
      one('wide', 2, ['c.d/*', 'a.b/*'], { rules: { R1: 'simulate', R2: 'disable' } }),
      one('paused', 3, ['a.b/*'], { paused: true, rules: { R1: 'disable' } }),
      one('empty', 4, ['a.b/*'], {}),
      one('apart', 5, ['e.f/*'], { rules: { R1: 'disable', R5: 'default' } }),
    ],
  },
  'overrides beside one whose URL is not understood': {
    overrides: [
      one('plain', 1, ['a.b/*'], { rules: { R1: 'disable' } }),
      one('with a port', 2, ['c.d:80/*'], { rules: { R2: 'disable' } }),
    ],
  },
};
