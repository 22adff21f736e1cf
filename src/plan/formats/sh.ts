import { posix } from 'node:path';
import { type Finding, isBlocker, renderFindings, isOpenFinding } from '../../core/finding';
import { groupBy } from '../../core/lists';
import { posixQuote } from '../../core/posix-quote';
import { MigrationError } from '../../core/migration-error';
import { printable, withoutCommands } from '../../core/printable';
import { NEUTRALISED_VARIABLES } from '../../core/terraform-syntax';
import { type Plan, type PlanState } from '../plan-schema';
import { isManual, kindOf, type Step } from '../steps/step-kinds';
import { say, words } from './render-command';
import { flagsForDecisions } from './pull-request';

/** The beginning of the script, which identifies a plan in this format. */
export const SH_HEAD = '#!/bin/sh\n# Migration plan of cf-waf-migrate for zone ';

/**
 * Renders a plan as a POSIX shell script. It stops at the first failure and at each manual step, and resumes at a given
 * step. Every step can be run again.
 * @throws MigrationError `CONFIG_EDIT_REFUSED` if the name of a file contains a command to a terminal or runner
 */
export function renderSh(plan: Plan): string {
  const zones = plan.zones.map(({ zoneId }) => zoneId).join(' ');
  const { steps, findings } = plan;
  const files = steps.flatMap(({ edits = [] }) => edits.map(({ file }) => file));
  const hostile = files.find((file) => withoutCommands(printable(file)) !== file);
  if (hostile !== undefined) {
    const message = `a script would print the name ${printable(hostile, 200)} as it is`;
    throw new MigrationError('CONFIG_EDIT_REFUSED', message, { hint: 'rename it, or use `apply`' });
  }
  const body = steps.flatMap((step, index) => {
    const state = plan.states.find(({ name }) => name === step.state);
    const next = steps[index + 1];
    return renderShStep(step, state, next === undefined || !isManual(next));
  });
  return [
    `${SH_HEAD}${printable(zones)}`,
    '# usage, in the folder that the plan was made for: sh plan.sh [--accept CODE]... [STEP]',
    '# Begins with step STEP (default 1). Exit 2: a manual step remains. Run it again to resume.',
    renderPrelude(steps.length),
    ...(steps.some(({ edits }) => edits) ? [EDIT_PRELUDE] : []),
    '',
    ...renderOpen(findings),
    ...renderPlaces(steps),
    ...body,
    "say 'done'",
    '',
  ].join('\n');
}

/** The script stops at a blocker, and at a decision that is not accepted by its code. */
function renderOpen(findings: readonly Finding[]): string[] {
  const open = findings.filter(isOpenFinding);
  if (open.length === 0) return [];
  const shown = renderFindings(open).map((line) => `${say(withoutCommands(line))} >&2`);
  if (open.some(isBlocker))
    return [...shown, "stop 'Nothing was changed: the plan has a blocker'", ''];
  return [
    ...shown,
    'open=',
    `for code in ${[...new Set(open.map(({ code }) => posixQuote(code)))].join(' ')}; do`,
    '  case "$accepted " in *" --accept $code "*) ;; *) open=1 ;; esac',
    'done',
    'if [ -n "$open" ]; then',
    `  ${say(`Nothing was changed. Accept each decision: sh plan.sh ${flagsForDecisions(open)}`)} >&2`,
    '  exit 2',
    'fi',
    '',
  ];
}

/** Checks the places that the script writes to before the first step: a pull request can add links there. */
function renderPlaces(steps: readonly Step[]): string[] {
  const backups = steps.flatMap(({ runs = [] }) => runs.flatMap(({ saveTo }) => saveTo ?? []));
  const folders = [...new Set(backups.map((file) => posix.dirname(file)))];
  const edits = steps.flatMap(({ id, edits: own = [] }) => own.map((edit) => ({ id, ...edit })));
  const files = [...groupBy(edits, ({ file }) => file).values()];
  return [
    ...folders.map((folder) => `real ${words([folder])}`),
    ...backups.map((file) => `free ${words([file])}`),
    ...files.map((same) => {
      const { id, file, sha256After } = same.at(-1) ?? same[0];
      const before = same.map(({ sha256 }) => sha256 ?? '');
      return `ready ${words([id, file, sha256After, ...before])}`;
    }),
    '',
  ];
}

