import {
  canonicalAddress,
  canonicalRuleset as R,
  canonicalZone as Z,
} from '../../../support/canonical';
import { inLab } from '../../../support/lab';
import { type Major } from '../../../support/provider/schema/load-schema';
import { Edit } from './edit';
import { type Options } from './row';

/** One row of the table of import ids, with the result for each major. */
export interface ImportRow {
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
const account = `/accounts/${Z}/rulesets/${R}`;
const unknown = 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb';

export const importRows: ImportRow[] = [
  {
    id: `zone/${Z}/${R}`,
    says: { 3: null, 4: null, 5: 'expected discriminator to be one of {accounts|zones}' },
    asks: { 5: [] },
  },
  {
    id: `zones/${Z}/${R}`,
    says: { 3: null, 4: 'Authentication error (10000)', 5: null },
    asks: { 4: [account] },
  },
  {
    id: `accounts/${Z}/${R}`,
    says: { 3: null, 4: 'Authentication error (10000)', 5: '10000' },
    asks: { 4: [account], 5: [account] },
  },
  {
    id: `Zone/${Z}/${R}`,
    says: { 3: null, 4: 'Authentication error (10000)', 5: 'invalid discriminator segment' },
    asks: { 5: [] },
  },
  { id: `${Z}/${R}`, says: badId, asks: noRequests },
  { id: R, says: badId, asks: noRequests },
  { id: `zone/${Z}`, says: badId, asks: noRequests },
  {
    id: `zone/${Z}/${unknown}`,
    says: {
      3: 'The provider returned a resource missing an identifier during ImportResourceState',
      4: 'Cannot import non-existent remote object',
      5: 'invalid discriminator segment',
    },
  },
  {
    id: `zones/${Z}/${unknown}`,
    says: {
      3: 'The provider returned a resource missing an identifier during ImportResourceState',
      4: 'Authentication error (10000)',
      5: /failed to make http request .*404 Not Found \{/,
    },
  },
];

/** The measured result: the error of Terraform (null: imported), and the requests. */
export function judgeImport(row: ImportRow, options: Options) {
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
