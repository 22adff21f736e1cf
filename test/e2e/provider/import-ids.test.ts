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

type Says = string | RegExp | null;
/** The requested paths before the refusal; not checked if it is imported. */
type Asks = Partial<Record<Major, string[]>>;

const badId: Says[] = [
  'invalid id (',
  'expected import identifier to be resourceLevel/resourceIdentifier/rulesetID. got:',
  /expected urlencoded segments/,
];
const noRequests = { 3: [], 4: [], 5: [] };
const zone = canonicalZone;
const account = `/accounts/${zone}/rulesets/${canonicalRuleset}`;
const unknown = 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb';
const authentication = 'Authentication error (10000)';
const discriminator = 'invalid discriminator segment';
const missing = 'The provider returned a resource missing an identifier during ImportResourceState';

/** The table of import ids: for 3, 4 and 5 a part of the error, or null if it is imported. */
const importRows: [id: string, says: Says[], asks?: Asks][] = [
  [
    `zone/${zone}/${canonicalRuleset}`,
    [null, null, 'expected discriminator to be one of {accounts|zones}'],
    { 5: [] },
  ],
  [`zones/${zone}/${canonicalRuleset}`, [null, authentication, null], { 4: [account] }],
  [
    `accounts/${zone}/${canonicalRuleset}`,
    [null, authentication, '10000'],
    { 4: [account], 5: [account] },
  ],
  [`Zone/${zone}/${canonicalRuleset}`, [null, authentication, discriminator], { 5: [] }],
  [`${zone}/${canonicalRuleset}`, badId, noRequests],
  [canonicalRuleset, badId, noRequests],
  [`zone/${zone}`, badId, noRequests],
  [`zone/${zone}/${unknown}`, [missing, 'Cannot import non-existent remote object', discriminator]],
  [
    `zones/${zone}/${unknown}`,
    [missing, authentication, /failed to make http request .*404 Not Found \{/],
  ],
];

/** Without the frame of Terraform's errors, on one line. */
function readable(text: string): string {
  return text.replace(/[│╷╵]/g, ' ').replace(/\s+/g, ' ');
}

describe.each<Major>([3, 4, 5])('provider %s, asked to import', (major) => {
  it.each(importRows)('%s', (id, results, asks = {}) =>
    inLab({ major, scenario: 'canonical' }, async (lab) => {
      lab.write('main.tf.json', new Edit(major).file);
      const { code, stderr } = await lab.terraform('import', canonicalAddress, id);
      const says = results[major - 3] ?? null;
      expect([code, lab.read('terraform.tfstate') !== '']).toEqual(says ? [1, false] : [0, true]);
      if (says !== null) expect(readable(stderr)).toMatch(says);
      const asked = lab.asked().map((line) => line.replace(/^\w+ /, ''));
      expect(asked).toEqual(asks[major] ?? asked);
    }),
  );

  it('a managed ruleset: takes it, for its kind is not looked at', () =>
    inLab({ major, scenario: 'canonical' }, async (lab) => {
      lab.write('main.tf.json', new Edit(major).file);
      const level = major === 5 ? 'zones' : 'zone';
      const id = `${level}/${zone}/efb7b8c949ac4650a09736fc376e9aee`;
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
