/** The forms of a generated stack, as `generate --format` takes them; src/generate/formats has them. */
export const STACK_FORMATS = ['cdktf', 'construct', 'hcl', 'tfjson'] as const;

/** A form of a generated stack. */
export type FormatName = (typeof STACK_FORMATS)[number];

/** Whether a form is TypeScript for CDKTF: a stack, or a construct for a stack that exists. */
export function isProgram(format: FormatName): boolean {
  return format === 'cdktf' || format === 'construct';
}

/** The forms of a parity report, as `report --format` takes them; src/report/formats has them. */
export const REPORT_FORMATS = ['text', 'json', 'markdown', 'html'] as const;

/** A form of a parity report. */
export type ReportFormatName = (typeof REPORT_FORMATS)[number];

/** The forms of a review, as `review --format` takes them; src/review/formats has them. */
export const REVIEW_FORMATS = ['text', 'json', 'csv', 'markdown', 'html'] as const;

/** A form of a review. */
export type ReviewFormatName = (typeof REVIEW_FORMATS)[number];
