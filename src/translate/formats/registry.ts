import { renderReportHtml } from './html';
import { renderReportJson } from './json';
import { renderReportMarkdown } from './markdown';
import { type Report } from './report';
import { renderReportText } from './text';

/** The one list of report formats: adding one is a file and a line here. */
export const reportFormats = {
  text: renderReportText,
  json: renderReportJson,
  markdown: renderReportMarkdown,
  html: renderReportHtml,
} satisfies Record<string, (report: Report) => string>;

/** Name of a report format, as `--format` takes it. */
export type ReportFormatName = keyof typeof reportFormats;
