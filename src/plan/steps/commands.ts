import { type PlannedZone, type StepFacts } from '../facts/facts';

export function terraform({ dir }: Pick<StepFacts, 'dir'>, ...args: readonly string[]): string[] {
  return ['terraform', ...(dir === '.' ? [] : [`-chdir=${dir}`]), ...args];
}

export function planCommand(place: Pick<StepFacts, 'dir'>): string[] {
  return terraform(place, 'plan', '-input=false');
}

/** Uses a construct for a CDKTF stack, because a separate stack would have a separate state. */
export function generate(
  { provider, dir, isSynthesised: isStack }: StepFacts,
  { zoneId, address }: PlannedZone,
): string[] {
  const format = isStack ? 'construct' : 'hcl';
  const out = isStack ? `${projectOf(dir)}constructs` : dir;
  return [
    ...['cf-waf-migrate', 'generate', '--zone', zoneId, '--source', 'live'],
    ...['--provider', String(provider), '--format', format, '--address', address, '--out', out],
  ];
}

/**
 * The project folder of a synthesised folder `cdktf.out/stacks/<stack>` (cdktf 0.21). With another output folder,
 * the project is assumed to be where the plan is made.
 */
function projectOf(dir: string): string {
  if (dir === '.') return '../../../';
  const output = dir.search(/cdktf\.out\/stacks\/[^/]+$/);
  return output === -1 ? '' : dir.slice(0, output);
}

/** Characters of one command: Windows allows 32,767, Linux and macOS far more. */
const LONGEST_COMMAND = 30_000;

/** Splits addresses into as few commands as possible. */
export function chunks(addresses: readonly string[]): string[][] {
  const result: string[][] = [];
  let length = Infinity;
  for (const address of addresses) {
    length += address.length + 3;
    if (length > LONGEST_COMMAND) {
      result.push([]);
      length = address.length;
    }
    result.at(-1)?.push(address);
  }
  return result;
}
