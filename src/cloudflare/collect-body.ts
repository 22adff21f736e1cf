import { createGunzip } from 'node:zlib';
import { MigrationError } from '../model/migration-error';

/** 64 MiB: far above the largest ruleset, far below what memory takes. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** The headers of an answer that say how to read its body. */
export interface BodyHeaders {
  readonly length: string | undefined;
  readonly coding: string | undefined;
}

/** Takes the pieces of a body in, as they arrive. */
export interface BodyCollector {
  readonly take: (piece: Buffer) => void;
  /** Nothing more comes. */
  readonly end: () => void;
}

/** Who hears of a body; `done` or `fail` comes once, and nothing after it. */
export interface BodyPorts {
  readonly done: (bytes: Buffer) => void;
  readonly fail: (error: Error) => void;
  /** No more pieces, please, until `resume`. */
  readonly pause: () => void;
  readonly resume: () => void;
}

/**
 * Collects an answer to its end, or fails when it is too large: by what `content-length` announces,
 * by what arrives, and by what that unpacks to. Not with a stream for each answer: that costs more
 * than all the rest of a request.
 */
export function collectBody({ length, coding = '' }: BodyHeaders, ports: BodyPorts): BodyCollector {
  if (Number(length ?? 0) > MAX_ANSWER_BYTES) return refused(tooLarge(), ports);
  switch (coding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return collectPlain(ports);
    case 'gzip':
    case 'x-gzip':
      return collectGzip(ports);
    default:
      return refused(
        new MigrationError('API_RESPONSE_INVALID', 'the answer has a coding other than gzip'),
        ports,
      );
  }
}

function refused(error: Error, { fail }: BodyPorts): BodyCollector {
  fail(error);
  return { take: () => undefined, end: () => undefined };
}

function collectPlain({ done, fail }: BodyPorts): BodyCollector {
  const pieces = createPile(fail);
  return {
    take: pieces.add,
    end: () => {
      done(pieces.all());
    },
  };
}

/**
 * Bounded on both sides: a stream of empty gzip members arrives for ever and unpacks to nothing. No bytes at
 * all are no gzip, and a body of nothing: a 204 can say what its body would be coded with.
 */
function collectGzip({ done, fail, pause, resume }: BodyPorts): BodyCollector {
  const gunzip = createGunzip();
  const give = (error: Error): void => {
    gunzip.destroy();
    fail(error);
  };
  const packed = createPile(give, { keep: false });
  const unpacked = createPile(give);
  gunzip.on('data', unpacked.add);
  gunzip.on('error', fail);
  gunzip.on('end', () => {
    done(unpacked.all());
  });
  return {
    take: (piece) => {
      packed.add(piece);
      if (gunzip.destroyed || gunzip.write(piece)) return;
      pause();
      gunzip.once('drain', resume);
    },
    end: () => {
      if (packed.size() === 0) done(Buffer.alloc(0));
      else gunzip.end();
    },
  };
}

/** Pieces up to the limit. */
function createPile(fail: (error: Error) => void, { keep = true } = {}) {
  const pieces: Buffer[] = [];
  let size = 0;
  return {
    add: (piece: Buffer): void => {
      size += piece.length;
      if (size > MAX_ANSWER_BYTES) fail(tooLarge());
      else if (keep) pieces.push(piece);
    },
    size: (): number => size,
    all: (): Buffer => (pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces, size)),
  };
}

function tooLarge(): MigrationError {
  const limit = `${MAX_ANSWER_BYTES / 1024 / 1024} MiB`;
  return new MigrationError('API_RESPONSE_TOO_LARGE', `the answer is larger than ${limit}`);
}
