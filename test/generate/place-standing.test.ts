import { normaliseRuleset } from '../../src/generate/normalise-ruleset';
import { placeStanding } from '../../src/generate/place-standing';
import { config, CREDENTIALS, deploy, MANAGED, OWASP, skip } from './support/merge';

const declared = (rules: object[]) => normaliseRuleset(config(...rules)).ruleset.rules;
const placed = (before: object[], ordered: object[]) =>
  placeStanding(declared(before), declared(ordered)).map(({ ref }) => ref);
const credentials = deploy(CREDENTIALS, {}, { ref: 'credentials' });
const managed = deploy(MANAGED, {}, { ref: 'managed' });
const owasp = deploy(OWASP, {}, { ref: 'owasp' });
const office = skip('ip.src eq 192.0.2.1', { ref: 'office' });

describe('a rule that stands and is not named', () => {
  it('stays behind all that it was an exception behind, also where what it held for comes first', () => {
    const before = [credentials, managed, office, owasp];
    expect(placed(before, [owasp, managed])).toEqual(['credentials', 'owasp', 'managed', 'office']);
  });

  it('stays behind an exception that held for it, also where that comes later than it did', () => {
    const before = [office, managed, owasp];
    expect(placed(before, [managed, office])).toEqual(['managed', 'office', 'owasp']);
  });
});
