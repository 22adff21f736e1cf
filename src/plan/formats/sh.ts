import { printable } from '../../model/printable';
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
  const { steps } = plan;
  const body = steps.flatMap((step, index) => {
    const state = plan.states.find(({ name }) => name === step.state);
    return renderShStep(step, { state, stopsAfter: steps[index + 1]?.kind !== 'manual' });
  });
  return [
    `${SH_HEAD}${printable(zones)}`,
    '# usage, in the folder that the plan was made for: sh plan.sh [STEP]',
    '# Begins with step STEP (default 1). Exit 2 where a person has to act. Can be run again.',
    ...renderPrelude(steps.length),
    ...(steps.some(({ edits }) => edits) ? EDIT_PRELUDE : []),
    '',
    ...body,
    "say 'done'",
    '',
  ].join('\n');
}
