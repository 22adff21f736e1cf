import { type Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';
import { printable } from '../core/printable';

type Environment = Readonly<Record<string, string | undefined>>;

/** Of what a run prints on standard error, this much is kept. */
const KEPT = 64 * 1024;

/** What is printed by a run, and who is shown it. */
interface Streams {
  readonly stdout: Readable;
  readonly stderr: Readable;
}

/** How the output of a run is read. */
interface OutputOptions {
  readonly environment: Environment;
  /** Most bytes on standard output. */
  readonly limit: number;
  /** Gets every line of standard error while it is printed; of standard output where that is for people. */
  readonly watch: ((text: string) => void) | undefined;
  readonly isForPeople: boolean;
}

/** Collects what a run of Terraform prints, and shows it line by line. */
export class TerraformOutput {
  /** Resolves when more is printed than the limit. */
  readonly tooLong: Promise<void>;
  readonly #streams: Streams;
  readonly #watchers: readonly LineWatcher[];
  readonly #printed: Buffer[] = [];
  #size = 0;
  #said = '';

  constructor(streams: Streams, { environment, limit, watch, isForPeople }: OutputOptions) {
    const { stdout, stderr } = streams;
    const [onStdout, onStderr] =
      watch === undefined ? [] : [0, 1].map(() => new LineWatcher(watch, environment));
    this.#streams = streams;
    this.#watchers = [onStdout, onStderr].filter((one) => one !== undefined);
    stderr.on('data', (chunk: Buffer) => {
      if (this.#said.length < KEPT) this.#said += chunk.toString('utf8');
      onStderr?.take(chunk);
    });
    this.tooLong = new Promise((resolve) => {
      stdout.on('data', (chunk: Buffer) => {
        this.#size += chunk.length;
        if (isForPeople) onStdout?.take(chunk);
        if (this.#size <= limit) this.#printed.push(chunk);
        else resolve();
      });
    });
  }

  /** What was printed on standard output. */
  get printed(): Buffer {
    return Buffer.concat(this.#printed);
  }

  /** The beginning of what was printed on standard error. */
  get said(): string {
    return this.#said;
  }

  /** Shows the last line, and closes the streams: a process of another group can hold them open. */
  end(): void {
    for (const watcher of this.#watchers) watcher.end();
    this.#streams.stdout.destroy();
    this.#streams.stderr.destroy();
  }
}

/** Characters of a line that are shown. */
const LONGEST = 10_000;

/**
 * Passes on what comes in pieces, line by line: whole lines, so that a secret is recognised also where it comes
 * in two pieces, without colours, and printable: much of it a service or a provider has written.
 */
class LineWatcher {
  readonly #watch: (text: string) => void;
  readonly #environment: Environment;
  readonly #decoder = new StringDecoder('utf8');
  #rest = '';

  constructor(watch: (text: string) => void, environment: Environment) {
    this.#watch = watch;
    this.#environment = environment;
  }

  take(piece: Buffer): void {
    const lines = `${this.#rest}${this.#decoder.write(piece)}`.split('\n');
    // of a line that is not shown to its end no more is kept, but room for a secret at the cut
    this.#rest = (lines.pop() ?? '').slice(0, 2 * LONGEST);
    for (const line of lines) this.#show(line);
  }

  /** The last line may have no end. */
  end(): void {
    if (this.#rest !== '') this.#show(this.#rest);
    this.#rest = '';
  }

  #show(line: string): void {
    const said = redactSecrets(stripVTControlCharacters(line), this.#environment);
    const shown = said.replace(/\r$/, '').replaceAll('\t', '    ');
    this.#watch(`${printable(shown, LONGEST)}\n`);
  }
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
