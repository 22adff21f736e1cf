import fc from 'fast-check';
import { zonesOfShard } from '../../src/fleet/shard';

const zones = fc.uniqueArray(
  fc.stringMatching(/^[0-9a-f]{32}$/).map((id) => ({ id })),
  { selector: ({ id }) => id, maxLength: 60 },
);
const counts = fc.integer({ min: 1, max: 9 });
const all = (list: { id: string }[], count: number) =>
  Array.from({ length: count }, (_, index) => zonesOfShard(list, { index: index + 1, count }));

describe('shards', () => {
  it('have each zone once, and together all', () => {
    fc.assert(
      fc.property(zones, counts, (list, count) => {
        const ids = all(list, count).flatMap((part) => part.map(({ id }) => id));
        expect(ids.sort()).toEqual(list.map(({ id }) => id).sort());
      }),
    );
  });

  it('keep a zone where it is when the list changes', () => {
    fc.assert(
      fc.property(zones, zones, counts, (list, more, count) => {
        for (const [index, part] of all(list, count).entries()) {
          const later = all([...more, ...list], count)[index] ?? [];
          expect(later).toEqual(expect.arrayContaining(part));
        }
      }),
    );
  });

  it('are of about the same size, also where ids are numbers in a row', () => {
    const list = Array.from({ length: 400 }, (_, index) => ({
      id: index.toString(16).padStart(32, '0'),
    }));
    for (const part of all(list, 4)) {
      expect(part.length).toBeGreaterThan(70);
      expect(part.length).toBeLessThan(130);
    }
  });
});
