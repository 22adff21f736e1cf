import { type CompletedCommand, type CompletedFlag } from './describe-program';

/** A completion for fish, which shows what each word is for. */
export function renderFish(commands: readonly CompletedCommand[]): string {
  return `${commands.flatMap(linesOf).join('\n')}\n`;
}

function linesOf({ path, commands, flags }: CompletedCommand): string[] {
  const inner = commands.map(({ name }) => name);
  const outer = path.split(' ').filter((word) => word !== '');
  const conditions = [
    ...outer.map((word) => `__fish_seen_subcommand_from ${word}`).reverse(),
    ...(inner.length === 0 ? [] : [`not __fish_seen_subcommand_from ${inner.join(' ')}`]),
  ];
  const begin = `complete -c cf-waf-migrate -n ${quote(conditions.join('; and '))}`;
  return [
    ...commands.map(({ name, summary }) => `${begin} -f -a ${quote(name)} -d ${quote(summary)}`),
    ...flags.map(
      ({ name, summary, values }) =>
        `${begin} -l ${quote(name.slice(2))}${valuesOf(values)} -d ${quote(summary)}`,
    ),
  ];
}

function valuesOf(values: CompletedFlag['values']): string {
  if (values === undefined) return '';
  return values.length === 0 ? ' -r' : ` -x -a ${quote(values.join(' '))}`;
}

/** In single quotes, fish reads a backslash before itself and before a quote only. */
function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
