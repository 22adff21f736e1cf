import {
  canonicalAddress,
  canonicalImportId,
  canonicalZone,
  instanceIn,
} from '../../support/canonical';
import { inLab } from '../../support/lab';
import { type Major } from '../../support/provider/schema/load-schema';
import { Edit } from './table/edit';
import { importRows, judgeImport } from './table/import-rows';

describe.each<Major>([3, 4, 5])('provider %s, asked to import', (major) => {
  it.each(importRows.map((row) => [row.id, row] as const))('%s', async (_id, row) => {
    const { error, asked, kept } = await judgeImport(row, { major });
    const says = row.says[major];
    expect(kept).toBe(says === null);
    if (says === null) expect(error).toBeNull();
    else expect(error).toMatch(says);
    const asks = row.asks?.[major];
    if (asks !== undefined) expect(asked).toEqual(asks);
  });

  it('a managed ruleset: takes it, for its kind is not looked at', () =>
    inLab({ major, scenario: 'canonical' }, async (lab) => {
      lab.write('main.tf.json', new Edit(major).file);
      const level = major === 5 ? 'zones' : 'zone';
      const id = `${level}/${canonicalZone}/efb7b8c949ac4650a09736fc376e9aee`;
      expect(await lab.terraform('import', canonicalAddress, id)).toMatchObject({ code: 0 });
      expect(instanceIn(lab.read('terraform.tfstate'))).toMatchObject({
        attributes: { kind: 'managed' },
      });
    }));

  it('with a token that the service refuses: an error, and nothing is written', () =>
    inLab({ major, scenario: 'canonical', token: 'x'.repeat(40) }, async (lab) => {
      lab.write('main.tf.json', new Edit(major).file);
      const run = await lab.terraform('import', canonicalAddress, canonicalImportId(major));
      expect(run.code).toBe(1);
      expect(run.stderr).toContain('10000');
      expect(lab.read('terraform.tfstate')).toBe('');
    }));
});
