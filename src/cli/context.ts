/** What a command may know of the process: main.ts fills it, tests give their own. */
export interface CliContext {
  /** Of this tool. */
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The Node binary, for what runs in a process of its own. */
  readonly node: string;
  /** Results. */
  readonly stdout: (text: string) => void;
  /** Everything else: progress, notices, errors. */
  readonly stderr: (text: string) => void;
  readonly readStdin: () => Promise<Buffer>;
  /** Asks a person for one line; null where there is no terminal to ask on. */
  readonly ask: ((question: string) => Promise<string>) | null;
  /** Resolves when the user asks to stop (Ctrl-C). */
  readonly untilInterrupted: () => Promise<void>;
}

/** What every command returns: data for scripts, text for people. */
export interface CommandResult {
  readonly json: unknown;
  readonly text: string;
  /** A document that is printed as it is, with or without `--json`. */
  readonly document?: string;
  /** 0 done; 2 differences, decisions or manual steps remain. */
  readonly exitCode: 0 | 2;
}
