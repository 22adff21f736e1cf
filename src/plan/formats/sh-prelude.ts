/** What a script unsets: it would change what the steps do or print. */
const VARIABLES = [
  ...['', '_init', '_import', '_plan', '_state', '_state_pull', '_state_rm', '_state_list'].map(
    (suffix) => `TF_CLI_ARGS${suffix}`,
  ),
  ...['TF_LOG', 'TF_LOG_CORE', 'TF_LOG_PROVIDER', 'TF_INPUT'],
];

/** The head of the script: its one argument, and the functions that the steps use. POSIX alone. */
export function renderPrelude(steps: number): string[] {
  return [
    'set -eu',
    '# Terraform keeps copies of the state, too',
    'umask 077',
    'first=${1:-1}',
    'case $first in',
    "  *[!0-9]*) printf '%s\\n' 'usage: sh plan.sh [STEP]' >&2; exit 64 ;;",
    'esac',
    `if [ "$first" -gt ${steps} ]; then printf '%s\\n' 'there are ${steps} steps' >&2; exit 64; fi`,
    `unset ${VARIABLES.slice(0, 5).join(' ')}`,
    `unset ${VARIABLES.slice(5).join(' ')}`,
    '',
    'due() { [ "$1" -ge "$first" ]; }',
    'say() { printf \'%s\\n\' "$*"; }',
    'stop() { say "$@" >&2; exit 1; }',
    '# both LIST WORD...: the lines of LIST that are among the words',
    'both() { printf \'%s\\n\' "$@" | LC_ALL=C sort | LC_ALL=C uniq -d; }',
    '# save FILE LINEAGE SERIAL COMMAND...: what the command prints, if both are in it: whole, over no older file',
    'save() (',
    '  file=$1',
    '  lineage=$2',
    '  serial=$3',
    '  shift 3',
    '  if [ -s "$file" ]; then holds "$file" "$lineage" "$other"; fi',
    '  folder=$(dirname "$file")',
    '  mkdir -p "$folder"',
    '  if [ ! -e "$folder/.gitignore" ]; then printf \'%s\\n\' \'*\' > "$folder/.gitignore"; fi',
    '  trap \'rm -f "$file.part"\' EXIT',
    "  trap 'exit 1' HUP INT TERM",
    '  "$@" > "$file.part"',
    '  holds "$file.part" "$lineage" "$other"',
    '  if [ -s "$file" ]; then',
    '    say "   kept: $file"',
    '  else',
    '    holds "$file.part" "$serial" "$since"',
    '    mv "$file.part" "$file"',
    '  fi',
    ')',
    "other='this is not the state that the plan was made for: check the folder and the workspace'",
    "since='the state was written since the plan was made: plan again'",
    '# holds FILE TEXT WORD...: or the script ends with the words',
    'holds() { if ! grep -qF "$2" "$1"; then shift 2; stop "$@"; fi; }',
  ];
}
