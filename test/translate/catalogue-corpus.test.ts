import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';
import { lookup } from '../../src/translate/catalogue/lookup';
import { resolveEnding } from '../../src/translate/catalogue/find-successor';

const catalogue = builtInCatalogue();

describe('the built-in catalogue', () => {
  it('is what the script derives from the tables', () => {
    const script = join(__dirname, '../../scripts/build-catalogue.mjs');
    expect(execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' }).length).toBe(0);
  });

  it('leads from every old rule to its new ones and back', () => {
    for (const { id, successors } of catalogue.legacyRules.values()) {
      const there = lookup(catalogue, id).filter(({ legacyId }) => legacyId === id);
      expect(there.map(({ newId }) => newId)).toEqual(
        successors.length === 0 ? [undefined] : successors.map((one) => one.id),
      );
      for (const { id: newId, ending } of successors) {
        const back = lookup(catalogue, newId ?? ending).map(({ legacyId }) => legacyId);
        expect(back).toContain(id);
      }
    }
  });
});

const hex = (length: number) => fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));

describe('an ending', () => {
  it('is resolved exactly when one id ends with it', () => {
    const ids = fc.array(fc.tuple(hex(24), fc.constantFrom('00000000', '11111111', '22222222')));
    fc.assert(
      fc.property(ids, fc.constantFrom('00000000', '11111111'), (parts, ending) => {
        const all = parts.map(([head, tail]) => head + tail);
        const fitting = new Set(all.filter((id) => id.slice(24) === ending));
        const kind = ['none', 'one'][fitting.size] ?? 'ambiguous';
        expect(resolveEnding(ending, all).kind).toBe(kind);
      }),
    );
  });
});
