import { type Review } from '../review/review';

/** How a review is printed; an object per format, no switch. */
interface ReviewFormat {
  readonly name: ReviewFormatName;
  readonly render: (review: Review) => Promise<string>;
}

/** A value of `--format`. */
export type ReviewFormatName = (typeof REVIEW_FORMATS)[number];

/** The values of `--format`. */
export const REVIEW_FORMATS = ['text', 'json', 'csv', 'markdown', 'html'] as const;

const formats: readonly ReviewFormat[] = [
  {
    name: 'text',
    render: async (review) => {
      const { renderText } = await import('../review/formats/text');
      const { renderFindings } = await import('../model/render-findings');
      const findings = renderFindings(review.findings);
      const lines = [...renderText(review), ...(findings.length === 0 ? [] : ['', ...findings])];
      return `${lines.join('\n')}\n`;
    },
  },
  {
    name: 'json',
    render: async (review) => {
      const { reviewJson } = await import('../review/formats/json');
      return `${JSON.stringify(reviewJson(review), null, 2)}\n`;
    },
  },
  {
    name: 'csv',
    render: async (review) => (await import('../review/formats/csv')).renderCsv(review),
  },
  {
    name: 'markdown',
    render: async (review) => (await import('../review/formats/markdown')).renderMarkdown(review),
  },
  {
    name: 'html',
    render: async (review) => (await import('../review/formats/html')).renderHtml(review),
  },
];

/** A review in one of the formats. */
export async function renderReview(review: Review, format: ReviewFormatName): Promise<string> {
  const chosen = formats.find(({ name }) => name === format);
  return chosen === undefined ? '' : chosen.render(review);
}
