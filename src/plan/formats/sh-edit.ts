import { type FileEdit } from '../../blocks/plan-edit';
import { posixQuote } from '../../model/posix-quote';

/**
 * The functions of a script that makes edits. They work on a copy, and only what has the digest
 * that the plan promises takes the place of the file.
 */
export const EDIT_PRELUDE: readonly string[] = [
  '# digest FILE: its sha256; nothing where there is no file',
  'digest() {',
  '  if [ ! -e "$1" ]; then return 0; fi',
  '  if command -v sha256sum > /dev/null; then sha256sum < "$1"; else shasum -a 256 < "$1"; fi |',
  '    cut -c 1-64',
  '}',
  '# place FILE: where it really is: the file behind a link is edited, and the link stays',
  'place() {',
  '  place=$1',
  '  while [ -L "$place" ] && [ -e "$place" ]; do',
  '    link=$(readlink -- "$place")',
  '    case $link in',
  '      /*) place=$link ;;',
  '      *) place=$(dirname -- "$place")/$link ;;',
  '    esac',
  '  done',
  '  printf \'%s\\n\' "$place"',
  '}',
  '# edit FILE BEFORE AFTER TEXT: TEXT is the difference, or the whole of a new file (BEFORE is empty);',
  '# a file whose AFTER is empty is deleted',
  'edit() {',
  '  found=$(digest "$1")',
  '  if [ "$found" = "$3" ]; then',
  '    say "   done already: $1"',
  '    return 0',
  '  fi',
  '  if [ "$found" != "$2" ]; then stop "$1 has changed since the plan was made: plan again"; fi',
  '  say "   $1"',
  '  if [ -z "$3" ]; then',
  '    rm -- "$1"',
  '    return 0',
  '  fi',
  '  file=$(place "$1")',
  '  if [ -z "$2" ]; then',
  '    (umask 022 && printf \'%s\' "$4" > "$file.part")',
  '  else',
  '    cp -p -- "$file" "$file.part"',
  '    printf \'%s\' "$4" | patch -s -- "$file.part" || true',
  '  fi',
  '  if [ "$(digest "$file.part")" != "$3" ]; then',
  '    rm -f -- "$file.part" "$file.part.orig" "$file.part.rej"',
  '    stop "cannot edit $1 here: use cf-waf-migrate apply PLAN --only edits"',
  '  fi',
  '  mv -- "$file.part" "$file"',
  '}',
];

/** One edit as a call of `edit`. */
export function renderShEdit({ file, sha256, sha256After, insert = '', diff }: FileEdit): string {
  const text = sha256 === null ? insert : diff;
  return ['edit', file, sha256 ?? '', sha256After ?? '', text].map(posixQuote).join(' ');
}
