import { createInterface } from 'node:readline';
import { type Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { printable } from '../core/printable';

type Environment = Readonly<Record<string, string | undefined>>;

const LONGEST = 10_000;

/**
 * Shows the output of Terraform line by line: printable, without secrets and colours, because much of it comes from the
 * Cloudflare API or a provider.
 */
export function showLines(
  input: Readable,
  environment: Environment,
  watch: (text: string) => void,
): void {
  // whole lines, so that a secret is recognised even if it arrives in two parts
  createInterface({ input }).on('line', (line) => {
    const text = redactSecrets(stripVTControlCharacters(line), environment);
    watch(`${printable(text.replaceAll('\t', '    '), LONGEST)}\n`);
  });
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
