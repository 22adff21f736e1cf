import { addressSet } from './address-set';
import { printable } from '../../model/printable';
import { type Plan, type PlanState, type Run, type Step } from '../plan';
import { renderPowershellPrelude } from './powershell-prelude';
import { powershellQuote } from './powershell-quote';

/** How the script begins: by it, an earlier one is known again. */
export const POWERSHELL_HEAD = '# PowerShell: migration plan of cf-waf-migrate for zone ';

/**
 * The plan as a script for PowerShell 7.3 or later: as the one for a POSIX shell, it stops at the
 * first failure and at each step of a person, goes on from the step that it is told, and can be run
 * again. Its quoting follows the written rules of the language.
 */
export function renderPowershell(plan: Plan): string {
  const zones = plan.zones.map(({ zoneId }) => zoneId).join(' ');
  const { steps, states } = plan;
  return [
    `${POWERSHELL_HEAD}${printable(zones)}`,
    '# usage, in the folder that the plan was made for: pwsh -File plan.ps1 [-First STEP]',
    '# Begins with step STEP (default 1). Exit 2 where a person has to act. Can be run again.',
    ...renderPowershellPrelude(Math.max(steps.length, 1)),
    '',
    ...steps.flatMap((step) =>
      renderStep(
        step,
        states.find(({ name }) => name === step.state),
      ),
    ),
    `Write-Host '${steps.length === 0 ? 'nothing to do' : 'done'}'`,
    '',
  ].join('\n');
}

function renderStep(step: Step, state: PlanState | undefined): string[] {
  return [
    `if ($First -le ${step.id}) {`,
    `  Write-Host ${powershellQuote(`${step.id}. ${printable(step.title)}`)}`,
    ...linesOf(step, state).map((line) => `  ${line}`),
    '}',
    '',
  ];
}

function linesOf(step: Step, state: PlanState | undefined): string[] {
  const { runs = [] } = step;
  if (step.kind === 'backup') return runs.map((run) => backup(run, state));
  if (step.kind === 'import') return runs.flatMap((run) => importOnce(run, step));
  if (step.kind === 'remove') return runs.flatMap((run) => removeOnce(run, step));
  if (step.kind === 'manual' || step.kind === 'edit') return byHand(step);
  if (step.kind === 'apply-blocks' || step.kind === 'apply-refresh') return byHand(step);
  if (step.kind === 'upgrade-provider') return upgrade(step);
  return runs.map(({ argv }) => `Invoke-Step ${words(argv)}`);
}

function words(argv: readonly string[]): string {
  return argv.map(powershellQuote).join(' ');
}

function backup({ argv, saveTo = '' }: Run, state: PlanState | undefined): string {
  const known = `${powershellQuote(state?.lineage ?? '')} ${state?.serial ?? 0}`;
  return `Save-State ${powershellQuote(saveTo)} ${known} ${words(argv)}`;
}

/** `import` refuses an address that the state has. */
function importOnce(run: Run, { addresses = [] }: Step): string[] {
  return [
    `$own = @(${addresses.map(powershellQuote).join(', ')})`,
    `if (@(Select-Both (Get-Addresses ${words(listOf(run))}) $own).Count -gt 0) {`,
    "  Write-Host '   in the state already'",
    `} else { Invoke-Step ${words(run.argv)} }`,
  ];
}

/** `state rm` fails when nothing matches: what is gone already is left alone. */
function removeOnce(run: Run, { addresses = [] }: Step): string[] {
  const listed = addressSet(addresses);
  const own = run.argv.filter((argument) => listed.has(argument));
  const rest = run.argv.filter((argument) => !listed.has(argument));
  // a list that cannot be had ends the script: it is not an empty one
  const left = `@(Select-Both @(Invoke-Step ${words(listOf(run))}) $own)`;
  return [
    `$own = @(${own.map((one) => `\n    ${powershellQuote(one)}`).join(',')}\n  )`,
    `$left = ${left}`,
    `if ($left.Count -gt 0) { Invoke-Step ${words(rest)} @left }`,
    "else { Write-Host '   gone already' }",
    `if (${left}.Count -gt 0) { Stop-Plan 'not everything is gone' }`,
  ];
}

/** The version constraint is a person's to set: the script goes on when it is begun here. */
function upgrade({ id, runs = [] }: Step): string[] {
  const message = `set the constraint in required_providers, then run this script again with: -First ${id}`;
  return [
    `if ($First -lt ${id}) { Stop-Plan '${message}' 2 }`,
    ...runs.map(({ argv }) => `Invoke-Step ${words(argv)}`),
  ];
}

/** Edits are made, and a saved plan is judged, by the tool: a script could do neither safely. */
function byHand({ id, kind, addresses = [], edits = [], runs = [], code = '' }: Step): string[] {
  const say = (text: string): string => `Write-Host ${powershellQuote(`   ${printable(text)}`)}`;
  const next = Number(id) + 1;
  const what =
    kind === 'manual' ? 'do this by hand' : 'let `cf-waf-migrate apply` do this, or do it by hand';
  return [
    ...addresses.map(say),
    ...edits.map(({ file }) => say(file)),
    ...runs.map(({ argv }) => say(words(argv))),
    ...code.split('\n').slice(0, -1).map(say),
    `Stop-Plan ${powershellQuote(`${what}, then run this script again with: -First ${next}`)} 2`,
  ];
}

function listOf({ argv }: Run): string[] {
  return [...argv.slice(0, argv[1]?.startsWith('-chdir=') ? 2 : 1), 'state', 'list'];
}
