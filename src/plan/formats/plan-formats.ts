import { type Plan } from '../plan-schema';
import { MARKDOWN_HEAD, renderMarkdown } from './markdown';
import { renderSh, SH_HEAD } from './sh';
import { renderText, TEXT_HEAD } from './text';

interface PlanFormat {
  /** @param binary of Terraform, as the user wrote it: a name such as `tofu`, or a path */
  readonly render: (plan: Plan, binary?: string) => string;
  /** The beginning of the text, which identifies a plan in this format; never empty. */
  readonly head: string;
}

export const PLAN_FORMATS = ['text', 'json', 'sh', 'markdown'] as const;

export const planFormats: Readonly<Record<(typeof PLAN_FORMATS)[number], PlanFormat>> = {
  text: { render: withBinary(renderText), head: TEXT_HEAD },
  // a saved plan names no binary, because `apply` gets it when it runs
  json: {
    render: (plan) => `${JSON.stringify(plan, null, 2)}\n`,
    head: '{\n  "format": "cf-waf-migrate/plan"',
  },
  sh: { render: withBinary(renderSh), head: SH_HEAD },
  markdown: { render: withBinary(renderMarkdown), head: MARKDOWN_HEAD },
};

/** Whether a text is an earlier plan in one of the formats, which a new plan may replace. */
export function isPlanText(text: string): boolean {
  return Object.values(planFormats).some(({ head }) => text.startsWith(head));
}

function withBinary(render: (plan: Plan) => string): PlanFormat['render'] {
  return (plan, binary = 'terraform') => {
    const steps = plan.steps.map(({ runs, ...step }) => ({
      ...step,
      ...(runs !== undefined && {
        runs: runs.map(({ argv, ...run }) => ({
          ...run,
          argv: argv[0] === 'terraform' ? [binary, ...argv.slice(1)] : argv,
        })),
      }),
    }));
    return render({ ...plan, steps });
  };
}
