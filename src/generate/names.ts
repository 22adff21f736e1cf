import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';

/** A zone, as far as it is known: offline, only its id is. */
export interface ZoneName {
  readonly id: string;
  readonly name?: string;
}

/** The names that a generated stack needs. */
export interface StackNames {
  /** File name without its ending, and the id of the stack: `[a-z0-9_-]`, unique to the zone. */
  readonly slug: string;
  /** Class of the CDKTF stack. */
  readonly className: string;
}

/** Not usable as file names on Windows, whatever their ending; and `main`, the app of the stacks. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d|main|index|providers)$/;
const LONGEST = 80;

/**
 * Names from the zone's name: a dot becomes `_`, which no host name has, so that two zones never
 * share a name. A name that holds anything else, is reserved or too long gets a short digest.
 */
export function stackNames(zone: ZoneName): StackNames {
  const given = zone.name ?? zone.id;
  const host = domainToASCII(given) || given;
  const plain = host
    .toLowerCase()
    .replaceAll('.', '_')
    .replace(/[^a-z0-9_-]/g, '');
  const exact =
    /^[a-z0-9.-]+$/.test(host) &&
    host.length <= LONGEST &&
    !RESERVED.test(plain) &&
    !/^[-_]/.test(plain);
  const slug = exact
    ? plain
    : `${plain.slice(0, LONGEST).replace(/^[-_]+/, '') || 'zone'}_${digest(given)}`;
  const pascal = slug
    .split(/[-_]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
  return { slug, className: `${/^\d/.test(pascal) ? 'Zone' : ''}${pascal}WafStack` };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}