function renderShStep(step: Step, state: PlanState | undefined, stopsAfter: boolean): string[] {
  const lines = kindOf(step).shell(step, { marks: marksOf(state), stopsAfter });
  return [
    `if due ${step.id}; then`,
    `  ${say(`${step.id}. ${printable(step.title)}`)}`,
    ...lines.map((line) => `  ${line}`),
    'fi',
    '',
  ];
}

/** The lineage of a state and its serial before the script, as `terraform state pull` prints them. */
function marksOf(state: PlanState | undefined): string[] {
  const { lineage = '', serial = 0 } = state ?? {};
  // the script does not search for an invalid lineage
  const isKnown = /^[0-9A-Za-z-]+$/.test(lineage);
  return isKnown ? [`"lineage": "${lineage}"`, `"serial": ${serial},`] : ['', ''];
}

/** A sed program that prints the names of the variables that a script unsets. */
const VARIABLE_NAMES = NEUTRALISED_VARIABLES.map(
  (beginning) => String.raw`s/^\(${beginning}[A-Za-z0-9_]*\)=.*/\1/p`,
).join('; ');

/** The head of the script: its arguments, and the functions that the steps use. POSIX only. */
const renderPrelude = (
  steps: number,
): string => String.raw`# with -C, > creates a file: it writes to no other one, and through no link
set -euC
# Terraform keeps copies of the state, too
umask 077
first=1
accepted=
usage() { printf '%s\n' 'usage: sh plan.sh [--accept CODE]... [STEP]' >&2; exit 64; }
while [ "$#" -gt 0 ]; do
  case $1 in
    --accept) [ "$#" -gt 1 ] || usage; accepted="$accepted --accept $2"; shift ;;
    '' | *[!0-9]*) usage ;;
    *) first=$1 ;;
  esac
  shift
done
if [ "$first" -gt ${steps} ]; then printf '%s\n' 'there are ${steps} steps' >&2; exit 64; fi
for name in $(env | sed -n '${VARIABLE_NAMES}'); do unset "$name"; done

due() { [ "$1" -ge "$first" ]; }
say() { printf '%s\n' "$*"; }
stop() { say "$@" >&2; exit 1; }
# resume STEP TEXT: stops for a manual step
resume() { say "$2, then run this script again with:$accepted $1"; exit 2; }
# real FOLDER: it is no link
real() { if [ -L "$1" ]; then stop "$1 is a link: delete it, then run this script again"; fi; }
# free FILE: the names of its copy are free
free() {
  for part in "$1.part" "$1.part.orig" "$1.part.rej"; do
    if [ -e "$part" ] || [ -L "$part" ]; then stop "$part exists: delete it, then run this script again"; fi
  done
}
# both LIST WORD...: the lines of LIST that are among the words
both() { printf '%s\n' "$@" | LC_ALL=C sort | LC_ALL=C uniq -d; }
# listed COMMAND...: the addresses in the state of a command of Terraform
listed() { case $2 in -chdir=*) "$1" "$2" state list ;; *) "$1" state list ;; esac; }
# import_once ADDRESS COMMAND...: Terraform refuses to import an address that the state has
import_once() {
  address=$1
  shift
  # before the first import there may be no state
  found=$(listed "$@" 2> /dev/null) || found=
  if [ -n "$(both "$found" "$address")" ]; then
    say '   imported already'
  else
    "$@"
  fi
}
# remove_once COMMAND...: terraform state rm fails if the state has none of the addresses
remove_once() {
  found=$(listed "$@")
  if [ -z "$(both "$found" "$@")" ]; then
    say '   removed already'
    return 0
  fi
  "$@"
  found=$(listed "$@")
  if [ -n "$(both "$found" "$@")" ]; then stop 'not everything was removed'; fi
}
# check COMMAND...: a plan with changes exits with 2, as a manual step does; through a wrapper, it can exit with 0, and a
# warning can have any text
check() {
  code=0
  shown=$("$@") || code=$?
  if [ -n "$shown" ]; then say "$shown"; fi
  if [ "$code" -eq 0 ] && ! printf '%s\n' "$shown" | grep -q '^[^ ]*No changes\.'; then code=2; fi
  if [ "$code" -eq 0 ] && printf '%s\n' "$shown" | grep -Eq '^(.\[[0-9;]*m)*(Plan:|Changes to Outputs)'; then code=2; fi
  if [ "$code" -eq 2 ]; then
    say 'the plan is not empty: read it. If it only removes outputs, run terraform apply once, then this script again'
  fi
  if [ "$code" -ne 0 ]; then exit "$code"; fi
}
# only_import_and_forget COMMAND...: a drift is listed before resource_changes; an output has its name instead of "change"
only_import_and_forget() {
  shown=$("$@")
  if printf '%s\n' "$shown" | grep -Eq '"resource_changes":.*"change":\{"actions":\[[^]]*"(create|update|delete)"'; then
    stop 'the plan does more than import and remove from state: it was not applied'
  fi
}
# save FILE LINEAGE SERIAL COMMAND...: what the command prints, if both are in it: whole, over no older file
save() (
  file=$1
  lineage=$2
  serial=$3
  shift 3
  if [ -s "$file" ]; then holds "$file" "$lineage" "$other"; fi
  folder=$(dirname "$file")
  mkdir -p "$folder"
  if [ ! -e "$folder/.gitignore" ]; then printf '%s\n' '*' > "$folder/.gitignore"; fi
  trap 'rm -f "$file.part"' EXIT
  trap 'exit 1' HUP INT TERM
  "$@" > "$file.part"
  holds "$file.part" "$lineage" "$other"
  if [ -s "$file" ]; then
    say "   kept: $file"
  else
    holds "$file.part" "$serial" "$since"
    mv "$file.part" "$file"
  fi
)
other='this is not the state that the plan was made for: check the folder and the workspace'
since='the state was written since the plan was made: plan again'
# holds FILE TEXT WORD...: if TEXT is not in FILE, the script stops with the words as its message
holds() { if ! grep -qF "$2" "$1"; then shift 2; stop "$@"; fi; }`;

