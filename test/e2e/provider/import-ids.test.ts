import {
  canonicalAddress,
  canonicalImportId,
  canonicalRuleset,
  canonicalZone,
  instanceIn,
} from '../../support/canonical';
import { inLab } from '../../support/lab';
import { type Major } from '../../support/provider/schema/load-schema';
import { Edit } from './table/edit';

/** One row of the table of import ids, with the result for each major. */
interface ImportRow {
  id: string;
  /** A part of the error, or null if it is imported. */
  says: Record<Major, string | RegExp | null>;
  /** The requested paths before the refusal; not checked if it is imported. */
  asks?: Partial<Record<Major, string[]>>;
}

const badId = {
  3: 'invalid id (',
  4: 'expected import identifier to be resourceLevel/resourceIdentifier/rulesetID. got:',
  5: /expected urlencoded segments/,
};
const noRequests = { 3: [], 4: [], 5: [] };
const account = `/accounts/${canonicalZone}/rulesets/${canonicalRuleset}`;
const unknown = 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb';

const importRows: ImportRow[] = [
  {
    id: `zone/${canonicalZone}/${canonicalRuleset}`,
    says: { 3: null, 4: null, 5: 'expected discriminator to be one of {accounts|zones}' },
    asks: { 5: [] },
  },
  {
    id: `zones/${canonicalZone}/${canonicalRuleset}`,
    says: { 3: null, 4: 'Authentication error (10000)', 5: null },
    asks: { 4: [account] },
  },
  {
    id: `accounts/${canonicalZone}/${canonicalRuleset}`,
    says: { 3: null, 4: 'Authentication error (10000)', 5: '10000' },
    asks: { 4: [account], 5: [account] },
  },
  {
    id: `Zone/${canonicalZone}/${canonicalRuleset}`,
    says: { 3: null, 4: 'Authentication error (10000)', 5: 'invalid discriminator segment' },
    asks: { 5: [] },
  },
  { id: `${canonicalZone}/${canonicalRuleset}`, says: badId, asks: noRequests },
  { id: canonicalRuleset, says: badId, asks: noRequests },
  { id: `zone/${canonicalZone}`, says: badId, asks: noRequests },
  {
    id: `zone/${canonicalZone}/${unknown}`,
    says: {
      3: 'The provider returned a resource missing an identifier during ImportResourceState',
      4: 'Cannot import non-existent remote object',
      5: 'invalid discriminator segment',
    },
  },
  {
    id: `zones/${canonicalZone}/${unknown}`,
    says: {
      3: 'The provider returned a resource missing an identifier during ImportResourceState',
      4: 'Authentication error (10000)',
      5: /failed to make http request .*404 Not Found \{/,
    },
  },
];

/** The measured result: the error of Terraform (null: imported), and the requests. */
function judgeImport(row: ImportRow, options: { major: Major }) {
  return inLab({ ...options, scenario: 'canonical' }, async (lab) => {
    lab.write('main.tf.json', new Edit(options.major).file);
    const { code, stderr } = await lab.terraform('import', canonicalAddress, row.id);
    const asked = lab.asked().map((line) => line.replace(/^\w+ /, ''));
    const kept = lab.read('terraform.tfstate') !== '';
    return { error: code === 0 ? null : readable(stderr), asked, kept };
  });
}

/** Without the frame of Terraform's errors, on one line. */
function readable(text: string): string {
  return text.replace(/[│╷╵]/g, ' ').replace(/\s+/g, ' ');
}

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
