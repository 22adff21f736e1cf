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
/** Every action becomes this one. */
const rewriteAll = (to: string) =>
  Object.fromEntries(['default', 'block', 'challenge', 'simulate'].map((action) => [action, to]));

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
  'overrides that switch on a group that is off': {
    known: listed,
    groups: [group(shop, 'off')],
    rules: [rule('R2', 'simulate')],
    overrides: [
      one('the group', 1, ['a.b/*'], { groups: { [shop]: 'on' } }),
      one('the group and a rule', 2, ['c.d/*'], {
        groups: { [shop]: 'on' },
        rules: { R1: 'block' },
      }),
      one('only a rule', 3, ['e.f/*'], { rules: { R1: 'block' } }),
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
  'URLs that say the same, and more': {
    overrides: [
      one('twice', 1, ['A.b/x/*', 'a.b/x/*'], { rules: { R1: 'disable' } }),
      one('the narrow one first', 2, ['a.b/y/z', 'a.b/y/*'], { rules: { R2: 'disable' } }),
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
  'an override that switches on a group of many rules': {
    groups: [group(shop, 'off')],
    known: {
      ...listed,
      groups: [{ id: shop, name: 'Shop', packageId: CLOUDFLARE, rulesCount: 5 }],
      rules: ['R1', 'R2', 'R3', 'R4', 'R5'].map((id) => inGroup(id)),
    },
    overrides: [one('on', 1, ['a.b/*'], { groups: { [shop]: 'on' } })],
  },
  'rewritten actions': {
    overrides: [
      one('all alike', 1, ['a.b/*'], { rewriteAction: rewriteAll('simulate') }),
      one('beside rules', 2, ['k.l/*'], {
        rewriteAction: { default: 'block' },
        rules: { R3: 'block', R1: 'drop' },
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
  'overrides of a group that is off': {
    known: listed,
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
  'overrides for URLs apart': {
    rules: [rule('R1', 'simulate')],
    overrides: [
      one('z', 1, ['a.b/x/*', 'c.d/*'], { rules: { R1: 'block', R2: 'disable' } }),
      one('y', 1, ['a.b/y/*', 'e.f/*'], { rules: { R1: 'disable', R2: 'block' } }),
      one('x', 2, ['g.h/*'], { rules: { R1: 'default', R2: 'disable' } }),
    ],
  },
  'overrides that switch a group on': {
    groups: [group(groupId('6'), 'off')],
    rules: [
      rule('R1', 'disable', { groupId: groupId('6') }),
      rule('R2', 'block', { groupId: groupId('6') }),
      rule('R3', 'default', { groupId: groupId('6') }),
    ],
    overrides: [
      one('on', 1, ['a.b/*'], { groups: { [groupId('6')]: 'on' } }),
      one('more', 2, ['c.d/x'], {
        rules: { R1: 'simulate', R2: 'simulate', R3: 'simulate' },
        groups: { [groupId('6')]: 'on' },
      }),
    ],
  },
  'overrides whose rules leave too little to the general one': {
    overrides: Array.from({ length: 7 }, (_, at) =>
      one(`acting ${at}`, 1, [`h${at}.b/${'x'.repeat(700)}/*`], { rules: { R1: 'block' } }),
    ),
  },
};
