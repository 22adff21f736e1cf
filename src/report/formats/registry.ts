import { type ReportFormatName } from '../../core/format-names';
import { type Made } from '../../html/components';
import { type Report, reportDocument } from '../report';
import { renderReportHtml } from './html';
import { renderReportMarkdown } from './markdown';
import { renderReportText } from './text';

/** Renders a report in each of its formats. */
export const reportFormats: Readonly<
  Record<ReportFormatName, (report: Report, made?: Made) => string>
> = {
  text: renderReportText,
  json: (report) => `${JSON.stringify(reportDocument(report), null, 2)}\n`,
  markdown: renderReportMarkdown,
  html: renderReportHtml,
};
