import axe from 'axe-core';
import { type Page } from 'playwright-core';

/** What axe finds wrong with a page: the rule, and the elements. */
export async function checkAccessibility(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  // of what it has nothing against it would find a selector for each element, for seconds
  const { violations } = await page.evaluate<axe.AxeResults>(
    "axe.run(document, { resultTypes: ['violations'] })",
  );
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}: ${nodes.map(({ target }) => String(target)).join(', ')}`,
  );
}
