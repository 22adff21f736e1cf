import { createInterface } from 'node:readline';
import { type Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { printable } from '../core/printable';

type Environment = Readonly<Record<string, string | undefined>>;

/** Maximum number of bytes of standard error that are kept. */
const KEPT = 64 * 1024;

interface OutputOptions {
  readonly environment: Environment;
  /** Maximum number of bytes on standard output. */
  readonly limit: number;
  /** Receives each line of standard error, and of standard output if that is for the user. */
  readonly watch: ((text: string) => void) | undefined;
  readonly isForUser: boolean;
}

/** The output of a Terraform run. */
export interface TerraformOutput {
  /** Resolves if the output exceeds the limit. */
  readonly tooLong: Promise<void>;
  /** Standard output. */
  readonly printed: () => Buffer;
  /** The beginning of standard error. */
  readonly said: () => string;
  /** Closes the streams, which a process of another group can keep open. */
  readonly end: () => void;
}

/** Collects the output of a Terraform run, and shows it line by line. */
export function readOutput(
  { stdout, stderr }: { readonly stdout: Readable; readonly stderr: Readable },
  { environment, limit, watch, isForUser }: OutputOptions,
): TerraformOutput {
  const printed: Buffer[] = [];
  const said: Buffer[] = [];
  const shown = watch === undefined ? [] : isForUser ? [stdout, stderr] : [stderr];
  for (const input of shown) {
    // whole lines, so that a secret is recognised even if it arrives in two parts
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

/** Maximum number of characters of a shown line. */
const LONGEST = 10_000;

/**
 * Makes a line printable and removes secrets and colours, because much of it comes from the Cloudflare API or
 * a provider.
 */
function shownLine(line: string, environment: Environment): string {
  const text = redactSecrets(stripVTControlCharacters(line), environment).replaceAll('\t', '    ');
  return `${printable(text, LONGEST)}\n`;
}

const SECRET = /TOKEN|KEY|SECRET|PASSWORD|PASSPHRASE|CREDENTIAL|CONN_STR|^TF_ENCRYPTION$/i;

/** User and query of a URL, which can contain user names, tokens and signatures. */
const OF_ADDRESS =
  /\b([a-z][a-z0-9+.-]{0,20}:\/\/)(?:[^\s/?#"'`<>]*@)?([^\s?#"'`<>]*)(\?[^\s#"'`<>)\]]*)?/gi;
/** A query with only the revision of a module. */
const REVISION = /^\?ref=[\w./-]+$/;

/** Removes the values of secret variables and the secrets in URLs from Terraform output. */
export function redactSecrets(text: string, environment: Environment): string {
  const secrets = Object.entries(environment).flatMap(([name, value]) =>
    SECRET.test(name) && value !== undefined ? value.split('\n').map((line) => line.trim()) : [],
  );
  // longest first, because a secret can be the prefix of another one
  const redacted = secrets
    .filter((secret) => secret.length >= 8)
    .sort((one, other) => other.length - one.length)
    .reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text);
  return redacted.replace(OF_ADDRESS, (_, scheme: string, place: string, query?: string) =>
    [scheme, place, query === undefined || REVISION.test(query) ? query : '?[redacted]'].join(''),
  );
}
