import { isAscii, isUtf8, transcode } from 'node:buffer';
import { MigrationError } from '../model/migration-error';

/** Up to here a copy of the range as UTF-16 costs little memory. */
const small = 1 << 25;

/**
 * The text of a range of bytes. ASCII, which is nearly all of a state, becomes a string of one
 * byte a character, at half the memory; the rest goes by way of UTF-16, which Node 20 does ten
 * times as fast as `toString('utf8')`.
 *
 * @throws MigrationError STATE_INVALID when it is not UTF-8: to replace what is broken would
 * change addresses
 */
export function decodeText(bytes: Buffer, start: number, end: number): string {
  const range = bytes.subarray(start, end);
  if (isAscii(range)) return range.toString('latin1');
  if (!isUtf8(range)) {
    throw new MigrationError('STATE_INVALID', 'the state is not UTF-8 text', {
      hint: 'write it anew with `terraform state pull`, in a shell that does not change the encoding (in PowerShell: `cmd /c "terraform state pull > state.tfstate"`)',
    });
  }
  return range.length > small
    ? range.toString('utf8')
    : transcode(range, 'utf8', 'utf16le').toString('utf16le');
}
