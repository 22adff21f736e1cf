import { createHash } from 'node:crypto';
import { domainToASCII, domainToUnicode } from 'node:url';
import { isIdentifier } from '../model/identifier';

/** A zone, as far as it is known: offline, only its id is. */
export interface ZoneName {
  readonly id: string;
  readonly name?: string;
}

/** The names that a generated stack needs. */
export interface StackNames {
  /** File name without its ending, and the id of the stack: `[a-z0-9_-]`, unique to the zone. */
  readonly slug: string;
  /** Class of the CDKTF stack, unique to the zone. */
  readonly className: string;
}

/** Two labels or more, which keeps clear of `con`, `main` and the like; as every zone's name. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?$/;
const LONGEST = 80;

/** Class of the construct that is put into a stack which exists. */
export function constructName({ className }: StackNames): string {
  return className.replace(/Stack$/, 'Ruleset');
}

/**
 * Names from the zone's name, or else its id, so that two zones never share one, also where the
 * case of letters does not count. A name that is no host name gets a digest, which no other has.
 */
export function stackNames(zone: ZoneName): StackNames {
  if (!zone.name) {
    return isIdentifier(zone.id)
      ? { slug: zone.id, className: `Zone${zone.id}WafStack` }
      : digestNames(zone.id);
  }
  const host = asciiHost(zone.name);
  if (host === undefined || host.length > LONGEST) return digestNames(zone.name);
  // a dot becomes `_`, which no host name has
  return { slug: host.replaceAll('.', '_'), className: `${classOf(host)}WafStack` };
}

/** The host name in its one ASCII form; undefined for what is none. */
function asciiHost(name: string): string | undefined {
  const lower = name.toLowerCase();
  if (HOST.test(lower)) return lower;
  const ascii = domainToASCII(lower);
  // other characters that stand for the same domain ("\uff41.com") are no zone's name
  return HOST.test(ascii) && domainToUnicode(ascii) === lower ? ascii : undefined;
}

/** `my-shop.example.com` as `My_ShopExampleCom`: a dot is a capital, or `$` before a digit. */
function classOf(host: string): string {
  return host
    .replace(/(^|[.-])([a-z])/g, (_, mark: string, letter: string) => mark + letter.toUpperCase())
    .replace(/^(?=\d)|-/g, '_')
    .replace(/\.(?=\d)/g, '$')
    .replaceAll('.', '');
}

function digestNames(name: string): StackNames {
  const digest = createHash('sha256').update(JSON.stringify(name)).digest('hex').slice(0, 16);
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .slice(0, LONGEST);
  const slug = `${plain || 'zone'}__${digest}`;
  const pascal = `_${plain}`.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return { slug, className: `Zone${pascal.replaceAll('_', '')}$${digest}WafStack` };
}
