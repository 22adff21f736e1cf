import { group, owasp, rule } from './old-zone';
import { one } from './override-cases';
import { groupId } from './small-catalogue';
import { type ZoneCase } from './zone-cases';

const off = [owasp('off')];

/** Zones with overrides for URLs that overlap. */
export const overlappingCases: Record<string, ZoneCase> = {
  'overrides that give way to others': {
    settings: {
      packages: off,
      rules: [rule('R5', 'simulate')],
      overrides: [
        one('first', 1, ['a.b/x/*'], { rules: { R1: 'block', R2: 'disable', R3: 'disable' } }),
        one('second', 2, ['a.b/*'], { rules: { R1: 'simulate', R2: 'disable', R3: 'block' } }),
        one('third', 3, ['a.b/x/y'], { rules: { R1: 'disable', R2: 'disable', R3: 'default' } }),
        one('fourth', 4, ['*/*'], { rules: { R1: 'disable', R5: 'default' } }),
      ],
    },
  },
  'an override whose exception is too long beside others': {
    settings: {
      packages: off,
      overrides: [
        ...Array.from({ length: 6 }, (_, at) =>
          one(`acting ${at}`, 1, [`a.b/${'x'.repeat(700)}/${at}/*`], { rules: { R1: 'block' } }),
        ),
        one('off', 2, ['a.b/*'], { rules: { R1: 'disable', R2: 'disable' } }),
      ],
    },
  },
  'overrides for the same URLs': {
    settings: {
      packages: off,
      overrides: [
        one('first', 1, ['a.b/*'], { rules: { R1: 'block' } }),
        one('second', 2, ['a.b/*'], { rules: { R2: 'block', R3: 'disable' } }),
        one('third', 2, ['a.b/*'], { rules: { R1: 'simulate', R3: 'disable' } }),
      ],
    },
  },
  'overrides for the same URLs in another order': {
    settings: {
      packages: off,
      overrides: [
        one('first', 1, ['a.b/*', 'c.d/*'], { rules: { R1: 'block' } }),
        one('second', 2, ['c.d/*', 'a.b/*'], { rules: { R2: 'block' } }),
      ],
    },
  },
  'an override that keeps a group on against another': {
    settings: {
      packages: off,
      overrides: [
        one('kept', 1, ['*/*'], { groups: { [groupId('6')]: 'on' } }),
        one('more', 2, ['a.b/x'], { rules: { BLOG1: 'block' } }),
      ],
    },
  },
  'overrides for URLs apart': {
    settings: {
      packages: off,
      rules: [rule('R1', 'simulate')],
      overrides: [
        one('z', 1, ['a.b/x/*', 'c.d/*'], { rules: { R1: 'block', R2: 'disable' } }),
        one('y', 1, ['a.b/y/*', 'e.f/*'], { rules: { R1: 'disable', R2: 'block' } }),
        one('x', 2, ['a.b/*'], { rules: { R1: 'default', R2: 'disable' } }),
      ],
    },
  },
  'overrides that switch a group on for some of the same URLs': {
    settings: {
      packages: off,
      groups: [group(groupId('6'), 'off')],
      rules: [
        rule('R1', 'disable', { groupId: groupId('6') }),
        rule('R2', 'block', { groupId: groupId('6') }),
        rule('R3', 'default', { groupId: groupId('6') }),
      ],
      overrides: [
        one('on', 1, ['a.b/*'], { groups: { [groupId('6')]: 'on' } }),
        one('more', 2, ['a.b/x'], {
          rules: { R1: 'simulate', R2: 'simulate', R3: 'simulate' },
          groups: { [groupId('6')]: 'on' },
        }),
      ],
    },
  },
  'overrides of one priority': {
    settings: {
      packages: off,
      overrides: [
        one('first', 1, ['a.b/*'], { rules: { R1: 'block', R2: 'block' } }),
        one('second', 1, ['a.b/x'], { rules: { R1: 'disable', R2: 'block' } }),
        one('elsewhere', 1, ['c.d/*'], { rules: { R1: 'simulate' } }),
      ],
    },
  },
  'overrides that are too entangled': {
    settings: {
      packages: off,
      overrides: Array.from({ length: 6 }, (_, at) =>
        one(`override ${at}`, at, [`*/*${'abcdef'[at] ?? ''}*`], {
          rules: { R1: at % 2 === 0 ? 'block' : 'simulate', R2: 'disable' },
        }),
      ),
    },
  },
};
