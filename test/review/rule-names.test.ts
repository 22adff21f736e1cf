import { ruleNamer } from '../../src/review/managed-rules';
import { builtInCatalogue } from '../../src/translate/catalogue/built-in-catalogue';

it('an old rule has its name in whatever case an event writes its id', () => {
  const nameOf = ruleNamer(builtInCatalogue());
  const listed = nameOf('old', '100303_BETA');
  expect(listed.name).not.toBe('');
  expect(nameOf('old', '100303_beta')).toEqual(listed);
  expect(nameOf('old', 'nobody')).toEqual({ name: '' });
});
