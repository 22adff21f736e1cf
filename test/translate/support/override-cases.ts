import { CLOUDFLARE, group, override, owasp, rule } from './old-zone';
import { groupId } from './small-catalogue';
import { type ZoneCase } from './zone-cases';

const off = [owasp('off')];
export const shop = groupId('a');
const empty = groupId('e');
export const ofShop = (id: string) => ({
  id,
  groupId: shop,
  groupName: 'Shop',
  packageId: CLOUDFLARE,
});
export const known = {
  packages: [{ id: groupId('d'), name: 'USER', detectionMode: 'traditional' }],
  groups: [
    { id: shop, name: 'Shop', packageId: CLOUDFLARE, rulesCount: 2 },
    { id: empty, name: 'Empty', packageId: CLOUDFLARE, rulesCount: 0 },
    { id: groupId('f'), name: 'Of the customer', packageId: groupId('d'), rulesCount: 1 },
  ],
  rules: ['R1', 'R2'].map(ofShop),
};
/** An override of this place and priority. */
export const one = (from: string, priority: number, urls: readonly string[], parts: object) =>
  override({ from, id: undefined, priority, urls, ...parts });
/** Every action becomes this one. */
export const rewriteAll = (to: string) =>
  Object.fromEntries(['default', 'block', 'challenge', 'simulate'].map((action) => [action, to]));

/** Zones with overrides for some URLs. */
export const overrideCases: Record<string, ZoneCase> = {
  'an override of rules in every mode': {
    settings: {
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
  },
  'an override of groups in every mode': {
    settings: {
      packages: [owasp('high')],
      known,
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
  },
  'overrides that switch on a group that is off': {
    settings: {
      packages: off,
      known,
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
  },
  'overrides that change nothing': {
    settings: {
      packages: off,
      overrides: [
        one('empty', 1, ['a.b/*', 'c.d/*'], {}),
        one('paused', 2, ['a.b/*'], { paused: true, rules: { R1: 'disable' } }),
        one('as it is', 3, ['e.f/*'], { rules: { R1: 'default' } }),
      ],
    },
  },
  'URLs of every kind': {
    settings: {
      packages: off,
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
  },
  'URLs that say the same, and more': {
    settings: {
      packages: off,
      overrides: [
        one('twice', 1, ['A.b/x/*', 'a.b/x/*'], { rules: { R1: 'disable' } }),
        one('the narrow one first', 2, ['a.b/y/z', 'a.b/y/*'], { rules: { R2: 'disable' } }),
      ],
    },
  },
  'an override for all URLs': {
    settings: {
      packages: off,
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
  },
  'an override that switches on a group of many rules': {
    settings: {
      packages: off,
      groups: [group(shop, 'off')],
      known: {
        ...known,
        groups: [{ id: shop, name: 'Shop', packageId: CLOUDFLARE, rulesCount: 5 }],
        rules: ['R1', 'R2', 'R3', 'R4', 'R5'].map(ofShop),
      },
      overrides: [one('on', 1, ['a.b/*'], { groups: { [shop]: 'on' } })],
    },
  },
  'rewritten actions': {
    settings: {
      packages: off,
      overrides: [
        one('all alike', 1, ['a.b/*'], { rewriteAction: rewriteAll('simulate') }),
        one('beside rules', 2, ['k.l/*'], {
          rewriteAction: { default: 'block' },
          rules: { R3: 'block', R1: 'drop' },
        }),
      ],
    },
  },
};
