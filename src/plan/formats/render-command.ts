import { posix } from 'node:path';
import { posixQuote } from '../../core/posix-quote';
import { printable } from '../../core/printable';
import { type Plan, type PlanState, type Run, type Step } from '../plan';

/** Columns that a command fits in, its indentation aside. */
const WIDTH = 84;

/** The words of a command as a person reads them: quoted for a shell, safe for a terminal. */
export function renderWords(argv: readonly string[], saveTo?: string): string[] {
  const words = saveTo === undefined ? argv : [...argv, saveTo];
  const quoted = words.map((argument) => printable(posixQuote(argument)));
  return saveTo === undefined ? quoted : quoted.toSpliced(-1, 0, '>');
}

/**
 * A command to read or copy: its lines. The folder of the file that receives its output may not exist yet.
 */
export function renderCommand(argv: readonly string[], saveTo?: string): string[] {
  const lines: string[] = [];
  for (const word of renderWords(argv, saveTo)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  const folder = posix.dirname(saveTo ?? '.');
  return [
    ...(folder === '.'
      ? []
      : [`${renderWords(['mkdir', '-p', '-m', '700', folder]).join(' ')} &&`]),
    ...lines.map((line, index) => (index < lines.length - 1 ? `${line} \\` : line)),
  ];
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

/** The addresses of a step that a command has, and its other words. */
export function splitAddresses(
  { argv }: Run,
  { addresses = [] }: Step,
): { readonly own: readonly string[]; readonly rest: readonly string[] } {
  // made once: a large removal has hundreds of commands
  const listed = sets.get(addresses) ?? new Set(addresses);
  sets.set(addresses, listed);
  return {
    own: argv.filter((argument) => listed.has(argument)),
    rest: argv.filter((argument) => !listed.has(argument)),
  };
}

/** The version of the provider of a state, before and after. */
export function renderVersion({ provider: { from, to } }: PlanState): string {
  return from === to ? to : `${from} → ${to}`;
}

/**
 * A plan as it is printed for people and shells that use another binary, such as `tofu`: each command
 * begins with it. The plan itself stays as it is, for `apply` is told the binary when it runs.
 *
 * @param binary as the user wrote it: a name, or a path
 */
export function withBinary(plan: Plan, binary: string): Plan {
  if (binary === 'terraform') return plan;
  const steps = plan.steps.map(({ runs, ...step }) => ({
    ...step,
    ...(runs !== undefined && {
      runs: runs.map(({ argv, ...run }) => ({
        ...run,
        argv: argv[0] === 'terraform' ? [binary, ...argv.slice(1)] : argv,
      })),
    }),
  }));
  return { ...plan, steps };
}
