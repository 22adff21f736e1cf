import { group, owasp, rule } from './old-zone';
import { one } from './override-cases';
import { groupId } from './small-catalogue';
import { type ZoneCase } from './zone-cases';

const off = [owasp('off')];

/** Zones with several overrides, whose URLs overlap or do not. */
export const overlappingCases: Record<string, ZoneCase> = {
  'overrides that overlap': {
    settings: {
      packages: off,
      rules: [rule('R5', 'simulate')],
      overrides: [
        one('narrow', 1, ['a.b/x/*'], { rules: { R1: 'block' }, groups: { [groupId('6')]: 'on' } }),
        one('wide', 2, ['c.d/*', 'a.b/*'], { rules: { R1: 'simulate', R2: 'disable' } }),
        one('paused', 3, ['a.b/*'], { paused: true, rules: { R1: 'disable' } }),
        one('empty', 4, ['a.b/*'], {}),
        one('apart', 5, ['e.f/*'], { rules: { R1: 'disable', R5: 'default' } }),
      ],
    },
  },
  'overrides beside one whose URL is not understood': {
    settings: {
      packages: off,
      overrides: [
        one('plain', 1, ['a.b/*'], { rules: { R1: 'disable' } }),
        one('with a port', 2, ['c.d:80/*'], { rules: { R2: 'disable' } }),
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
        one('x', 2, ['g.h/*'], { rules: { R1: 'default', R2: 'disable' } }),
      ],
    },
  },
  'overrides that switch a group on': {
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
        one('more', 2, ['c.d/x'], {
          rules: { R1: 'simulate', R2: 'simulate', R3: 'simulate' },
          groups: { [groupId('6')]: 'on' },
        }),
      ],
    },
  },
  'overrides whose rules leave too little to the general one': {
    settings: {
      packages: off,
      overrides: Array.from({ length: 7 }, (_, at) =>
        one(`acting ${at}`, 1, [`h${at}.b/${'x'.repeat(700)}/*`], { rules: { R1: 'block' } }),
      ),
    },
  },
};
