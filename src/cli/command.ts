import { type Command as Commander } from 'commander';
import { type CliContext, type CommandResult } from './context';

/** Flags that every command takes. */
export interface CommonOptions {
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly color?: boolean;
}

/** One command: its flags, and what it does. */
export interface CliCommand<Options> {
  /** A command line that works, for `--help`. */
  readonly example: string;
  /** The file that it takes without a flag: `plan`. */
  readonly operand?: string;
  /** Whether it takes arguments for Terraform, after `--`. */
  readonly passesArguments?: boolean;
  readonly define: (command: Commander) => Commander;
  readonly run: (
    options: Options & CommonOptions,
    context: CliContext,
    operand: string,
  ) => CommandResult | Promise<CommandResult>;
}

/** Adds what a command takes and does to its name. */
export type AddCommand = <Options>(named: Commander, command: CliCommand<Options>) => void;
