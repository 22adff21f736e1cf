import { core } from './support/compared-rulesets';
import { owasp, SCORING } from './support/old-zone';
import {
  all,
  blocking,
  counting,
  HOST,
  protection,
  rowsOf,
  statusesOf,
} from './support/weighed-rulesets';

const scoring = (action: string, more: object = {}) => ({
  rules: [{ id: SCORING, action, ...more }],
});

describe('OWASP', () => {
  it('that is off where it runs is lost, for however few requests it runs', () => {
    const categories = [1, 2, 3, 4].map((one) => ({
      category: `paranoia-level-${one}`,
      enabled: false,
    }));
    const [level] = rowsOf(protection, core({ categories }, { expression: HOST }));
    expect(level).toMatchObject({ status: 'lost', to: 'every paranoia level is off' });
  });

  it('that does something else is not told to do so in part', () => {
    const [, action] = rowsOf(protection, core(scoring('log'), { expression: HOST }));
    expect(action).toMatchObject({ status: 'changed', to: 'the scoring rule does log' });
  });

  it('is changed where another rule runs it switched off', () => {
    const off = core({ enabled: false }, { expression: HOST });
    const rules = [off, counting({ expression: `not (${HOST})` }), blocking()];
    expect(statusesOf(protection, ...rules)).toEqual([
      ['sensitivity', 'changed'],
      ['action_mode', 'changed'],
      ['mode', 'kept'],
    ]);
    expect(rowsOf(protection, ...rules)[1]!.partial).toBe(true);
  });

  it('acts where its score and a level are on, although the whole is off', () => {
    const categories = [{ category: 'paranoia-level-1', enabled: true }];
    const on = core({ enabled: false, categories, ...scoring('block', { enabled: true }) });
    expect(rowsOf(protection, on, blocking()).map(({ to }) => to?.split(',')[0])).toEqual([
      'paranoia level 1',
      'the scoring rule does block',
      expect.stringContaining('block') as string,
    ]);
    expect(statusesOf(protection, on, blocking())).toEqual(all('kept'));
  });

  it('is kept where all of its rules do what it did, and not where some nearly do', () => {
    const settings = { packages: [owasp('high', 'challenge')] };
    const action = (here: string, elsewhere: string) =>
      rowsOf(
        settings,
        core(scoring(here), { expression: HOST }),
        core(scoring(elsewhere), { expression: `not (${HOST})` }),
      )[1]!;
    expect(action('challenge', 'challenge')).toMatchObject({ status: 'kept' });
    expect(action('managed_challenge', 'challenge')).toMatchObject({
      status: 'changed',
      partial: true,
    });
    expect(action('challenge', 'managed_challenge')).not.toHaveProperty('partial');
  });

  describe('with an action of the whole, of which it is not sure that it reaches the scoring rule,', () => {
    const whole = (asked: string, action: string) =>
      rowsOf({ packages: [owasp('high', asked)] }, core({ action }))[1]!;

    it.each([
      ['simulate', 'log'],
      ['challenge', 'challenge'],
      ['challenge', 'managed_challenge'],
    ])('is not said to %s by %s', (asked, action) => {
      expect(whole(asked, action)).toMatchObject({
        status: 'changed',
        to: `the scoring rule does ${action}, perhaps`,
        why: expect.stringContaining('not to reach the scoring rule') as string,
        remedy: 'give the scoring rule an override with this action',
      });
    });

    it('is told to do so in part where it runs for some requests', () => {
      const settings = { packages: [owasp('high', 'simulate')] };
      const [, action] = rowsOf(settings, core({ action: 'log' }, { expression: HOST }));
      expect(action).toMatchObject({ status: 'changed', partial: true });
    });

    it('is kept where the scoring rule does the same without it', () => {
      expect(whole('block', 'block').status).toBe('kept');
    });

    it('is changed where the action is another', () => {
      expect(whole('block', 'log')).toMatchObject({
        status: 'changed',
        to: 'the scoring rule does log',
      });
      expect(whole('simulate', 'block').to).toBe('the scoring rule does block');
    });
  });
});
