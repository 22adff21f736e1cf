import { type ReviewFormatName } from '../../core/format-names';
import { type Made } from '../../html/components';
import { type Review, reviewJson } from '../review';
import { renderCsv } from './csv';
import { renderHtml } from './html';
import { renderMarkdown } from './markdown';
import { renderText } from './text';

/** Renders a review in each of its formats. */
export const reviewFormats: Readonly<
  Record<ReviewFormatName, (review: Review, made?: Made) => string>
> = {
  text: renderText,
  json: (review) => `${JSON.stringify(reviewJson(review), null, 2)}\n`,
  csv: renderCsv,
  markdown: renderMarkdown,
  html: renderHtml,
};
