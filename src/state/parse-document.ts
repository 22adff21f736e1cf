import { constants } from 'node:buffer';
import { MigrationError } from '../model/migration-error';
import { decodeText } from './decode-text';
import { findJsonFault } from './json-fault';

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
    const fault = findJsonFault(text);
    if (text.trim() === '') throw invalid('the state is empty', noState);
    const { line, column, truncated } = fault ?? { line: 1, column: 1, truncated: false };
    const place = `line ${line}, column ${column}`;
    throw truncated
      ? invalid(`the state is cut off: it ends at ${place}`, 'fetch it again: it is not complete')
      : invalid(`the state is not JSON: ${place}`);
  }
}
