import { MigrationError } from '../../core/migration-error';
import { printable } from '../../core/printable';
import { type Step } from './step-kinds';

interface Flag {
  readonly takesValue: boolean;
  /** The subcommands in a plan that accept the flag (Terraform 1.11.4, measured). */
  readonly subcommands: readonly string[];
}

/**
 * Flags that can be passed to Terraform after `--`. Flags that change what is planned or which state is used
 * (`-target`, `-refresh=false`, `-state`) are left out, because an empty plan would then prove nothing.
 */
const FLAGS: ReadonlyMap<string, Flag> = new Map(
  Object.entries({
    var: { takesValue: true, subcommands: ['import', 'plan'] },
    'var-file': { takesValue: true, subcommands: ['import', 'plan'] },
    'lock-timeout': { takesValue: true, subcommands: ['init', 'import', 'plan', 'state rm'] },
    parallelism: { takesValue: true, subcommands: ['import', 'plan'] },
    'backend-config': { takesValue: true, subcommands: ['init'] },
    lockfile: { takesValue: true, subcommands: ['init'] },
    'ignore-remote-version': {
      takesValue: false,
      subcommands: ['init', 'import', 'state rm'],
    },
    'compact-warnings': { takesValue: false, subcommands: ['import', 'plan'] },
    'no-color': { takesValue: false, subcommands: ['init', 'import', 'plan', 'state rm'] },
  }),
);

const FLAG = /^--?([a-z-]+)(?:=([\s\S]*))?$/;

/** A flag for Terraform as one argument: `-var-file=prod.tfvars`. */
export interface PassedFlag {
  readonly word: string;
  readonly subcommands: readonly string[];
}

/**
 * Parses the arguments after `--`. A value may be a separate argument, as in Terraform.
 * @throws MigrationError `USAGE` for a flag that no subcommand of a plan accepts
 */
export function parseTerraformFlags(args: readonly string[]): PassedFlag[] {
  const passed: PassedFlag[] = [];
  const words = [...args];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    const [, name = '', value] = FLAG.exec(word) ?? [];
    const flag = FLAGS.get(name);
    if (flag === undefined) throw unknownFlag(word);
    const given = value ?? (flag.takesValue ? words.shift() : undefined);
    if (flag.takesValue && given === undefined) {
      throw new MigrationError('USAGE', `-${name} needs a value`);
    }
    if (given?.endsWith('…') === true) {
      throw new MigrationError('USAGE', `-${name} has … in place of its value`);
    }
    const text = given === undefined ? `-${name}` : `-${name}=${given}`;
    passed.push({ word: text, subcommands: flag.subcommands });
  }
  return passed;
}

export function passFlags(steps: readonly Step[], passed: readonly PassedFlag[]): Step[] {
  return steps.map((step) =>
    step.runs === undefined
      ? step
      : {
          ...step,
          runs: step.runs.map((run) => ({ ...run, argv: withFlags(run.argv, passed) })),
        },
  );
}

function withFlags(argv: readonly string[], passed: readonly PassedFlag[]): readonly string[] {
  const { subcommand, end } = subcommandOf(argv);
  const taken = passed.filter(({ subcommands }) => subcommands.includes(subcommand));
  return [...argv.slice(0, end), ...taken.map(({ word }) => word), ...argv.slice(end)];
}

/** Separates the flags that {@link passFlags} added from a command. */
export function separateFlags(argv: readonly string[]) {
  const { subcommand, end } = subcommandOf(argv);
  const rest = argv.slice(end);
  const own = rest.findIndex((word) => !isPassedFlag(word, subcommand));
  const count = own === -1 ? rest.length : own;
  return { command: [...argv.slice(0, end), ...rest.slice(count)], flags: rest.slice(0, count) };
}

/** The flags of a step's `terraform plan` that select what to plan, and with which inputs; not those that callers set. */
export function planFlagsOf({ runs: [plan] = [] }: Pick<Step, 'runs'>): string[] {
  const argv = plan?.argv ?? [];
  const flags = argv.slice(argv.indexOf('plan') + 1);
  return flags.filter((flag) => !/^-(input|detailed-exitcode|out)\b/.test(flag));
}

/** The subcommand of Terraform and the index after it. The subcommand of another program is empty. */
export function subcommandOf(argv: readonly string[]): { subcommand: string; end: number } {
  if (argv[0] !== 'terraform') return { subcommand: '', end: argv.length };
  const start = argv[1]?.startsWith('-chdir=') ? 2 : 1;
  const end = argv[start] === 'state' ? start + 2 : start + 1;
  return { subcommand: argv.slice(start, end).join(' '), end };
}

function isPassedFlag(word: string, subcommand: string): boolean {
  const [, name = '', value] = FLAG.exec(word) ?? [];
  const flag = FLAGS.get(name);
  if (flag?.subcommands.includes(subcommand) !== true) return false;
  return !flag.takesValue || value !== undefined;
}

function unknownFlag(word: string): MigrationError {
  const known = [...FLAGS.keys()].map((name) => `-${name}`);
  // the value can be a secret
  const name = printable(word.replace(/=[\s\S]*/, ''), 60);
  return new MigrationError('USAGE', `"${name}" cannot be passed to Terraform`, {
    hint: `pass one of these after --: ${known.join(', ')}`,
  });
}

/** Characters of one command: Windows allows 32,767, Linux and macOS far more. */
const LONGEST_COMMAND = 30_000;

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
