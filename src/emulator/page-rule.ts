import * as z from 'zod';
import { IDENTIFIER } from './identifiers';

const target = z.strictObject({
  target: z.literal('url'),
  constraint: z.strictObject({ operator: z.literal('matches'), value: z.string().min(1) }),
});
const action = z
  .looseObject({ id: z.string().regex(/^[a-z_]+$/, 'is not an action') })
  .superRefine(({ id, value }, context) => {
    if (id !== 'waf' || value === 'on' || value === 'off') return;
    context.addIssue({ code: 'custom', path: ['value'], message: 'must be on or off' });
  });

/** What a caller sets of a page rule. Of its actions only two concern the WAF. */
export const pageRuleFields = {
  targets: z.array(target).length(1),
  actions: z.array(action).min(1),
  priority: z.int().min(1).default(1),
  status: z.enum(['active', 'disabled']).default('disabled'),
};

/** A page rule as a scenario has it. */
export const pageRuleSeed = z.strictObject({
  id: z.string().regex(IDENTIFIER, 'is not 32 hexadecimal digits'),
  ...pageRuleFields,
});

/** A page rule: settings for the URLs that one pattern matches. */
export type PageRule = z.infer<typeof pageRuleSeed>;

/** What a page rule does to the previous WAF: nothing, unless it says so. */
export function wafEffect({ actions }: PageRule): 'on' | 'off' | undefined {
  if (actions.some(({ id }) => id === 'disable_security')) return 'off';
  for (const action of actions) {
    if (action.id === 'waf') return action['value'] === 'off' ? 'off' : 'on';
  }
  return undefined;
}

/** The URL pattern of a page rule. */
export function patternOf({ targets }: PageRule): string {
  return targets[0]?.constraint.value ?? '';
}

/** The page rules that count, the strongest first: of those that match only the first applies. */
export function activePageRules(rules: readonly PageRule[]): PageRule[] {
  return rules
    .filter(({ status }) => status === 'active')
    .sort((one, other) => other.priority - one.priority);
}
