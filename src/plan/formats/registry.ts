import { type Plan } from '../plan';
import { renderSh } from './sh';
import { renderText } from './text';

/** The one list of plan formats: adding one is a file and a line here. */
export const planFormats = {
  text: renderText,
  json: (plan: Plan) => `${JSON.stringify(plan, null, 2)}\n`,
  sh: renderSh,
} satisfies Record<string, (plan: Plan) => string>;

/** Name of a plan format, as `--format` takes it. */
export type PlanFormatName = keyof typeof planFormats;
