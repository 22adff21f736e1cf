import { type Command, InvalidArgumentError, Option } from 'commander';

export interface Flag {
  readonly summary: string;
  readonly choices?: readonly string[];
  readonly usual?: string;
  /** Names of the options that it excludes. */
  readonly conflicts?: readonly string[];
  readonly group?: 'Many zones' | 'Advanced';
  /** Can be repeated, with one value each time, because an operand can follow it. */
  readonly isRepeated?: true;
}

/** The flags of a command with their summaries, such as `--out <file>`. The types of the options follow from it. */
export type Flags = Readonly<Record<string, string | Flag>>;

/** `--dry-run`, `--no-dry-run` and `--dry-run <value>` set `dryRun`. */
type NameOf<Text> = Text extends `--no-${infer Name}`
  ? NameOf<`--${Name}`>
  : Text extends `--${infer Name} <${string}`
    ? CamelCase<Name>
    : Text extends `--${infer Name}`
      ? CamelCase<Name>
      : never;

type CamelCase<Words> = Words extends `${infer First}-${infer Others}`
  ? `${First}${Capitalize<CamelCase<Others>>}`
  : Words;

type ValueOf<Text, Of> = Text extends `${string}...>`
  ? string[]
  : Of extends { readonly choices: readonly (infer Choice)[] }
    ? Choice
    : Of extends { readonly isRepeated: true }
      ? string[]
      : Text extends `${string}>`
        ? string
        : boolean;

type HasDefault = { readonly usual: string };

/** The values of flags. A flag without a default can be absent. */
export type OptionsOf<F extends Flags> = {
  readonly [Text in keyof F as F[Text] extends HasDefault ? never : NameOf<Text>]?:
    ValueOf<Text, F[Text]> | undefined;
} & {
  readonly [Text in keyof F as F[Text] extends HasDefault ? NameOf<Text> : never]: ValueOf<
    Text,
    F[Text]
  >;
};

export const defineFlags = <const F extends Flags>(flags: F): F => flags;

/** A rare flag: it comes last in the help. */
export const advanced = (summary: string) => ({ summary, group: 'Advanced' }) as const;

/** A flag that only many zones use. */
export const manyZones = (summary: string, conflicts: readonly string[] = []) =>
  ({ summary, group: 'Many zones', conflicts }) as const;

export const GLOBAL_FLAGS = [
  new Option('--json', 'print one JSON document'),
  new Option('--quiet', 'print no progress and no notices'),
  new Option('--verbose', 'show each request and each run of Terraform'),
  new Option('--no-color', 'use no colour (environment NO_COLOR)'),
  new Option('--yes', 'do not ask; open decisions still need --accept'),
];

export function addFlags(command: Command, flags: Flags): void {
  for (const [text, flag] of Object.entries(flags)) {
    const own: Flag = typeof flag === 'string' ? { summary: flag } : flag;
    const { summary, choices, usual, group, conflicts = [], isRepeated } = own;
    const option = new Option(text, summary).default(usual).conflicts([...conflicts]);
    if (choices !== undefined) option.choices(choices);
    if (group !== undefined) option.helpGroup(`${group}:`);
    if (isRepeated) {
      option.argParser((value: string, before?: string[]) => [...(before ?? []), value]);
    } else if (option.required && !option.variadic) refuseRepeated(option);
    command.addOption(option);
  }
}

/** Refuses a second value, which would silently replace the first. */
function refuseRepeated(option: Option): void {
  const parse = option.parseArg;
  let isGiven = false;
  option.argParser((value: string, before: unknown): unknown => {
    if (isGiven) throw new InvalidArgumentError('Pass this option once.');
    isGiven = true;
    return parse === undefined ? value : parse(value, before);
  });
}
