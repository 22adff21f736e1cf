import { printable } from '../../../core/printable';
import {
  builtInCatalogue,
  type CatalogueMatch,
  lookup,
} from '../../../translate/catalogue/catalogue';
import { defineCommand } from '../../context';

export const lookupCommand = defineCommand({
  summary: 'Look up a legacy rule, a group, or a new rule',
  example: 'catalogue lookup 100532',
  operand: '<id>',
  flags: {},
  run: (_options, _context, id) => {
    const known = builtInCatalogue();
    const { attribution } = known;
    const matches = lookup(known, id);
    const text =
      matches.length === 0
        ? `no entry in the catalogue for ${printable(id, 80)}`
        : [...matches.flatMap(renderMatch), `Source: ${printable(attribution)}`].join('\n');
    return {
      json: { matches, attribution },
      text,
      exitCode: matches.length === 0 ? 2 : 0,
    };
  },
});

const SOURCES: Readonly<Record<string, string>> = {
  'stated-full': 'the change log names the complete id',
  'stated-suffix': 'the change log names the last eight digits',
  'suffix-resolved': 'one known id has the last eight digits that the change log names',
};

function renderMatch(match: CatalogueMatch): string[] {
  if (match.groupId !== undefined) {
    const name = match.title || 'its name and its rules are not known';
    return [printable(`legacy group ${match.groupId}: ${name}`, 300)];
  }
  const { legacyId, newId, ending, basis, of = 0, title, groups = [], rulesetId } = match;
  const fresh = newId ?? (ending === undefined ? undefined : `…${ending} (its last eight digits)`);
  const several = of > 1 ? `, one of ${of}` : '';
  const old = legacyId === undefined ? 'no legacy rule is known' : `legacy rule ${legacyId}`;
  return [
    `${old} → ${fresh ?? 'no known replacement'}`,
    ...(title === '' ? [] : [`  ${title}`]),
    ...(basis === undefined ? [] : [`  source: ${SOURCES[basis] ?? basis}${several}`]),
    ...(rulesetId === undefined ? [] : [`  managed ruleset: ${rulesetId}`]),
    ...(groups.length === 0 ? [] : [`  group: ${groups.join(', ')}`]),
  ].map((line) => printable(line, 300));
}