/** The functions of a script with edits. They edit a copy, and replace the file only if the digest matches the plan. */
const EDIT_PRELUDE = String.raw`# digest FILE: its sha256; nothing where there is no file
digest() {
  if [ ! -e "$1" ]; then return 0; fi
  if command -v sha256sum > /dev/null; then sha256sum < "$1"; else shasum -a 256 < "$1"; fi |
    cut -c 1-64
}
# ready STEP FILE AFTER BEFORE...: until STEP, a file is the planned one before or after an edit
ready() {
  if ! due "$1"; then return 0; fi
  file=$2
  after=$3
  shift 3
  found=$(digest "$file")
  if [ "$found" = "$after" ]; then return 0; fi
  case " $* " in *" $found "*) ;; *) stop "$file has changed since the plan was made: plan again" ;; esac
  if [ -L "$file" ]; then stop "$file is a link: use cf-waf-migrate apply PLAN --only edits"; fi
  free "$file"
}
# edit FILE BEFORE AFTER TEXT: TEXT is the difference, or the whole of a new file (BEFORE is empty)
edit() {
  found=$(digest "$1")
  if [ "$found" = "$3" ]; then
    say "   done already: $1"
    return 0
  fi
  if [ "$found" != "$2" ]; then stop "$1 has changed since the plan was made: plan again"; fi
  say "   $1"
  file=$1
  if [ -z "$2" ]; then
    (umask 022 && printf '%s' "$4" > "$file.part")
  else
    : > "$file.part"
    cp -p -- "$file" "$file.part"
    printf '%s' "$4" | patch -s -- "$file.part" || true
  fi
  if [ "$(digest "$file.part")" != "$3" ]; then
    rm -f -- "$file.part" "$file.part.orig" "$file.part.rej"
    stop "cannot edit $1 here: use cf-waf-migrate apply PLAN --only edits"
  fi
  mv -- "$file.part" "$file"
}`;
