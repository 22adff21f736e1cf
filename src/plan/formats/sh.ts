import { type FileEdit } from '../../tfconfig/plan-edit';
import { type Finding, renderFindings } from '../../core/finding';
import { posixQuote } from '../../core/posix-quote';
import { printable } from '../../core/printable';
import { type Plan, type PlanState, type Run, type Step, type StepKind } from '../plan';
import { splitAddresses } from './render-command';
import { NEUTRALISED_VARIABLES } from '../../core/terraform-syntax';

/** How the script begins: by it, an earlier one is known again. */
export const SH_HEAD = '#!/bin/sh\n# Migration plan of cf-waf-migrate for zone ';

/**
 * The plan as a POSIX shell script: stops at the first failure and at each step that a person has
 * to do, and goes on from the step that it is told. Every step can be run again.
 */
export function renderSh(plan: Plan): string {
  const zones = plan.zones.map(({ zoneId }) => zoneId).join(' ');
  const { steps, findings } = plan;
  const body = steps.flatMap((step, index) => {
    const state = plan.states.find(({ name }) => name === step.state);
    return renderShStep(step, { state, stopsAfter: steps[index + 1]?.kind !== 'manual' });
  });
  return [
    `${SH_HEAD}${printable(zones)}`,
    '# usage, in the folder that the plan was made for: sh plan.sh [--accept CODE]... [STEP]',
    '# Begins with step STEP (default 1). Exit 2: a manual step remains. Run it again to resume.',
    ...renderPrelude(steps.length),
    ...(steps.some(({ edits }) => edits) ? EDIT_PRELUDE : []),
    '',
    ...renderOpen(findings),
    ...body,
    "say 'done'",
    '',
  ].join('\n');
}

/** A blocker stops the script, and so does a decision that is not accepted by its code. */
function renderOpen(findings: readonly Finding[]): string[] {
  const open = findings.filter(({ severity }) => severity !== 'info');
  if (open.length === 0) return [];
  const shown = renderFindings(open).map((line) => `say ${posixQuote(line)} >&2`);
  if (open.some(({ severity }) => severity === 'blocker'))
    return [...shown, "stop 'Nothing was changed: the plan has a blocker'", ''];
  return [
    ...shown,
    'open=',
    `for code in ${[...new Set(open.map(({ code }) => posixQuote(code)))].join(' ')}; do`,
    '  case "$accepted " in *" --accept $code "*) ;; *) open="$open --accept $code" ;; esac',
    'done',
    'if [ -n "$open" ]; then',
    '  say "Nothing was changed. Accept each decision: sh plan.sh$accepted$open" >&2',
    '  exit 2',
    'fi',
    '',
  ];
}

interface StepContext {
  /** That the step is for. */
  readonly state: PlanState | undefined;
  /** False where the next step is one for a person, too: both are said before the script stops. */
  readonly stopsAfter: boolean;
}

type Renderer = (step: Step, context: StepContext) => string[];

/** How each kind of step is written. */
const renderers: Readonly<Record<StepKind, Renderer>> = {
  backup,
  manual,
  import: importOnce,
  check,
  edit: (step) => (step.edits ?? []).map(renderShEdit),
  'apply-blocks': applyBlocks,
  'remove-dry-run': (step) => runsOf(step).flatMap((run) => withAddresses(run, step)),
  remove: (step) => runsOf(step).flatMap((run) => removeOnce(run, step)),
  'upgrade-provider': upgrade,
};

/** One step as lines of the script. */
function renderShStep(step: Step, context: StepContext): string[] {
  const render = renderers[step.kind];
  return [
    `if due ${step.id}; then`,
    `  say ${posixQuote(`${step.id}. ${printable(step.title)}`)}`,
    ...render(step, context).map((line) => `  ${line}`),
    'fi',
    '',
  ];
}

function runsOf({ runs = [] }: Step): readonly Run[] {
  return runs;
}

function words(argv: readonly string[]): string {
  return argv.map(posixQuote).join(' ');
}

/** A state is known by its lineage, and by its serial before the script wrote it: another one is left alone. */
function backup(step: Step, { state }: StepContext): string[] {
  const { lineage = '', serial = 0 } = state ?? {};
  // as `terraform state pull` prints them; what is no lineage of Terraform's is not looked for
  const isKnown = /^[0-9A-Za-z-]+$/.test(lineage);
  const marks = isKnown ? [`"lineage": "${lineage}"`, `"serial": ${serial},`] : ['', ''];
  return runsOf(step).map(
    ({ argv, saveTo = '' }) => `save ${words([saveTo, ...marks])} ${words(argv)}`,
  );
}

/** `state rm` fails when nothing matches: what is gone already is left alone. */
function removeOnce(run: Run, step: Step): string[] {
  const list = words([...chdir(run), 'state', 'list']);
  return [
    `listed=$(${list})`,
    ...setAddresses(run, step),
    'if [ -n "$(both "$listed" "$@")" ]; then',
    `  ${command(run, step)}`,
    `  listed=$(${list})`,
    '  if [ -n "$(both "$listed" "$@")" ]; then stop "not everything was removed"; fi',
    'else',
    "  say '   removed already'",
    'fi',
  ];
}

function withAddresses(run: Run, step: Step): string[] {
  return [...setAddresses(run, step), command(run, step)];
}

/** The addresses, one a line, as the arguments of the script itself. */
function setAddresses(run: Run, step: Step): string[] {
  const own = splitAddresses(run, step).own.map(posixQuote);
  return ['set -- \\', ...own.map((one, at) => `  ${one}${at < own.length - 1 ? ' \\' : ''}`)];
}

function command(run: Run, step: Step): string {
  return `${words(splitAddresses(run, step).rest)} "$@"`;
}

