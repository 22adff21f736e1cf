import { type ReportFormatName } from '../../model/format-names';
import { renderReportHtml } from './html';
import { renderReportJson } from './json';
import { renderReportMarkdown } from './markdown';
import { type Report } from './report';
import { renderReportText } from './text';

/** Renders a report in each of its formats, by the names of model/format-names.ts. */
export const reportFormats: Readonly<Record<ReportFormatName, (report: Report) => string>> = {
  text: renderReportText,
  json: renderReportJson,
  markdown: renderReportMarkdown,
  html: renderReportHtml,
};
