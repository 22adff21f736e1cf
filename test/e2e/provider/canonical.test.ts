import { cpSync } from 'node:fs';
import { join } from 'node:path';
import {
  canonicalAddress,
  canonicalFolder,
  canonicalImportId,
  instanceIn,
  measuredState,
} from '../../support/canonical';
import { inLab, type Lab } from '../../support/lab';
import { type Major } from '../../support/provider/schema/load-schema';

const majors: Major[] = [3, 4, 5];
const formats = ['tf', 'tfjson', 'tf-importblock'];

function inCanonical(
  [provider, configuration, format]: [Major, Major, string],
  use: (lab: Lab) => Promise<void>,
): Promise<void> {
  return inLab({ major: provider, scenario: 'canonical' }, (lab) => {
    cpSync(join(canonicalFolder, `v${configuration}`, format), lab.dir, { recursive: true });
    return use(lab);
  });
}

describe.each(majors)('under provider %s', (major) => {
  describe.each(['tf', 'tfjson'])('the canonical configuration as %s', (format) => {
    it('imports to the measured state, and plans empty', () =>
      inCanonical([major, major, format], async (lab) => {
        const run = await lab.terraform('import', canonicalAddress, canonicalImportId(major));
        expect(run).toMatchObject({ code: 0, stderr: '' });
        expect(instanceIn(lab.read('terraform.tfstate'))).toEqual(instanceIn(measuredState(major)));
        expect((await lab.plan()).outcome).toBe('empty');
      }));
  });

  it('imports by a block: a plan that only imports, an apply, an empty plan', () =>
    inCanonical([major, major, 'tf-importblock'], async (lab) => {
      const first = await lab.plan();
      expect(first).toMatchObject({ outcome: 'diff' });
      // Provider 3 and 5 read once to import, and once more to refresh.
      expect(lab.asked()).toHaveLength(major === 4 ? 1 : 2);
      expect(first.text).toContain('1 to import, 0 to add, 0 to change, 0 to destroy');
      expect((await lab.terraform('apply', '-auto-approve')).code).toBe(0);
      expect(lab.sent()).toEqual([]);
      expect((await lab.plan()).outcome).toBe('empty');
    }));

  const others = majors
    .filter((other) => other !== major)
    .flatMap((other) => formats.map((format) => [other, format] as const));
  it.each(others)('refuses what was written for provider %s, as %s', (other, format) =>
    inCanonical([major, other, format], async (lab) => {
      lab.write('terraform.tfstate', measuredState(major));
      expect((await lab.plan()).outcome).toBe('error');
    }),
  );
});
