import { type Plan } from '../plan';
import { MARKDOWN_HEAD, renderMarkdown } from './markdown';
import { renderSh, SH_HEAD } from './sh';
import { renderText, TEXT_HEAD } from './text';

interface PlanFormat {
  readonly render: (plan: Plan) => string;
  /** How each text of the format begins: by it, an earlier plan is recognised. */
  readonly head: string;
}

/** The one table of plan formats, as `plan --format` takes them. */
export const planFormats = {
  text: { render: renderText, head: TEXT_HEAD },
  json: {
    render: (plan) => `${JSON.stringify(plan, null, 2)}\n`,
    head: '{\n  "format": "cf-waf-migrate/plan"',
  },
  sh: { render: renderSh, head: SH_HEAD },
  markdown: { render: renderMarkdown, head: MARKDOWN_HEAD },
} as const satisfies Readonly<Record<string, PlanFormat>>;

export type PlanFormatName = keyof typeof planFormats;

/** Whether a text is a plan in one of the formats: an earlier one, which a new one may replace. */
export function isPlanText(text: string): boolean {
  return Object.values(planFormats).some(({ head }) => text.startsWith(head));
}

/**
 * A plan as it is printed for users and shells with another binary, such as `tofu`: each command begins with it. A
 * saved plan names no binary, because `apply` gets it when it runs.
 *
 * @param binary as the user wrote it: a name, or a path
 */
export function withBinary(plan: Plan, binary: string): Plan {
  if (binary === 'terraform') return plan;
  const steps = plan.steps.map(({ runs, ...step }) => ({
    ...step,
    ...(runs !== undefined && {
      runs: runs.map(({ argv, ...run }) => ({
        ...run,
        argv: argv[0] === 'terraform' ? [binary, ...argv.slice(1)] : argv,
      })),
    }),
  }));
  return { ...plan, steps };
}
