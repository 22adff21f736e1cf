/** The formats of `generate --format` (src/generate/formats). */
export const STACK_FORMATS = ['cdktf', 'construct', 'hcl', 'tfjson'] as const;

/** A format of a generated stack. */
export type FormatName = (typeof STACK_FORMATS)[number];

/** Whether a format is TypeScript for CDKTF: a stack, or a construct for an existing stack. */
export function isProgram(format: FormatName): boolean {
  return format === 'cdktf' || format === 'construct';
}

/** The formats of `report --format` (src/report/formats). */
export const REPORT_FORMATS = ['text', 'json', 'markdown', 'html'] as const;

/** A format of a parity report. */
export type ReportFormatName = (typeof REPORT_FORMATS)[number];

/** The formats of `review --format` (src/review/formats). */
export const REVIEW_FORMATS = ['text', 'json', 'csv', 'markdown', 'html'] as const;

export type ReviewFormatName = (typeof REVIEW_FORMATS)[number];
