/** A zone; offline, only its id is known. */
export interface ZoneName {
  readonly id: string;
  readonly name?: string | undefined;
}

/** The names that a generated stack gets from its zone. */
export interface StackNames {
  /** The file name without extension, and the id of the stack: `[a-z0-9_-]`, unique to the zone. */
  readonly slug: string;
  /** The class of the CDKTF stack, unique to the zone. */
  readonly className: string;
  /** The class of the construct for an existing stack. */
  readonly constructName: string;
}

/** At least two labels, as in the name of every zone, which excludes names such as `con` and `main`. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?$/;
const LONGEST_HOST = 80;

/**
 * Derives names from the zone name if it is a host name, otherwise from the zone id, so that no two zones
 * share one.
 */
export function stackNames({ id, name = '' }: ZoneName): StackNames {
  const host = name.toLowerCase();
  const isHost = HOST.test(host) && host.length <= LONGEST_HOST;
  const prefix = isHost ? classPrefix(host) : `Zone${id}`;
  return {
    // a dot becomes `_`, which no host name contains
    slug: isHost ? host.replaceAll('.', '_') : id,
    className: `${prefix}WafStack`,
    constructName: `${prefix}WafRuleset`,
  };
}

/** The name of a resource that shares a folder or a stack with those of other zones. */
export function nameOfResource(zone: ZoneName): string {
  return `managed_rules_${stackNames(zone).slug}`;
}

/** Converts `my-shop.example.com` to `My_ShopExampleCom`: a dot becomes a capital, or `$` before a digit. */
function classPrefix(host: string): string {
  return host
    .replace(/(^|[.-])([a-z])/g, (_, mark: string, letter: string) => mark + letter.toUpperCase())
    .replace(/^(?=\d)|-/g, '_')
    .replace(/\.(?=\d)/g, '$')
    .replaceAll('.', '');
}
