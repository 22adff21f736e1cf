import { type Command as Commander } from 'commander';

/** A flag, as a shell completes it. */
export interface CompletedFlag {
  /** With its dashes. */
  readonly name: string;
  readonly summary: string;
  /** Absent where it takes no value; empty where any value will do, such as a file. */
  readonly values?: readonly string[];
}

/** A command, as a shell completes it. */
export interface CompletedCommand {
  /** The words that lead to it: `fleet status`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  readonly flags: readonly CompletedFlag[];
}

/** Everything that can be completed, out of the program itself: it cannot fall behind. */
export function describeProgram(program: Commander, path = ''): CompletedCommand[] {
  const commands = program.commands.map((one) => ({
    name: one.name(),
    summary: one.description(),
  }));
  const flags = program.options.flatMap(({ long, description, argChoices, required, optional }) =>
    typeof long === 'string'
      ? [
          {
            name: long,
            summary: description,
            ...(required || optional ? { values: argChoices ?? [] } : {}),
          },
        ]
      : [],
  );
  const own = { path, commands, flags: [...flags, { name: '--help', summary: 'display help' }] };
  return [
    own,
    ...program.commands.flatMap((one) => describeProgram(one, `${path} ${one.name()}`.trim())),
  ];
}
