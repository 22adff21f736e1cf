import { type PlannedZone } from './facts';
import { type StepFacts } from './step-facts';

/** A command of Terraform in the folder of a state. */
export function terraform({ dir }: Pick<StepFacts, 'dir'>, ...args: readonly string[]): string[] {
  return ['terraform', ...(dir === '.' ? [] : [`-chdir=${dir}`]), ...args];
}

export function planCommand(place: Pick<StepFacts, 'dir'>): string[] {
  return terraform(place, 'plan', '-input=false');
}

/** In a stack the ruleset is a construct of it: a stack of its own would have a state of its own. */
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

/** The project of a synthesised folder, which is `<output>/stacks/<stack>` in it (cdktf 0.21). */
function projectOf(dir: string): string {
  if (dir === '.') return '../../../';
  const output = dir.search(/[^/]+\/stacks\/[^/]+$/);
  return output === -1 ? '' : dir.slice(0, output);
}

/** Most characters of one command: Windows takes 32,767, Linux and macOS far more. */
const LONGEST_COMMAND = 30_000;

/** The addresses in as few commands as fit. */
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