/** `import` refuses an address that the state has. Before the first import there may be no state. */
function importOnce(step: Step): string[] {
  const [address = ''] = step.addresses ?? [];
  return runsOf(step).flatMap((run) => [
    `listed=$(${words([...chdir(run), 'state', 'list'])} 2> /dev/null) || listed=`,
    `if [ -n "$(both "$listed" ${posixQuote(address)})" ]; then`,
    "  say '   imported already'",
    'else',
    `  ${words(run.argv)}`,
    'fi',
  ]);
}

/** A plan with changes exits with 2, as a step for a person does. */
function check(step: Step): string[] {
  return runsOf(step).flatMap(({ argv }) => [
    `${words(argv)} || {`,
    '  code=$?',
    `  if [ "$code" -eq 2 ]; then say 'the plan is not empty: read it before anything is applied'; fi`,
    '  exit "$code"',
    '}',
  ]);
}

/**
 * The saved plan is looked at before it is applied: nothing but imports and forgets may be in it. A change of a resource
 * stands in its JSON as `"change":{"actions":["create"]`; that of an output stands under its name. It holds the state: it
 * is gone with the step, however that ends.
 */
function applyBlocks(step: Step): string[] {
  const [plan, show, apply] = runsOf(step);
  if (plan === undefined || show === undefined || apply === undefined) return [];
  const [folder] = chdir(show)
    .slice(1)
    .map((one) => one.slice('-chdir='.length));
  const saved = [folder, show.argv.at(-1)].filter((part) => part !== undefined).join('/');
  return [
    `saved=${posixQuote(saved)}`,
    '(',
    `  trap 'rm -f -- "$saved"' EXIT`,
    "  trap 'exit 1' HUP INT TERM",
    `  ${words(plan.argv)}`,
    `  shown=$(${words(show.argv)})`,
    `  if printf '%s\\n' "$shown" | grep -Eq '"change":\\{"actions":\\[[^]]*"(create|update|delete)"'; then`,
    `    stop 'the plan does more than import and forget: it was not applied'`,
    '  fi',
    `  ${words(apply.argv)}`,
    ')',
  ];
}

/** The version constraint is a person's to set: the script goes on when it is begun here. */
function upgrade(step: Step): string[] {
  return [
    `if [ "$first" -lt ${step.id} ]; then`,
    `  say "set the constraint in required_providers, then run this script again with:$accepted ${step.id}"`,
    '  exit 2',
    'fi',
    ...runsOf(step).map(({ argv }) => words(argv)),
  ];
}

function manual(step: Step, { stopsAfter }: StepContext): string[] {
  const next = Number(step.id) + 1;
  return [
    ...(step.addresses ?? []).map((address) => `say ${posixQuote(`   ${printable(address)}`)}`),
    ...runsOf(step).map(({ argv }) => `say ${posixQuote(`   ${printable(words(argv))}`)}`),
    ...(step.code ?? '')
      .split('\n')
      .slice(0, -1)
      .map((line) => `say ${posixQuote(`   ${printable(line)}`)}`),
    ...(stopsAfter
      ? [`say "do this by hand, then run this script again with:$accepted ${next}"`, 'exit 2']
      : []),
  ];
}

/** The beginning of a command of Terraform: the binary and its folder. */
function chdir({ argv }: Run): string[] {
  return argv.slice(0, argv[1]?.startsWith('-chdir=') ? 2 : 1);
}

/** One edit as a call of `edit`. */
function renderShEdit({ file, sha256, sha256After, insert = '', diff }: FileEdit): string {
  const text = sha256 === null ? insert : diff;
  return ['edit', file, sha256 ?? '', sha256After ?? '', text].map(posixQuote).join(' ');
}

/** Prints the names of the variables that a script unsets. */
const VARIABLE_NAMES = NEUTRALISED_VARIABLES.map(
  (beginning) => String.raw`s/^\(${beginning}[A-Za-z0-9_]*\)=.*/\1/p`,
).join('; ');

/** The head of the script: its arguments, and the functions that the steps use. POSIX alone. */
export function renderPrelude(steps: number): string[] {
  return [
    'set -eu',
    '# Terraform keeps copies of the state, too',
    'umask 077',
    'first=1',
    'accepted=',
    "usage() { printf '%s\\n' 'usage: sh plan.sh [--accept CODE]... [STEP]' >&2; exit 64; }",
    'while [ "$#" -gt 0 ]; do',
    '  case $1 in',
    '    --accept) [ "$#" -gt 1 ] || usage; accepted="$accepted --accept $2"; shift ;;',
    "    '' | *[!0-9]*) usage ;;",
    '    *) first=$1 ;;',
    '  esac',
    '  shift',
    'done',
    `if [ "$first" -gt ${steps} ]; then printf '%s\\n' 'there are ${steps} steps' >&2; exit 64; fi`,
    `for name in $(env | sed -n '${VARIABLE_NAMES}'); do unset "$name"; done`,
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
  '# edit FILE BEFORE AFTER TEXT: TEXT is the difference, or the whole of a new file (BEFORE is empty);',
  '# a file whose AFTER is empty is deleted',
  'edit() {',
  '  found=$(digest "$1")',
  '  if [ "$found" = "$3" ]; then',
  '    say "   done already: $1"',
  '    return 0',
  '  fi',
  '  if [ "$found" != "$2" ]; then stop "$1 has changed since the plan was made: plan again"; fi',
  '  if [ -L "$1" ]; then stop "$1 is a link: use cf-waf-migrate apply PLAN --only edits"; fi',
  '  say "   $1"',
  '  if [ -z "$3" ]; then',
  '    rm -- "$1"',
  '    return 0',
  '  fi',
  '  file=$1',
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
