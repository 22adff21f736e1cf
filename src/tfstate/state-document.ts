import { constants, isAscii, isUtf8, transcode } from 'node:buffer';
import { visit } from 'jsonc-parser';
import { isJsonArray, isJsonObject } from '../core/json';
import { attempt, MigrationError } from '../core/migration-error';

/** A parsed state whose resources come in batches, so that those not wanted can be dropped. */
export interface StateDocument {
  /** The document; its `resources` are the last batch alone. */
  readonly top: unknown;
  /** All resources, in order, each batch once. */
  readonly batches: Iterable<readonly unknown[]>;
}

/** In bytes. */
interface Sizes {
  /** Below it, a document is parsed as a whole, which is faster while memory is no matter. */
  readonly whole: number;
  /** Large enough to parse at full speed, small enough to be collected young. */
  readonly batch: number;
}

interface Layout {
  /** Where the first resource begins. */
  readonly start: number;
  /** The bytes from the end of one resource to the first key of the next. */
  readonly separator: Buffer;
  /** The offset of the comma in the separator. */
  readonly comma: number;
  /** What must stand behind the separator's brace, too; undefined when the separator is enough. */
  readonly key: RegExp | undefined;
}

const firstResource = /^"resources"\s*:(\s*)\[(\s*)\{(\s*)("mo|"\w+")/;
/** `"mo` begins two keys, and other lists of objects may have them too when nothing is indented. */
const resourceKey = /^"mo(?:de"\s*:\s*"(?:managed|data)"|dule"\s*:\s*"module\.)/;

/** How this file separates its resources, learnt from the first one. */
function findLayout(bytes: Buffer): Layout | undefined {
  const at = bytes.indexOf('"resources"');
  const match = firstResource.exec(bytes.toString('latin1', at, at + 256));
  if (match === null) return undefined;
  const [, colonGap = '', outer = '', inner = '', key = ''] = match;
  const separator = Buffer.from(`${outer}},${outer === '' ? colonGap : outer}{${inner}${key}`);
  return {
    start: at + match[0].indexOf('[') + 1,
    separator,
    comma: outer.length + 1,
    key: key === '"mo' ? resourceKey : undefined,
  };
}

/** The offset of a comma that is probably between two resources, or -1. */
function findCut(bytes: Buffer, layout: Layout, from: number, step: 1 | -1): number {
  const { separator, comma, key } = layout;
  for (let at = from; ; at += step) {
    at = step === 1 ? bytes.indexOf(separator, at) : bytes.lastIndexOf(separator, at);
    if (at === -1) return -1;
    const behind = at + separator.length - '"mo'.length;
    if (key?.test(bytes.toString('latin1', behind, behind + 40)) ?? true) return at + comma;
  }
}

function parseList(text: string): readonly unknown[] | undefined {
  try {
    const list: unknown = JSON.parse(`[${text}]`);
    return isJsonArray(list) ? list : undefined;
  } catch {
    return undefined;
  }
}

/** The document without the resources between `start` and `end`, with `extra` in their place. */
function parseRest(bytes: Buffer, start: number, end: number, extra: string): unknown {
  try {
    return JSON.parse(decodeText(bytes, 0, start) + extra + decodeText(bytes, end, bytes.length));
  } catch {
    return undefined;
  }
}

function* readBatches(
  bytes: Buffer,
  layout: Layout,
  last: number,
  top: unknown,
  batchSize: number,
): Generator<readonly unknown[]> {
  let size = batchSize;
  for (let from = layout.start; from <= last;) {
    const cut = findCut(bytes, layout, from + size, 1);
    const end = cut === -1 ? last : cut;
    const batch = parseList(decodeText(bytes, from, end));
    if (batch !== undefined) {
      yield batch;
      size = batchSize;
      from = end + 1;
    } else if (end === last) throw new Error('the document cannot be cut here');
    else size *= 2;
  }
  yield resourcesOf(top) ?? [];
}

function cutDocument(bytes: Buffer, sizes: Sizes): StateDocument | undefined {
  const layout = bytes.length < sizes.whole ? undefined : findLayout(bytes);
  if (layout === undefined) return undefined;
  const last = findCut(bytes, layout, bytes.length, -1);
  if (last <= layout.start) return undefined;
  const top = parseRest(bytes, layout.start, last + 1, '');
  const length = resourcesOf(top)?.length;
  const probe = parseRest(bytes, layout.start, last + 1, 'null,');
  return length !== undefined && resourcesOf(probe)?.length === length + 1
    ? { top, batches: readBatches(bytes, layout, last, top, sizes.batch) }
    : undefined;
}

/**
 * Reads a large state without ever holding all of it as objects: it is parsed in batches of about
 * 1 MiB, cut where one resource ends and the next begins. Every byte still goes through
 * `JSON.parse`.
 *
 * A cut is a guess by the layout that Terraform (and jq, and most others) writes, and is proven:
 * a batch that begins where a resource begins, and is JSON within brackets, ends where one ends,
 * for a cut within a value leaves brackets open. That the cuts lie in the document's own
 * `resources`, and not in another list of that name, is proven by putting one element more there.
 * What cannot be cut is parsed as a whole; so is what cannot be read, for only the whole shows
 * whether the cuts or the state are wrong.
 *
 * @param read is called again with the whole when it throws
 */
export function readInBatches<T>(
  bytes: Buffer,
  read: (document: StateDocument) => T,
  sizes: Sizes = { whole: 1 << 25, batch: 1 << 20 },
): T {
  const document = cutDocument(bytes, sizes);
  if (document !== undefined) {
    try {
      return read(document);
    } catch {
      // Read again below: the error of the whole is the one to show.
    }
  }
  const top = parseDocument(bytes);
  return read({ top, batches: [resourcesOf(top) ?? []] });
}

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
 * @throws MigrationError STATE_INVALID with the position of the fault, never with what is
 * there: a state holds secrets in clear
 */
function parseDocument(bytes: Buffer): unknown {
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
  attempt(() => {
    visit(text, { onError }, { disallowComments: true });
  });
  return faults[0] ?? { place: 'line 1, column 1', isCutOff: false };
}

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
function decodeText(bytes: Buffer, start: number, end: number): string {
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

/** The resources of a parsed state; undefined when it has no such list. */
export function resourcesOf(document: unknown): readonly unknown[] | undefined {
  if (!isJsonObject(document)) return undefined;
  return isJsonArray(document['resources']) ? document['resources'] : undefined;
}
