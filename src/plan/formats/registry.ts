import { type PlanFormatName } from '../../core/format-names';
import { type Plan } from '../plan';
import { MARKDOWN_HEAD, renderMarkdown } from './markdown';
import { renderSh, SH_HEAD } from './sh';
import { renderText, TEXT_HEAD } from './text';

/** The one list of plan formats, by the names of model/format-names.ts. */
export const planFormats: Readonly<Record<PlanFormatName, (plan: Plan) => string>> = {
  text: renderText,
  json: (plan) => `${JSON.stringify(plan, null, 2)}\n`,
  sh: renderSh,
  markdown: renderMarkdown,
};

/** How each format begins. */
const heads: Readonly<Record<PlanFormatName, string>> = {
  text: TEXT_HEAD,
  json: '{\n  "format": "cf-waf-migrate/plan"',
  sh: SH_HEAD,
  markdown: MARKDOWN_HEAD,
};

/** Whether a text is a plan in one of the formats: an earlier one, which a new one may replace. */
export function isPlanText(text: string): boolean {
  return Object.values(heads).some((head) => text.startsWith(head));
}
