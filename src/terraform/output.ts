import { createInterface } from 'node:readline';
import { type Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { printable } from '../core/printable';

type Environment = Readonly<Record<string, string | undefined>>;

/** Bytes of standard error that are kept. */
const KEPT = 64 * 1024;

/** How the output of a run is read. */
interface OutputOptions {
  readonly environment: Environment;
  /** Most bytes on standard output. */
  readonly limit: number;
  /** Gets every line of standard error while it is printed; of standard output where that is for the user. */
  readonly watch: ((text: string) => void) | undefined;
  readonly isForUser: boolean;
}

/** What a run of Terraform prints. */
export interface TerraformOutput {
  /** Resolves when more is printed than the limit. */
  readonly tooLong: Promise<void>;
  /** What was printed on standard output. */
  readonly printed: () => Buffer;
  /** The beginning of what was printed on standard error. */
  readonly said: () => string;
  /** Closes the streams: a process of another group can hold them open. */
  readonly end: () => void;
}

/** Collects what a run of Terraform prints, and shows it line by line. */
export function readOutput(
  { stdout, stderr }: { readonly stdout: Readable; readonly stderr: Readable },
  { environment, limit, watch, isForUser }: OutputOptions,
): TerraformOutput {
  const printed: Buffer[] = [];
  const said: Buffer[] = [];
  const shown = watch === undefined ? [] : isForUser ? [stdout, stderr] : [stderr];
  for (const input of shown) {
    // whole lines, so that a secret is recognised also where it comes in two pieces
    createInterface({ input }).on('line', (line) => watch?.(shownLine(line, environment)));
  }
  let saidSize = 0;
  stderr.on('data', (chunk: Buffer) => {
    if (saidSize < KEPT) said.push(chunk);
    saidSize += chunk.length;
  });
  let size = 0;
  const tooLong = new Promise<void>((resolve) => {
    stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) printed.push(chunk);
      else resolve();
    });
  });
  return {
    tooLong,
    printed: () => Buffer.concat(printed),
    said: () => Buffer.concat(said).toString('utf8'),
    end: () => {
      stdout.destroy();
      stderr.destroy();
    },
  };
}

/** Characters of a line that are shown. */
const LONGEST = 10_000;

/** A line without secrets and colours, and printable: the Cloudflare API or a provider wrote much of it. */
function shownLine(line: string, environment: Environment): string {
  const text = redactSecrets(stripVTControlCharacters(line), environment).replaceAll('\t', '    ');
  return `${printable(text, LONGEST)}\n`;
}

const SECRET = /TOKEN|KEY|SECRET|PASSWORD|PASSPHRASE|CREDENTIAL|CONN_STR|^TF_ENCRYPTION$/i;

/** User and query of an address: names of users, tokens and signatures are there. */
const OF_ADDRESS =
  /\b([a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^\s/?#"'`<>]*@)?([^\s?#"'`<>]*)(\?[^\s#"'`<>)\]]*)?/gi;
/** Which version of a module it is. */
const REVISION = /^\?ref=[\w./-]+$/;

/** Removes the values of secret variables, and what is secret in addresses, from what Terraform said. */
export function redactSecrets(text: string, environment: Environment): string {
  const secrets = Object.entries(environment).flatMap(([name, value]) =>
    SECRET.test(name) && value !== undefined ? value.split('\n').map((line) => line.trim()) : [],
  );
  // the longest first: a secret can be the beginning of another one
  const redacted = secrets
    .filter((secret) => secret.length >= 8)
    .sort((one, other) => other.length - one.length)
    .reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text);
  return redacted.replace(OF_ADDRESS, (_, scheme: string, place: string, query?: string) =>
    [scheme, place, query === undefined || REVISION.test(query) ? query : '?[redacted]'].join(''),
  );
}
