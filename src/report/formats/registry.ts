import { type ReportFormatName } from '../../core/format-names';
import { renderReportHtml } from './html';
import { renderReportMarkdown } from './markdown';
import { type Report, type ZoneReport } from '../report';
import { renderReportText } from './text';

/** Renders a report in each of its formats, by the names of model/format-names.ts. */
export const reportFormats: Readonly<Record<ReportFormatName, (report: Report) => string>> = {
  text: renderReportText,
  json: renderReportJson,
  markdown: renderReportMarkdown,
  html: renderReportHtml,
};

/**
 * The report as JSON: of one zone its rows themselves (the contract of `report --json`), of several
 * one entry a zone under `zones`.
 */
function renderReportJson({ zones }: Report): string {
  const [only, ...rest] = zones.map(zoneDocument);
  const document =
    only !== undefined && rest.length === 0 ? only : { zones: zones.map(zoneDocument) };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** One zone of the report, as plain data. */
export function zoneDocument({ zoneId, name, against, parity, findings }: ZoneReport): object {
  const { settings, rules, summary } = parity;
  const named = name === undefined ? {} : { name };
  return { zoneId, ...named, against, summary, settings, rules, findings };
}
