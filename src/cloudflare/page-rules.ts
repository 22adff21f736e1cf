import * as z from 'zod';
import { parseZoneId } from '../core/identifier';
import { type Client } from './client';
import { readPages } from './pages';

/** A page rule: what happens to requests for some URLs. */
export interface PageRule {
  readonly id: string;
  /** `active` or `disabled`. */
  readonly status: string;
  /** Of the rules that match a request, only the one with the highest number counts. */
  readonly priority: number;
  /** URL patterns; hostile text. */
  readonly targets: readonly string[];
  /** `{id: 'waf', value: 'off'}`, `{id: 'disable_security'}`, … */
  readonly actions: readonly { readonly id: string; readonly value?: unknown }[];
}

const pageRuleSchema = z
  .object({
    id: z.string(),
    status: z.string().default('active'),
    priority: z.number().default(1),
    targets: z.array(z.object({ constraint: z.object({ value: z.string() }) })),
    actions: z.array(z.object({ id: z.string(), value: z.unknown().optional() })),
  })
  .transform(({ targets, ...rest }) => ({
    ...rest,
    targets: targets.map(({ constraint }) => constraint.value),
  }));

/** Every page rule of a zone, active or not. The service gives them in one answer. */
export function listPageRules(client: Client, zoneId: string): AsyncIterable<PageRule> {
  const id = parseZoneId(zoneId);
  return readPages(client, {
    path: `/zones/${id}/pagerules`,
    item: pageRuleSchema,
    paging: 'cursor',
    about: `page rules of zone ${id}`,
  });
}
