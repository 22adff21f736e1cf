import { filterBar } from './html/filters';
import { glossary } from './html/glossary';
import { markup, NOTHING } from './html/markup';
import { overview } from './html/overview';
import { page } from './html/page';
import { zoneSection } from './html/zone';
import { type Report } from './report';

const TITLE = 'What becomes of the old WAF settings';

/**
 * The report as one HTML file: it asks no network, runs nothing but its own script, reads well
 * without it, and prints. For a reader who has seen neither WAF nor Terraform.
 */
export function renderReportHtml({ zones }: Report): string {
  const [only, ...others] = zones;
  const alone = only !== undefined && others.length === 0;
  const title = alone ? `${TITLE}: ${only.name ?? only.zoneId}` : TITLE;
  const body = markup`<header>
<h1>${TITLE}</h1>
<p>Cloudflare replaces its previous web application firewall (WAF) by a new one. This page lists every setting that was made in the previous WAF, and what a new ruleset does instead. What is lost stands first. <a href="#words">What the words mean</a></p>
</header>
<main id="report" tabindex="-1">
${
  alone
    ? NOTHING
    : markup`${overview(zones)}
${filterBar()}`
}
${zones.map((zone, index) => zoneSection(zone, index, alone))}</main>
<footer>
${glossary()}</footer>
`;
  return page(title, [body]).html;
}
