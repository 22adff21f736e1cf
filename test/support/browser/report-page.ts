import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Page } from 'playwright-core';
import { readSettingsFromStates } from '../../../src/translate/source/settings-from-state';
import { reportOurs } from '../../../src/report/compare-zones';
import { type LegacySettings } from '../../../src/translate/legacy-settings';
import { builtInCatalogue } from '../../../src/translate/catalogue/built-in-catalogue';
import { type Report, type ZoneReport } from '../../../src/report/report';
import { statesFolder } from '../../plan/support/plans';

const catalogue = builtInCatalogue();

/** The report of zones, as `report` makes it. */
export const reportOf = (zones: readonly LegacySettings[]): Report => ({
  zones: zones.map((zone) => reportOurs(zone, { catalogue })),
});

const bytes = readFileSync(join(statesFolder, 'old-waf-3.35.tfstate'));
/** Of five zones: the first has 32 settings, the others have seven each. */
export const many = reportOf(readSettingsFromStates([bytes]).zones);
export const one: Report = { zones: many.zones.slice(0, 1) };
export const [first] = many.zones as [ZoneReport];

/** The rows that are there, seen or not. */
export const rows = (page: Page, status?: string) =>
  page.locator(`tr[data-tone${status === undefined ? '' : `="${status}"`}]`);

/** How many rows no filter hides. */
export const seen = (page: Page, status = '') =>
  page.locator(`tr[data-tone${status === '' ? '' : `="${status}"`}]:not([hidden])`).count();

/** Waits for what the page says of its rows. */
export const settled = (page: Page, text: RegExp) =>
  page.locator('#shown', { hasText: text }).waitFor();
