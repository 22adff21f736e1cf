import { type JsonObject } from '../../src/core/json';
import { managed, rulesetOf } from './support/compared-rulesets';
import { rule, translate } from './support/old-zone';
import { newId, smallCatalogue } from './support/small-catalogue';
import { compared } from './support/weighed-rulesets';

const OFF = { id: newId(81), why: 'nothing switches it on: its default is off' };
const SILENT = { id: newId(82), why: 'nothing switches it on: its default is not known' };
const told = (legacyId: string, mode: string, overrides: JsonObject) =>
  compared({ rules: [rule(legacyId, mode)] }, rulesetOf(managed(overrides))).parity.settings[0]!;
const own = (id: string, more: JsonObject) => ({ rules: [{ id, ...more }] });

describe('an action alone switches no rule on', () => {
  it.each<[string, string, string, JsonObject]>([
    ['of a rule that is off by default', 'OFF', 'block', own(OFF.id, { action: 'block' })],
    ['also where it logs', 'OFF', 'simulate', own(OFF.id, { action: 'log' })],
    ['nor of the whole ruleset', 'OFF', 'block', { action: 'block' }],
    [
      'of a rule whose default is not known',
      'SILENT',
      'block',
      own(SILENT.id, { action: 'block' }),
    ],
    ['which the whole ruleset does not say', 'SILENT', 'block', { action: 'block' }],
  ])('%s', (_, legacyId, mode, overrides) => {
    const { why } = legacyId === 'OFF' ? OFF : SILENT;
    expect(told(legacyId, mode, overrides)).toMatchObject({
      status: 'changed',
      why: expect.stringContaining(why) as string,
    });
  });

  it('nor one that the rest of the ruleset, or a category of it, leaves off', () => {
    const acting = { ...own(newId(1), { action: 'block' }) };
    expect(
      told('R1', 'block', { ...acting, categories: [{ category: 'x', enabled: false }] }),
    ).toMatchObject({
      status: 'changed',
      why: expect.stringContaining('which categories it has is not known') as string,
    });
    const categories = [{ category: 'x', action: 'block' }];
    expect(told('R1', 'block', { ...acting, enabled: false, categories })).toMatchObject({
      status: 'changed',
      why: expect.stringContaining('the whole ruleset is off') as string,
    });
  });
});

describe('a rule with the action that is asked for is kept', () => {
  it.each<[string, string, JsonObject]>([
    ['where its override switches it on', 'OFF', own(OFF.id, { action: 'block', enabled: true })],
    ['where the whole ruleset is switched on', 'SILENT', { action: 'block', enabled: true }],
    ['where it is on by default', 'R1', own(newId(1), { action: 'block' })],
    [
      'where its categories can only be on too',
      'R1',
      { ...own(newId(1), { action: 'block' }), categories: [{ category: 'x', enabled: true }] },
    ],
  ])('%s', (_, legacyId, overrides) => {
    expect(told(legacyId, 'block', overrides).status).toBe('kept');
  });

  it('as a translation writes it', () => {
    const { parity } = translate(
      { rules: [rule('OFF', 'block'), rule('SILENT', 'simulate')] },
      { catalogue: smallCatalogue },
    );
    expect(parity.settings.map(({ status }) => status)).toEqual(['kept', 'kept']);
  });
});
