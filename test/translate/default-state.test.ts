import { isOnByDefault } from '../../src/translate/catalogue/catalogue';
import { newId, smallCatalogue } from './support/small-catalogue';

const [known] = smallCatalogue.managedRules;
const ENDING = 'eebf3863';
const catalogue = {
  ...smallCatalogue,
  managedRules: [
    { ...known!, id: newId(1), ending: newId(1).slice(-8), defaultEnabled: false },
    { ...known!, id: undefined, ending: ENDING, defaultEnabled: false },
    { ...known!, id: undefined, ending: '00000001', defaultEnabled: true },
    { ...known!, id: newId(2), ending: newId(2).slice(-8), defaultEnabled: undefined },
  ],
};

it.each<[string, string, boolean | undefined]>([
  ['that a source prints whole is known by all of it', newId(1), false],
  ['of which only the ending is printed is known by that', `${'7'.repeat(24)}${ENDING}`, false],
  ['of which no source states it is not known', newId(2), undefined],
  ['that no source names is not known', newId(3), undefined],
])('the default of a rule %s', (_, id, expected) => {
  // a copy: what is read of a catalogue is kept with it
  expect(isOnByDefault({ ...catalogue }, id)).toBe(expected);
});
