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

/** Names from the zone's name where that is a host name, else from its id: no two zones share one. */
export function stackNames({ id, name = '' }: ZoneName): StackNames {
  const host = name.toLowerCase();
  if (!HOST.test(host) || host.length > LONGEST) {
    return { slug: id, className: `Zone${id}WafStack` };
  }
  // a dot becomes `_`, which no host name has
  return { slug: host.replaceAll('.', '_'), className: `${classOf(host)}WafStack` };
}

/** `my-shop.example.com` as `My_ShopExampleCom`: a dot is a capital, or `$` before a digit. */
function classOf(host: string): string {
  return host
    .replace(/(^|[.-])([a-z])/g, (_, mark: string, letter: string) => mark + letter.toUpperCase())
    .replace(/^(?=\d)|-/g, '_')
    .replace(/\.(?=\d)/g, '$')
    .replaceAll('.', '');
}
