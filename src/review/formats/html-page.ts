import { htmlDocument } from '../../translate/formats/html/document';
import { type Markup } from '../../translate/formats/html/markup';

/** One whole HTML document in the look of the report, without a script. */
export function htmlPage(title: string, content: Markup): string {
  return htmlDocument({ title, skip: 'Skip to the review', content }).html;
}
