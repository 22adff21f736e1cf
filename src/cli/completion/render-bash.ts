import { posixQuote } from '../../model/posix-quote';
import { type CompletedCommand } from './describe-program';

/**
 * A completion for bash, and for zsh by its `bashcompinit`. Words are looked up in the script: no
 * process is started at a key press. Where nothing is known, files are completed.
 */
export function renderBash(commands: readonly CompletedCommand[]): string {
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
