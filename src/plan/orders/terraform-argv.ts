import { type OrderInput } from './order';

/** The name of a saved plan in the commands of a plan; `apply` puts its own elsewhere. */
export const SAVED_PLAN = 'cf-waf-migrate.tfplan';

/** Most characters of one command: Windows takes 32,767, Linux and macOS far more. */
const LONGEST_COMMAND = 30_000;

/** A command of Terraform in the folder of a state. */
export function terraform({ dir }: Pick<OrderInput, 'dir'>, ...args: readonly string[]): string[] {
  return ['terraform', ...(dir === '.' ? [] : [`-chdir=${dir}`]), ...args];
}

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
