import { providerMajors } from '../../src/core/provider-majors';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readStateBytes } from '../../src/plan/facts/read-facts';
import { planMigration } from '../../src/plan/plan-migration';
import { pickLegacyResources, parseState } from '../../src/tfstate/parse-state';
import { rawResource, rawState } from '../support/arbitrary-state';
import { rulesetId } from '../support/many-zones';

interface Feature {
  readonly feature: string;
  readonly file: string;
  readonly shows: readonly string[];
  /** The error with which such a state is refused. */
  readonly refused?: string;
}

const fixtures = join(__dirname, '../fixtures');
const features = JSON.parse(
  readFileSync(join(fixtures, 'states/features.json'), 'utf8'),
) as readonly Feature[];
const read = (file: string): Buffer => readFileSync(join(fixtures, file));
const accepted = [...new Set(features.filter(({ refused }) => !refused).map(({ file }) => file))];

describe('the corpus of states', () => {
  test.each(features)('has $feature', ({ file, shows }) => {
    const text = read(file).toString('utf8');
    for (const pattern of shows) expect(text).toMatch(new RegExp(pattern, 'u'));
  });

  test.each(features.filter(({ refused }) => refused))(
    'is refused: $feature',
    ({ file, refused }) => {
      expect(() => {
        planMigration([], [readStateBytes(read(file), 'default', {})]);
      }).toThrow(expect.objectContaining({ code: refused }));
    },
  );

  test.each(accepted)(
    '%s: all that is old leaves, whatever it is called, and nothing else',
    (file) => {
      const state = readStateBytes(read(file), 'default', { from: '4.52.8' });
      const old = pickLegacyResources(parseState(read(file))).map(({ address }) => address);
      const zones = [...new Set(state.legacyResources.flatMap((one) => one.zoneId ?? []))].map(
        (zone, at) => ({
          zoneId: zone,
          rulesetId: rulesetId(at),
          address: `cloudflare_ruleset.managed_rules_${at}`,
        }),
      );
      const { steps } = planMigration(zones, [state]);
      const gone = steps.find(({ kind }) => kind === 'remove')?.expects?.gone ?? [];
      expect([...gone].sort()).toEqual(zones.length === 0 ? [] : [...new Set(old)].sort());
    },
  );
});

test.each([
  ['no rules', {}, 1, false],
  ['rules that are no list', { rules: 'x' }, 1, false],
  ['blocks', { rules: [{ action_parameters: [{ id: 'x' }] }, {}, null] }, 1, false],
  ['objects', { rules: [{}, { action_parameters: { id: 'x' } }] }, 1, true],
  ['null in place of blocks', { rules: [{ action_parameters: null }] }, 1, true],
  ['a schema that is newer than that of 4', {}, 2, true],
])(
  'every version of provider 5 reads a ruleset with %s: %j, schema %i: %s',
  (_, attributes, version, expected) => {
    const instances = [{ schema_version: version, attributes }];
    const raw = rawState([rawResource({ type: 'cloudflare_ruleset', instances })]);
    const { rulesets } = readStateBytes(Buffer.from(JSON.stringify(raw)), 'default', {});
    expect(rulesets.map(({ written }) => providerMajors[5].reads(written!))).toEqual([expected]);
  },
);
