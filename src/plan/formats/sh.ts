import { printable } from '../../model/printable';
import { type Plan, type Run, type Step } from '../plan';
import { posixQuote } from './posix-quote';

/**
 * The plan as a POSIX shell script: stops at the first failure and at each step that a person has
 * to do, and goes on from the step that it is told.
 */
export function renderSh(plan: Plan): string {
  const zones = plan.zones.map(({ zoneId }) => zoneId).join(' ');
  return [
    '#!/bin/sh',
    `# Migration plan of cf-waf-migrate for zone ${printable(zones)}`,
    '# usage: sh plan.sh [STEP]   begins with step STEP (default 1); exit 2 where a person has to act',
    'set -eu',
    'umask 077',
    'first=${1:-1}',
    'due() { [ "$1" -ge "$first" ]; }',
    'say() { printf \'%s\\n\' "$*"; }',
    '',
    ...(plan.steps.length === 0 ? ["say 'nothing to do'"] : plan.steps.flatMap(renderStep)),
    "say 'done'",
    '',
  ].join('\n');
}

function renderStep(step: Step): string[] {
  const title = posixQuote(`${step.id}. ${printable(step.title)}`);
  const body = step.kind === 'manual' ? manual(step) : (step.runs ?? []).flatMap(renderRun);
  return [
    `if due ${step.id}; then`,
    `  say ${title}`,
    ...body.map((line) => `  ${line}`),
    'fi',
    '',
  ];
}

function manual(step: Step): string[] {
  const next = Number(step.id) + 1;
  return [
    ...(step.addresses ?? []).map((address) => `say ${posixQuote(`   ${printable(address)}`)}`),
    ...(step.runs ?? []).map(
      ({ argv }) => `say ${posixQuote(`   ${argv.map(posixQuote).join(' ')}`)}`,
    ),
    `say ${posixQuote(`do this by hand, then run this script again with: ${next}`)}`,
    'exit 2',
  ];
}

function renderRun({ argv, saveTo }: Run): string[] {
  const command = argv.map(posixQuote).join(' ');
  if (saveTo === undefined) return [command];
  const target = posixQuote(saveTo);
  const folder = posixQuote(saveTo.split('/').slice(0, -1).join('/') || '.');
  return [
    `if [ -e ${target} ]; then`,
    `  say ${posixQuote(`   kept: ${saveTo}`)}`,
    'else',
    `  mkdir -p ${folder}`,
    `  ${command} > ${target}.part`,
    `  mv ${target}.part ${target}`,
    'fi',
  ];
}
