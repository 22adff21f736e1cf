import { type ReviewFormatName } from '../model/format-names';
import { renderFindings } from '../model/render-findings';
import { renderCsv } from '../review/formats/csv';
import { renderHtml } from '../review/formats/html';
import { renderMarkdown } from '../review/formats/markdown';
import { renderText } from '../review/formats/text';
import { type Review, reviewJson } from '../review/review';

/** How a review is printed. */
const renderers: Readonly<Record<ReviewFormatName, (review: Review) => string>> = {
  text: (review) => {
    const findings = renderFindings(review.findings);
    const lines = [...renderText(review), ...(findings.length === 0 ? [] : ['', ...findings])];
    return `${lines.join('\n')}\n`;
  },
  json: (review) => `${JSON.stringify(reviewJson(review), null, 2)}\n`,
  csv: renderCsv,
  markdown: renderMarkdown,
  html: renderHtml,
};

/** A review in one of the formats. */
export const renderReview = (review: Review, format: ReviewFormatName): string =>
  renderers[format](review);
