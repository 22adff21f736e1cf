import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { types } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type EventFile, type EventInput } from './event-input';
import { isCut } from './find-cut';
import { parseEventDocument, renderEventLines } from './parse-event-document';
import { linkFile } from './link-file';
import { sniffFile } from './sniff-file';

/** A whole document is parsed in memory: an answer of the service has at most 10,000 events. */
const LARGEST_DOCUMENT_MEBIBYTES = 256;

/**
 * Puts files where the engine may read them, under names that hold nothing of the user's: links, so
 * that no byte is copied, and lines instead of documents.
 * @throws MigrationError `FILE_UNREADABLE`, `EVENTS_INVALID`
 */
export async function stageFiles(names: readonly string[], folder: string): Promise<EventInput> {
  const files: EventFile[] = [];
  const targets: string[] = [];
  const empty: string[] = [];
  const cut: string[] = [];
  for (const [index, name] of names.entries()) {
    const { format, compression, marked = false } = await sniffFile(name);
    if (format === 'empty') {
      empty.push(name);
      continue;
    }
    const path = join(folder, `events-${index}`);
    if (format === 'document') {
      await writeFile(path, await linesOf(name, compression === 'gzip'), { mode: 0o600 });
      files.push({ name, path, format: 'lines', compression: 'uncompressed' });
      continue;
    }
    if (marked && compression === 'gzip') {
      throw new MigrationError(
        'EVENTS_INVALID',
        `${printable(name, 200)} begins with a byte order mark`,
        { hint: 'remove it: gunzip -c FILE.gz | tail -c +4 | gzip > WITHOUT.gz' },
      );
    }
    if (marked) {
      await pipeline(
        createReadStream(name, { start: 3 }),
        createWriteStream(path, { mode: 0o600 }),
      );
      files.push({ name, path, format, compression });
      continue;
    }
    if (compression !== 'uncompressed' && (await isCut(name, compression))) cut.push(name);
    const target = await realpath(name);
    await linkFile(target, path);
    targets.push(target);
    files.push({ name, path, format, compression });
  }
  return { files, targets, empty, cut };
}

async function linesOf(name: string, packed: boolean): Promise<string> {
  const about = printable(name, 200);
  const largest = LARGEST_DOCUMENT_MEBIBYTES * 2 ** 20;
  const tooLarge = (): MigrationError =>
    new MigrationError(
      'EVENTS_INVALID',
      `${about} is one JSON document of over ${LARGEST_DOCUMENT_MEBIBYTES} MiB`,
      { hint: 'pass the events as lines: jq -c ".data.viewer.zones[].firewallEventsAdaptive[]"' },
    );
  if ((await stat(name)).size > largest) throw tooLarge();
  const bytes = await readFile(name);
  let document: unknown;
  try {
    const text = (packed ? gunzipSync(bytes, { maxOutputLength: largest }) : bytes).toString();
    document = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    if (types.isNativeError(error) && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge();
    }
    throw new MigrationError('EVENTS_INVALID', `${about} is not JSON: it may have been cut off`);
  }
  return renderEventLines(parseEventDocument(document, about));
}
