import * as z from 'zod';
import { planSchema } from './plan-schema';

/** The plan format as JSON Schema: the text of docs/plan.schema.json. */
export function renderPlanJsonSchema(): string {
  const schema = z.toJSONSchema(planSchema, { target: 'draft-2020-12' });
  const title = { title: 'Migration plan of cf-waf-migrate, format version 1' };
  return `${JSON.stringify({ ...title, ...schema }, null, 2)}\n`;
}
