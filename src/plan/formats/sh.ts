import { type Finding } from '../../model/finding';
import { posixQuote } from '../../model/posix-quote';
import { printable } from '../../model/printable';
import { renderFindings } from '../../model/render-findings';
import { type Plan } from '../plan';
import { EDIT_PRELUDE } from './sh-edit';
import { renderPrelude } from './sh-prelude';
import { renderShStep } from './sh-step';

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
    '# Begins with step STEP (default 1). Exit 2 where a person has to act. Can be run again.',
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
