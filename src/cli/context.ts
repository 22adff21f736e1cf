import { type Hold } from '../terraform/run-terraform';
import { type Flags, type OptionsOf } from './flags';

/** The process as commands see it: main.ts provides it, and tests pass their own. */
export interface ProcessContext {
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdout: (text: string) => void;
  /** Everything else: progress, notices, errors. */
  readonly stderr: (text: string) => void;
  /** Which of the two is a terminal, and how wide it is. */
  readonly terminals: {
    readonly stdout: boolean;
    readonly stderr: boolean;
    /** Whether both are written to the same file or pipe, as with `2>&1`. */
    readonly areOneFile?: boolean;
    readonly columns: number;
  };
  /** Reads standard input piece by piece, because events can be larger than memory. */
  readonly readStdin: () => AsyncIterable<Uint8Array>;
  /** Asks the user for one line; null without a terminal. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** Aborted when the user stops the tool: child processes are stopped too. */
  readonly interrupted: AbortSignal;
  /** Waits this number of milliseconds before a retry; the default is a timer. */
  readonly wait?: (milliseconds: number) => Promise<void>;
  /** Aborted at the second stop: child processes are killed. */
  readonly hurry?: AbortSignal;
  /** Registers work that must end before the process, such as a run of Terraform. */
  readonly hold?: Hold;
  /** Registers lines that are printed if the user stops the tool; the result removes them again. */
  readonly ifStopped: (...lines: readonly string[]) => () => void;
  /** Resolves when the user stops the command (Ctrl-C), which is not a failure. */
  readonly untilInterrupted: () => Promise<void>;
  /** Called at each fault point of `apply`: tests inject faults here. */
  readonly fault: (point: string) => void;
}

export interface CliContext extends ProcessContext {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Answers the question of a command that changes something. */
  readonly yes: boolean;
  /** Whether standard error stays empty, so that a script can read the error from it. */
  readonly isSilent: boolean;
  /** Prints a line on standard error, unless it stays empty. */
  readonly notify: (line: string) => void;
  /** The same, but the same line only once. */
  readonly notifyOnce: (line: string) => void;
  /** The command to run again, without the program's name and without global flags. */
  readonly commandLine: string;
  /** The same without secrets, for a file. */
  readonly recordedLine: string;
  /** The same with more flags, and without another one and its value. Flags for Terraform come last. */
  readonly commandWith: (flags: readonly string[], without?: string) => string;
  readonly passedArguments: readonly string[];
}

/** The result of a command: data for scripts, text for users. */
export interface CommandResult {
  readonly json: unknown;
  readonly text: string;
  /** The next command, without the program's name: printed below the text, ready to copy. */
  readonly next?: string | undefined;
  /** What to do before the next command, such as a manual step, and its commands; or a task instead of a command. */
  readonly before?:
    | {
        readonly task: string;
        /** When the next command comes; by default when the task is done. */
        readonly when?: string;
        readonly commands?: readonly string[];
        /** Where to run the next command, if not in the working directory; only without commands. */
        readonly folder?: string;
      }
    | undefined;
  /** A document for standard output: printed unchanged, instead of `text` and `json`. */
  readonly document?: string;
  /** 0: done. 1: one of many zones failed. 2: differences, decisions or manual steps remain. */
  readonly exitCode: 0 | 1 | 2;
}

export interface CliCommand<F extends Flags = Flags> {
  /** For a command of a group. The list of commands has the others, because it loads no command. */
  readonly summary?: string;
  readonly example: string;
  /** The name of its positional argument, such as `plan`; in brackets if it is optional. */
  readonly operand?: string;
  readonly passesArguments?: boolean;
  readonly flags: F;
  /** @param operand empty if omitted */
  run(
    options: OptionsOf<F>,
    context: CliContext,
    operand: string,
  ): CommandResult | Promise<CommandResult>;
}

/** A command whose options have the types of its flags. */
export function defineCommand<const F extends Flags>(command: CliCommand<F>): CliCommand<F> {
  return command;
}

/** Commands below one name: `firewall rules list`. */
export interface CommandGroup {
  readonly summary?: string;
  readonly commands: Readonly<Record<string, CliCommand | CommandGroup>>;
}
