import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { gunzipSync } from 'node:zlib';
import { MigrationError } from '../../model/migration-error';
import { printable } from '../../model/printable';
import { type EventFile, type EventInput } from './event-input';
import { isCut } from './find-cut';
import { parseEventDocument, renderEventLines } from './parse-event-document';
import { linkFile } from './link-file';
import { sniffFile } from './sniff-file';

/** A whole document is parsed in memory: an answer of the service has at most 10,000 events. */
const LARGEST_DOCUMENT = 256 * 1024 * 1024;

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
  const bytes = await readFile(name);
  if (bytes.length > LARGEST_DOCUMENT) {
    throw new MigrationError('EVENTS_INVALID', `${about} is one JSON document of over 256 MB`, {
      hint: 'pass the events as lines: jq -c ".data.viewer.zones[].firewallEventsAdaptive[]"',
    });
  }
  let document: unknown;
  try {
    const text = (packed ? gunzipSync(bytes) : bytes).toString('utf8');
    document = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw new MigrationError('EVENTS_INVALID', `${about} is not JSON: it may have been cut off`);
  }
  return renderEventLines(parseEventDocument(document, about));
}
