import { owasp, rule } from './old-zone';
import { one } from './override-cases';
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
