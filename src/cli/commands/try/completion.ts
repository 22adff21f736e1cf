import { type Command as Commander } from 'commander';
import { MigrationError } from '../../../core/migration-error';
import { posixQuote } from '../../../core/posix-quote';
import { printable } from '../../../core/printable';
import { defineCommand } from '../../context';
import { GLOBAL_FLAGS } from '../../flags';

const shells = ['bash', 'zsh', 'fish'];

export const completionCommand = (program: Commander) =>
  defineCommand({
    example: 'completion bash',
    operand: '<shell>',
    flags: {},
    run: (_, { json }, shell) => {
      if (!shells.includes(shell)) {
        throw new MigrationError('USAGE', `"${printable(shell, 40)}" is not a supported shell`, {
          hint: `pass one of ${shells.join(', ')}`,
        });
      }
      const commands = describeProgram(program);
      const document = shell === 'fish' ? renderFish(commands) : renderBash(commands);
      const result = { json: { shell, script: document }, text: '', exitCode: 0 } as const;
      return json ? result : { ...result, document };
    },
  });

interface CompletedCommand {
  /** Its words, such as `fleet status`; empty for the program itself. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  /** With their dashes. Values are absent if a flag takes none, and empty if it takes any, such as a file. */
  readonly flags: readonly {
    readonly name: string;
    readonly summary: string;
    readonly values?: readonly string[];
  }[];
}

function describeProgram(program: Commander, path = ''): CompletedCommand[] {
  const commands = program.commands.map((one) => ({
    name: one.name(),
    summary: one.description(),
  }));
  const options = [...program.options, ...(commands.length === 0 ? GLOBAL_FLAGS : [])];
  const flags = options.map(({ flags: text, long, description, argChoices, required }) => ({
    name: long ?? text,
    summary: description,
    ...(required ? { values: argChoices ?? [] } : {}),
  }));
  const own = { path, commands, flags: [...flags, { name: '--help', summary: 'display help' }] };
  const inner = program.commands.flatMap((one) =>
    describeProgram(one, `${path} ${one.name()}`.trim()),
  );
  return [own, ...inner];
}

/**
 * A completion for bash, and for zsh with `bashcompinit`. The script contains all words, so a key press starts
 * no process. Without a known word, files are completed.
 */
function renderBash(commands: readonly CompletedCommand[]): string {
  const paths = commands.map(({ path }) => path).filter((path) => path !== '');
  return [
    '_cf_waf_migrate() {',
    '  local word path= words= previous=${COMP_WORDS[COMP_CWORD-1]}',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    case ${path:+$path }$word in',
    `      ${paths.map(pattern).join(' | ')}) path="\${path:+$path }$word" ;;`,
    '    esac',
    '  done',
    '  case "$path $previous" in',
    ...commands.flatMap(valuesOf),
    '    *)',
    '      case $path in',
    ...commands.map(
      ({ path, commands: inner, flags }) =>
        `        ${pattern(path)}) words=${posixQuote([...inner, ...flags].map(({ name }) => name).join(' '))} ;;`,
    ),
    '      esac ;;',
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    '}',
    'if [ -n "${ZSH_VERSION-}" ]; then autoload -U +X bashcompinit && bashcompinit; fi',
    'complete -o default -F _cf_waf_migrate cf-waf-migrate',
    '',
  ].join('\n');
}

function valuesOf({ path, flags }: CompletedCommand): string[] {
  return flags.flatMap(({ name, values }) =>
    values === undefined
      ? []
      : [`    ${pattern(`${path} ${name}`)}) words=${posixQuote(values.join(' '))} ;;`],
  );
}

function pattern(words: string): string {
  return words === '' ? "''" : words.replaceAll(' ', '\\ ');
}

/** A completion for fish, which shows what each word is for. */
function renderFish(commands: readonly CompletedCommand[]): string {
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
        `${begin} -l ${quote(name.slice(2))}${fishValues(values)} -d ${quote(summary)}`,
    ),
  ];
}

function fishValues(values: readonly string[] | undefined): string {
  if (values === undefined) return '';
  return values.length === 0 ? ' -r' : ` -x -a ${quote(values.join(' '))}`;
}

/** In single quotes, fish interprets a backslash only before a backslash or a quote. */
function quote(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
