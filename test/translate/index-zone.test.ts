import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';
import { indexZone } from '../../src/translate/reading/legacy-index';
import { zone } from './support/old-zone';

it('a rule is known to the catalogue in whatever case its id is written', () => {
  const index = indexZone(zone(), builtInCatalogue());
  const [listed, written] = ['100303_BETA', '100303_beta'];
  expect(index.ruleTitle(listed)).toContain('Nslookup');
  expect(index.ruleTitle(written)).toBe(index.ruleTitle(listed));
  expect(index.kindOfRule(written, undefined, undefined)).toBe(
    index.kindOfRule(listed, undefined, undefined),
  );
});
