import { constants } from 'node:buffer';
import { visit } from 'jsonc-parser';
import { MigrationError } from '../model/migration-error';
import { tried } from '../model/tried';
import { decodeText } from './decode-text';

const pull = 'pass what `terraform state pull` prints, as it is';
const noState =
  'there is no state in that folder and workspace: `terraform state pull` prints nothing then; check --dir, `terraform workspace show` and `terraform init`';

function invalid(message: string, hint = pull): MigrationError {
  return new MigrationError('STATE_INVALID', message, { hint });
}

/** What the first bytes say about a file that is surely no JSON. */
function refuseBinary(bytes: Buffer): void {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw invalid(
      'the state is UTF-16 text',
      'Windows PowerShell wrote it and may have damaged it: use `cmd /c "terraform state pull > state.tfstate"`',
    );
  }
  if (first === 0x50 && second === 0x4b) throw invalid('the file is a zip archive or a saved plan');
  if (first === 0x1f && second === 0x8b) throw invalid('the file is compressed with gzip');
}

/**
 * Parses a whole file at once.
 *
 * @throws MigrationError STATE_INVALID with the position of the fault, never with what stands
 * there: a state holds secrets in clear
 */
export function parseDocument(bytes: Buffer): unknown {
  refuseBinary(bytes);
  if (bytes.length > constants.MAX_STRING_LENGTH) {
    throw invalid(`the state has ${bytes.length} bytes and is not laid out as Terraform does it`);
  }
  const text = decodeText(bytes, 0, bytes.length);
  try {
    return JSON.parse(text);
  } catch {
    if (text.trim() === '') throw invalid('the state is empty', noState);
    const { place, isCutOff } = findFault(text);
    throw isCutOff
      ? invalid(`the state is cut off: it ends at ${place}`, 'fetch it again: it is not complete')
      : invalid(`the state is not JSON: ${place}`);
  }
}

/** The messages of `JSON.parse` quote what they found, which can be a secret. */
function findFault(text: string): { place: string; isCutOff: boolean } {
  const faults: { place: string; isCutOff: boolean }[] = [];
  const onError = (
    _: number,
    offset: number,
    length: number,
    line: number,
    column: number,
  ): void => {
    const place = `line ${line + 1}, column ${column + 1}`;
    faults.push({ place, isCutOff: offset > 0 && offset + length >= text.length });
  };
  // what is nested too deeply ends its recursion
  tried(() => {
    visit(text, { onError }, { disallowComments: true });
  });
  return faults[0] ?? { place: 'line 1, column 1', isCutOff: false };
}
