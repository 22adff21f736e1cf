import { type ReviewFormatName } from '../model/format-names';
import { type Review } from '../review/review';

/** How a review is printed; each format is loaded when it is asked for. */
const renderers: Readonly<Record<ReviewFormatName, (review: Review) => Promise<string>>> = {
  text: async (review) => {
    const { renderText } = await import('../review/formats/text');
    const { renderFindings } = await import('../model/render-findings');
    const findings = renderFindings(review.findings);
    const lines = [...renderText(review), ...(findings.length === 0 ? [] : ['', ...findings])];
    return `${lines.join('\n')}\n`;
  },
  json: async (review) => {
    const { reviewJson } = await import('../review/formats/json');
    return `${JSON.stringify(reviewJson(review), null, 2)}\n`;
  },
  csv: async (review) => (await import('../review/formats/csv')).renderCsv(review),
  markdown: async (review) => (await import('../review/formats/markdown')).renderMarkdown(review),
  html: async (review) => (await import('../review/formats/html')).renderHtml(review),
};

/** A review in one of the formats. */
export const renderReview = (review: Review, format: ReviewFormatName): Promise<string> =>
  renderers[format](review);
