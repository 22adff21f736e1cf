import { type Plan } from '../plan';
import { MARKDOWN_HEAD, renderMarkdown } from './markdown';
import { POWERSHELL_HEAD, renderPowershell } from './powershell';
import { renderSh, SH_HEAD } from './sh';
import { renderText, TEXT_HEAD } from './text';

/** The one list of plan formats: adding one is a file and a line here. */
export const planFormats = {
  text: renderText,
  json: (plan: Plan) => `${JSON.stringify(plan, null, 2)}\n`,
  sh: renderSh,
  powershell: renderPowershell,
  markdown: renderMarkdown,
} satisfies Record<string, (plan: Plan) => string>;

/** Name of a plan format, as `--format` takes it. */
export type PlanFormatName = keyof typeof planFormats;

/** How the formats begin. */
const HEADS = [
  TEXT_HEAD,
  '{\n  "format": "cf-waf-migrate/plan"',
  SH_HEAD,
  POWERSHELL_HEAD,
  MARKDOWN_HEAD,
];

/** Whether a text is a plan in one of the formats: an earlier one, which a new one may replace. */
export function isPlanText(text: string): boolean {
  return HEADS.some((head) => text.startsWith(head));
}
